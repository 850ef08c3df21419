/** `@isoskin/cluster/pieces`: a bake by plain processes, without Redis. */
export { bakeShare, mergeShares, type PiecesOptions, type ShareResult } from './work/bake-pieces.js';
