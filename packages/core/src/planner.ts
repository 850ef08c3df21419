/** The planner, and its plans as bytes: for Node, for workers, and for pages that cannot wait for one. */
export { type PlanCharacter, planCharacter, planPlayed } from './plan/plan-character.js';
export { savePlan } from './plan/save-plan.js';
