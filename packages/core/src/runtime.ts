/**
 * What plays a character that has been planned: for engines. It leads to no planner, so that bundlers which keep whole files together leave that to a file
 * of its own.
 */
export { listShapeNames } from './correction/given-shapes.js';
export { planShapeTargets } from './correction/plan-shape-targets.js';
export { IsoskinError } from './error.js';
export { findNearestName } from './find-nearest-name.js';
export { measureDiagonal } from './mesh/measure-box.js';
export { isPlanOf, loadPlan } from './plan/load-plan.js';
export { measurePlanKey } from './plan/measure-plan-key.js';
export { type RequestOptions, requestPlan } from './plan/request-plan.js';
export { PLAN_VERSION } from './plan/saved-plan.js';
export { measureBoneScales, measureCommonScale } from './skeleton/measure-joint-scale.js';
export { POSE_STRIDE } from './skeleton/skeleton.js';
export { createAmountSource } from './stack/create-amount-source.js';
export { createVolumeReport } from './stack/frame.js';
export type { PlayedPlan } from './stack/plan-volume-with.js';
export { presetStack } from './stack/presets.js';
export { listUsedLayers, whyNotAccelerated } from './stack/stack-spec.js';
