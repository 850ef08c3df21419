import { type Bvh, planBvh, refitBvh } from '../contact/bvh.js';
import { trianglesCross } from './triangles-cross.js';

/**
 * Number of unordered pairs of triangles that pass through each other (F6). Pairs that share a welded vertex are ignored,
 * touching pairs do not count (see `trianglesCross`). The tree is refitted to `positions` first; nothing is allocated.
 * Complexity: O(#T log #T + pairs whose boxes overlap).
 */
export function countSelfIntersections(bvh: Bvh, positions: Float64Array): number {
  refitBvh(bvh, positions);
  return countPairs(bvh, positions);
}

/** The same for one surface that is looked at once: plans the tree and throws it away. */
export function countSelfIntersectionsOf(triangles: Uint32Array, positions: Float64Array): number {
  return countPairs(planBvh(triangles, positions), positions);
}

/** The tree, fitted to `positions`, is walked against itself. */
function countPairs(bvh: Bvh, positions: Float64Array): number {
  const { bounds, first, size, stack } = bvh;
  if (bvh.triangleCount < 2) return 0;
  let counted = 0;
  let top = 0;
  stack[top++] = 0;
  stack[top++] = 0;
  while (top > 0) {
    const b = stack[--top]!;
    const a = stack[--top]!;
    if (a === b) {
      if (size[a]! > 0) counted += countInLeaves(bvh, positions, a, a);
      else {
        const child = first[a]!;
        stack[top++] = child;
        stack[top++] = child + 1;
        stack[top++] = child + 1;
        stack[top++] = child + 1;
        stack[top++] = child;
        stack[top++] = child;
      }
      continue;
    }
    if (!boxesOverlap(bounds, 6 * a, 6 * b)) continue;
    const leafA = size[a]! > 0;
    const leafB = size[b]! > 0;
    if (leafA && leafB) counted += countInLeaves(bvh, positions, a, b);
    else if (leafB || (!leafA && boxSize(bounds, 6 * a) >= boxSize(bounds, 6 * b))) {
      stack[top++] = first[a]! + 1;
      stack[top++] = b;
      stack[top++] = first[a]!;
      stack[top++] = b;
    } else {
      stack[top++] = a;
      stack[top++] = first[b]! + 1;
      stack[top++] = a;
      stack[top++] = first[b]!;
    }
  }
  return counted;
}

/** Pairs of two leaves that share no vertex and whose boxes overlap, if they cross. */
function countInLeaves(bvh: Bvh, positions: Float64Array, leafA: number, leafB: number): number {
  const { first, size, order, triangles } = bvh;
  const endA = first[leafA]! + size[leafA]!;
  const endB = first[leafB]! + size[leafB]!;
  let counted = 0;
  for (let i = first[leafA]!; i < endA; i++) {
    const a = 3 * order[i]!;
    for (let j = leafA === leafB ? i + 1 : first[leafB]!; j < endB; j++) {
      const b = 3 * order[j]!;
      if (shareVertex(triangles, a, b)) continue;
      if (!trianglesComeNear(triangles, positions, a, b)) continue;
      if (pairCrosses(positions, triangles, a, b)) counted++;
    }
  }
  return counted;
}

function shareVertex(triangles: Uint32Array, a: number, b: number): boolean {
  const b0 = triangles[b]!;
  const b1 = triangles[b + 1]!;
  const b2 = triangles[b + 2]!;
  for (let c = a; c < a + 3; c++) {
    const v = triangles[c]!;
    if (v === b0 || v === b1 || v === b2) return true;
  }
  return false;
}

/** Whether the boxes of two triangles (given by their first corners) overlap. */
function trianglesComeNear(triangles: Uint32Array, positions: Float64Array, a: number, b: number): boolean {
  const a0 = 3 * triangles[a]!;
  const a1 = 3 * triangles[a + 1]!;
  const a2 = 3 * triangles[a + 2]!;
  const b0 = 3 * triangles[b]!;
  const b1 = 3 * triangles[b + 1]!;
  const b2 = 3 * triangles[b + 2]!;
  for (let i = 0; i < 3; i++) {
    const p0 = positions[a0 + i]!;
    const p1 = positions[a1 + i]!;
    const p2 = positions[a2 + i]!;
    const q0 = positions[b0 + i]!;
    const q1 = positions[b1 + i]!;
    const q2 = positions[b2 + i]!;
    if (Math.max(p0, p1, p2) < Math.min(q0, q1, q2)) return false;
    if (Math.max(q0, q1, q2) < Math.min(p0, p1, p2)) return false;
  }
  return true;
}

function boxesOverlap(bounds: Float64Array, a: number, b: number): boolean {
  return (
    bounds[a]! <= bounds[b + 3]! &&
    bounds[b]! <= bounds[a + 3]! &&
    bounds[a + 1]! <= bounds[b + 4]! &&
    bounds[b + 1]! <= bounds[a + 4]! &&
    bounds[a + 2]! <= bounds[b + 5]! &&
    bounds[b + 2]! <= bounds[a + 5]!
  );
}

function boxSize(bounds: Float64Array, a: number): number {
  return bounds[a + 3]! - bounds[a]! + bounds[a + 4]! - bounds[a + 1]! + bounds[a + 5]! - bounds[a + 2]!;
}

function pairCrosses(p: Float64Array, t: Uint32Array, a: number, b: number): boolean {
  return trianglesCross(p, t[a]!, t[a + 1]!, t[a + 2]!, t[b]!, t[b + 1]!, t[b + 2]!);
}
