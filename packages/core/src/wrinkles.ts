/** Folds of the skin: tools, curves, refinement (H1–H9). */
export { createRefinedTopology, type RefinedTopology, writeTriangles } from './wrinkles/create-refined-topology.js';
export { COMBINATIONS, type Combination } from './wrinkles/fold-sum.js';
export { measureLength, type PlaceToolOptions } from './wrinkles/place-tool.js';
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
export { type PartPlan, type PartRefinement, planPartRefinement } from './wrinkles/plan-part-refinement.js';
export { NO_VERTEX, type Patches, planRefinement, type RefinementPlan } from './wrinkles/plan-refinement.js';
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
} from './wrinkles/wrinkle-tool.js';
