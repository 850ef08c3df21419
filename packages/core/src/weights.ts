/** Automatic weights, how they agree with an artist's, and weights that lose less flesh. */

export { rigMesh } from './rig/rig-mesh.js';
export {
  type AutoWeights,
  WEIGHT_DEFAULTS,
  WEIGHT_METHODS,
  type WeightMethod,
  type WeightOptions,
} from './weights/auto-weights.js';
export { fitSkeleton } from './weights/fit-skeleton.js';
export { type Agreement, measureAgreement } from './weights/measure-agreement.js';
export { VISIBILITIES, type VisibilityKind } from './weights/plan-visibility.js';
export { REFINE_DEFAULTS, type RefinedWeights, type RefineOptions, refineWeights } from './weights/refine-weights.js';
