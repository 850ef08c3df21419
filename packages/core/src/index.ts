export { type Body, planBody } from './body/plan-body.js';
export type {
  Binding,
  Character,
  CharacterInput,
  MorphInput,
  MorphTarget,
  Part,
  PartInput,
  SkeletonInput,
} from './character/character.js';
export { createCharacter, createStillCharacter, WELD_TOLERANCE } from './character/create-character.js';
export * as json from './check-json.js';
export { type Bvh, planBvh, refitBvh } from './contact/bvh.js';
export { castRay, createRayHit, type RayHit } from './contact/cast-ray.js';
export { countSelfIntersections, countSelfIntersectionsOf } from './contact/count-self-intersections.js';
export {
  measureThickness,
  planThickness,
  type ThicknessPlan,
  type ThicknessSurface,
} from './contact/measure-thickness.js';
export {
  CONTACT_CONSTANTS,
  CONTACT_DEFAULTS,
  type Contact,
  type ContactConstants,
  type ContactOptions,
  planContact,
} from './contact/plan-contact.js';
export { trianglesCross } from './contact/triangles-cross.js';
export { type PairVisitor, visitOverlappingPairs } from './contact/visit-overlapping-pairs.js';
export {
  AMOUNT_SOLVER_CONSTANTS,
  type AmountEvaluator,
  type AmountPlan,
  type AmountSolver,
  type AmountSolverOptions,
  createAmountSolver,
} from './correction/create-amount-solver.js';
export type { HarmonicAmounts } from './correction/create-harmonics.js';
export { createShapeSolver, type ShapeSolver } from './correction/create-shape-solver.js';
export { createRegionEvaluator, type RegionEvaluator } from './correction/evaluate-regions.js';
export { DIRECTION_DEFAULTS } from './correction/measure-directions.js';
export type { VertexValues } from './correction/plan-bases.js';
export { type PlanHarmonics, planHarmonics } from './correction/plan-harmonics.js';
export { planShapeTargets, type ShapeTarget, type TargetMesh } from './correction/plan-shape-targets.js';
export { SHAPE_DEFAULTS, type Shapes } from './correction/plan-shapes.js';
export { VOLUME_METHODS, type VolumeMethodName } from './correction/volume-methods.js';
export { createSolverReport, type SolverReport } from './correction/volume-solver.js';
export { IsoskinError, type Warning } from './error.js';
export { findNearestName } from './find-nearest-name.js';
export { type BoneSprings, createBoneSprings } from './flesh/create-bone-springs.js';
export { type ClipSwing, createClipSwing } from './flesh/create-clip-swing.js';
export { measureSpringStep } from './flesh/measure-spring-step.js';
export { SOFTNESS_DEFAULTS, type SoftnessOptions } from './flesh/plan-softness.js';
export type { Spring, SpringState } from './flesh/step-springs.js';
export { typescriptAmountKernels } from './kernels/create-amount-runner.js';
export type { AmountKernels, AmountRunner, FrameKernels, FramePlan, FrameRunner } from './kernels/frame-plan.js';
export { displace, normalise, skinLinear, sumAreaVectors } from './kernels/reference-kernels.js';
export { LIMITS } from './limits.js';
export type { ShapeOptions } from './maps/apply-shape.js';
export { gatherPaint } from './maps/gather-paint.js';
export { MAP_DEFAULTS, MAP_KINDS, type MapKind, type MapOptions, measureMap } from './maps/measure-map.js';
export { type BudgetOptions, checkBudget } from './measure/check-budget.js';
export {
  type ClipMeasure,
  type ClipMeter,
  type ClipQuality,
  type FrameMeasure,
  type MeasureOptions,
  planClipMeter,
  type RegionMeasure,
} from './measure/measure-clip.js';
export { planVolumeMeter, type VolumeMeter } from './measure/plan-volume-meter.js';
export { type CreatedSurface, createSurface, type SurfaceInput } from './mesh/create-surface.js';
export { measureBox, measureDiagonal } from './mesh/measure-box.js';
export {
  type Caps,
  type Component,
  type Csr,
  NO_COMPONENT,
  type Surface,
  type SurfaceDefects,
} from './mesh/surface.js';
export { markQuietVertices } from './quality/mark-quiet-vertices.js';
export {
  measureQuality,
  planQuality,
  type Quality,
  type QualityOptions,
  type QualityPlan,
  type QualitySurface,
} from './quality/measure-quality.js';
export { type Flesh, type FleshFigures, planFlesh } from './quality/plan-flesh.js';
export { createTemporalQuality, type TemporalQuality } from './quality/temporal-quality.js';
export {
  planRegions,
  REGION_DEFAULTS,
  REGION_KINDS,
  type RegionKind,
  type RegionOptions,
  type Regions,
} from './regions/plan-regions.js';
export type { Channel, ChannelPath, Clip, Interpolation } from './skeleton/clip.js';
export { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from './skeleton/matrices.js';
export { measureBoneScales, measureCommonScale } from './skeleton/measure-joint-scale.js';
export { createPose, frameTimes, samplePose } from './skeleton/pose.js';
export { POSE_STRIDE, type Pose, type Skeleton } from './skeleton/skeleton.js';
export { applyMorphs } from './skinning/apply-morphs.js';
export { planSkinning, SKINNINGS, type Skinning, type SkinningPlan } from './skinning/plan-skinning.js';
export { checkStack, isLayerList } from './stack/check-stack.js';
export { type AmountSource, createAmountSource } from './stack/create-amount-source.js';
export {
  createFrameSource,
  type FrameSource,
  type FrameSourceOptions,
} from './stack/create-frame-source.js';
export { FLESH_DEFAULTS, type FleshLayerOptions, type FleshRegionOptions } from './stack/flesh-layer.js';
export type { Frame, VolumeReport } from './stack/frame.js';
export { planVolume, planVolumeWith, type VolumeExtras, type VolumePlan } from './stack/plan-volume.js';
export { PRESET_NAMES, PRESETS, type PresetName, presetStack } from './stack/presets.js';
export { resolveStack } from './stack/resolve-stack.js';
export { describeOption, STACK_SCHEMA } from './stack/stack-schema.js';
export {
  isStateful,
  LAYER_NAMES,
  type LayerName,
  type LayerOptions,
  listUsedLayers,
  type SkinOptions,
  type Stack,
  type StackSpec,
  whyNotAccelerated,
} from './stack/stack-spec.js';
export type { FrameVolume, VolumeLayerOptions } from './stack/volume-layer.js';
export {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from './volume/measure-region-volumes.js';
export { measureVolume, measureVolumeGradient, measureVolumes } from './volume/measure-volume.js';
export { type ClosedSurface, planClosedSurface } from './volume/plan-closed-surface.js';
export { NO_REGION, planRegionVolumes, type RegionVolumes } from './volume/plan-region-volumes.js';
export { INEXACT, measureRegionError, measureRegionScale } from './volume/region-error.js';
export {
  type AutoWeights,
  autoWeights,
  WEIGHT_DEFAULTS,
  WEIGHT_METHODS,
  type WeightMethod,
  type WeightOptions,
} from './weights/auto-weights.js';
export { fitSkeleton } from './weights/fit-skeleton.js';
export { type Agreement, measureAgreement } from './weights/measure-agreement.js';
export { VISIBILITIES, type VisibilityKind } from './weights/plan-visibility.js';
export { createRefinedTopology, type RefinedTopology, writeTriangles } from './wrinkles/create-refined-topology.js';
export {
  measureLength,
  type PlaceToolOptions,
  placeTool,
  placeTools,
} from './wrinkles/place-tool.js';
export { planButterfly, type Stencil } from './wrinkles/plan-butterfly.js';
export {
  type ControlCurve,
  type ControlCurveOptions,
  CURVE_DEFAULTS,
  CURVE_STRATEGIES,
  type CurveLevel,
  type CurveOptions,
  type CurveStrategy,
  planControlCurve,
} from './wrinkles/plan-control-curve.js';
export { findAnchor, placeAnchor, planGeodesic } from './wrinkles/plan-geodesic.js';
export { type PartRefinement, planPartRefinement } from './wrinkles/plan-part-refinement.js';
export {
  NO_VERTEX,
  type Patches,
  planRefinement,
  type RefinementPlan,
} from './wrinkles/plan-refinement.js';
export {
  planWrinkles,
  type RefinedSurface,
  type WrinkleInput,
  type WrinkleState,
  type Wrinkles,
} from './wrinkles/plan-wrinkles.js';
export {
  WRINKLE_PRESET_NAMES,
  WRINKLE_PRESETS,
  type WrinklePreset,
  type WrinklePresetName,
} from './wrinkles/wrinkle-presets.js';
export {
  ATTENUATIONS,
  type Attenuation,
  type RestLength,
  type SurfaceAnchor,
  WRINKLE_DEFAULTS,
  type WrinklesOptions,
  type WrinkleTool,
} from './wrinkles/wrinkle-tool.js';
