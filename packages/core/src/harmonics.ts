/**
 * C16: what players that morph and skin themselves load when a stack asks for it, and what files make of it. Not in `kernels`, so that a page
 * loads it later.
 */

export type { FamilyAxes } from './correction/given-shapes.js';
export { planPlayedGiven } from './correction/plan-given.js';
export { findExtents, listFamilies, reduceGiven } from './correction/reduce-given.js';
export { findAxes } from './linear-algebra/find-axes.js';
export { halfTurn } from './linear-algebra/half-turn.js';
