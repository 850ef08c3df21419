/** C15 for shaders that look up the few shapes of a vertex: a file of its own, which pages load when they draw so. */
export { addSparsePush, planSparseShapes, type SparseShapes } from './correction/plan-sparse-shapes.js';
