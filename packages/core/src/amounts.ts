/** What a kernel set is made with, and nothing else. */
export { createAmountSolver } from './correction/create-amount-solver.js';
export { IsoskinError } from './error.js';
