/** Automatic weights and how they agree with an artist's. */
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
