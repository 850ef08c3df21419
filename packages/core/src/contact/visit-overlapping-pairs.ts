import type { Bvh } from './bvh.js';

/** Looks at one pair of triangles; true if the pair counts. */
export type PairVisitor = (bvh: Bvh, positions: Float64Array, a: number, b: number) => boolean;

/**
 * Visits every unordered pair of triangles that share no vertex and whose boxes come within `margin` of each other, and
 * returns how many of them counted. The tree, fitted to `positions`, is walked against itself; nothing is allocated.
 * The order of the visits depends only on the tree, and a is before b in the order of its leaves.
 */
export function visitOverlappingPairs(bvh: Bvh, positions: Float64Array, margin: number, visit: PairVisitor): number {
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
      if (size[a]! > 0) counted += visitLeaves(bvh, positions, margin, visit, a, a);
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
    if (!boxesOverlap(bounds, 6 * a, 6 * b, margin)) continue;
    const leafA = size[a]! > 0;
    const leafB = size[b]! > 0;
    if (leafA && leafB) counted += visitLeaves(bvh, positions, margin, visit, a, b);
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

function visitLeaves(
  bvh: Bvh,
  positions: Float64Array,
  margin: number,
  visit: PairVisitor,
  leafA: number,
  leafB: number,
): number {
  const { first, size, order, triangles } = bvh;
  const endA = first[leafA]! + size[leafA]!;
  const endB = first[leafB]! + size[leafB]!;
  let counted = 0;
  for (let i = first[leafA]!; i < endA; i++) {
    const a = 3 * order[i]!;
    for (let j = leafA === leafB ? i + 1 : first[leafB]!; j < endB; j++) {
      const b = 3 * order[j]!;
      if (shareVertex(triangles, a, b)) continue;
      if (!trianglesComeNear(triangles, positions, a, b, margin)) continue;
      if (visit(bvh, positions, order[i]!, order[j]!)) counted++;
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

/** Whether the boxes of two triangles (given by their first corners) come within the margin. */
function trianglesComeNear(
  triangles: Uint32Array,
  positions: Float64Array,
  a: number,
  b: number,
  margin: number,
): boolean {
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
    if (Math.max(p0, p1, p2) + margin < Math.min(q0, q1, q2)) return false;
    if (Math.max(q0, q1, q2) + margin < Math.min(p0, p1, p2)) return false;
  }
  return true;
}

function boxesOverlap(bounds: Float64Array, a: number, b: number, margin: number): boolean {
  return (
    bounds[a]! <= bounds[b + 3]! + margin &&
    bounds[b]! <= bounds[a + 3]! + margin &&
    bounds[a + 1]! <= bounds[b + 4]! + margin &&
    bounds[b + 1]! <= bounds[a + 4]! + margin &&
    bounds[a + 2]! <= bounds[b + 5]! + margin &&
    bounds[b + 2]! <= bounds[a + 5]! + margin
  );
}

function boxSize(bounds: Float64Array, a: number): number {
  return bounds[a + 3]! - bounds[a]! + bounds[a + 4]! - bounds[a + 1]! + bounds[a + 5]! - bounds[a + 2]!;
}
