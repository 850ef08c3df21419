/** Saved plans: asked for in a worker, kept, loaded. What a runtime needs; the planner itself is `@isoskin/core/planner`. */
export { loadPlan } from './plan/load-plan.js';
export { measurePlanKey } from './plan/measure-plan-key.js';
export { clearStoredPlans, readStoredPlan, storePlan } from './plan/plan-store.js';
export { type RequestOptions, requestPlan } from './plan/request-plan.js';
export { PLAN_VERSION } from './plan/saved-plan.js';
export type { PlayedPlan } from './stack/plan-volume-with.js';
