import { type Bvh, planBvh, refitBvh } from './bvh.js';
import { trianglesCross } from './triangles-cross.js';
import { visitOverlappingPairs } from './visit-overlapping-pairs.js';

/**
 * Number of unordered pairs of triangles that pass through each other (F6). Pairs that share a welded vertex are ignored,
 * touching pairs do not count (see `trianglesCross`). The tree is refitted to `positions` first; nothing is allocated.
 * Complexity: O(#T log #T + pairs whose boxes overlap).
 */
export function countSelfIntersections(bvh: Bvh, positions: Float64Array): number {
  refitBvh(bvh, positions);
  return visitOverlappingPairs(bvh, positions, 0, pairCrosses);
}

/** The same for one surface that is looked at once: plans the tree and throws it away. */
export function countSelfIntersectionsOf(triangles: Uint32Array, positions: Float64Array): number {
  return visitOverlappingPairs(planBvh(triangles, positions), positions, 0, pairCrosses);
}

function pairCrosses(bvh: Bvh, positions: Float64Array, a: number, b: number): boolean {
  const t = bvh.triangles;
  return trianglesCross(positions, t[3 * a]!, t[3 * a + 1]!, t[3 * a + 2]!, t[3 * b]!, t[3 * b + 1]!, t[3 * b + 2]!);
}
