/** What frames of a character that has been planned are made and measured with: what a thread of a bake loads, a third of the files of all. */
export { createShapeSolver } from './correction/create-shape-solver.js';
export { createSolverReport } from './correction/volume-solver.js';
export { IsoskinError } from './error.js';
export { normalise, sumAreaVectors } from './kernels/reference-kernels.js';
export { planVolumeMeter } from './measure/plan-volume-meter.js';
export { crossEdges } from './mesh/cross.js';
export { loadPlan } from './plan/load-plan.js';
export { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from './skeleton/matrices.js';
export { createPose, samplePose } from './skeleton/pose.js';
export { applyMorphs } from './skinning/apply-morphs.js';
export { planSkinning } from './skinning/plan-skinning.js';
export { listUsedLayers, whyNotAccelerated } from './stack/stack-spec.js';
export { createExtendedPositions } from './volume/measure-region-volumes.js';
export { measureVolumes } from './volume/measure-volume.js';
export { planClosedSurface } from './volume/plan-closed-surface.js';
