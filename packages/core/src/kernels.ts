/** What a frame is made of: skinning, shapes and the solver of their amounts, for runtimes and other kernel sets. */

export { copySkeleton, createStillCharacter } from './character/create-character.js';
export type { PairSearch, SearchPlan } from './contact/pair-search.js';
export { measureMotions } from './contact/plan-bone-pairs.js';
export { MOST_PAIRS, WIDER } from './contact/plan-near-pairs.js';
export { measureRestScales } from './contact/plan-sample-normals.js';
export type {
  AmountEvaluator,
  AmountPlan,
  AmountSolver,
  AmountSolverOptions,
} from './correction/amount-solver.js';
export { AMOUNT_SOLVER_CONSTANTS, createAmountSolver } from './correction/create-amount-solver.js';
export { createShapeSolver, type ShapeSolver } from './correction/create-shape-solver.js';
export { createRegionEvaluator, type RegionEvaluator } from './correction/evaluate-regions.js';
export type { GivenAmounts, GivenFamily } from './correction/given-shapes.js';
export { listShapeNames } from './correction/given-shapes.js';
export type { VertexValues } from './correction/plan-bases.js';
export type { PlanGiven } from './correction/plan-given.js';
export {
  planFans,
  planShapeTargets,
  type ShapeTarget,
  type TargetMesh,
  turnDirections,
} from './correction/plan-shape-targets.js';
export type { Shapes } from './correction/plan-shapes.js';
export { UNUSED_PUSH } from './correction/shape-budget.js';
export { createSolverReport, type SolverReport } from './correction/volume-solver.js';
export { typescriptAmountKernels } from './kernels/create-amount-runner.js';
export type {
  AmountKernels,
  AmountRunner,
  FleshPlan,
  FleshRunner,
  FrameKernels,
  FrameMoves,
  FramePlan,
  FrameRunner,
} from './kernels/frame-plan.js';
export { displace, normalise, skinLinear, sumAreaVectors } from './kernels/reference-kernels.js';
export type { CreateTetrahedronSums } from './measure/plan-volume-meter.js';
export { tripleProduct } from './mesh/cross.js';
export type { ChannelPath, Interpolation } from './skeleton/clip.js';
export { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from './skeleton/matrices.js';
export { measureBoneScales, measureCommonScale } from './skeleton/measure-joint-scale.js';
export { applyMorphs } from './skinning/apply-morphs.js';
export { planSkinning, SKINNINGS, type Skinning, type SkinningPlan } from './skinning/plan-skinning.js';
export { createVolumeReport } from './stack/frame.js';
export { planVolume } from './stack/plan-volume.js';
export { planVolumeWith, type VolumeExtras, type VolumePlan } from './stack/plan-volume-with.js';
export type { FoldPlan, FoldRunner } from './wrinkles/plan-folds.js';
