/** What a kernel set is made with, and nothing else. */
export { createAmountSolver } from './correction/create-amount-solver.js';
export { createFewTargets } from './correction/few-targets.js';
export { IsoskinError } from './error.js';
