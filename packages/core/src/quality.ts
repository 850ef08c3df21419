/** Measures of quality: Q1–Q7, Q9–Q11. */
export type { ClipQuality, FrameMeasure, MeasureOptions, RegionMeasure } from './measure/measure-clip.js';
export { markQuietVertices } from './quality/mark-quiet-vertices.js';
export {
  type Blame,
  createHarmMeter,
  HARM_KINDS,
  HARM_LIMITS,
  type HarmFigure,
  type HarmKind,
  type HarmMeter,
  type HarmMoment,
  type HarmTally,
  joinHarm,
  listBroken,
} from './quality/measure-harm.js';
export {
  measureQuality,
  planQuality,
  type Quality,
  type QualityOptions,
  type QualityPlan,
  type QualitySurface,
} from './quality/measure-quality.js';
export { measureTwists, type TwistLoss } from './quality/measure-twists.js';
export { type Flesh, type FleshFigures, planFlesh } from './quality/plan-flesh.js';
export { type HarmPlan, type HarmSurface, planHarm } from './quality/plan-harm.js';
export { type Placement, planPlacement } from './quality/plan-placement.js';
export { createTemporalQuality, type TemporalQuality } from './quality/temporal-quality.js';
