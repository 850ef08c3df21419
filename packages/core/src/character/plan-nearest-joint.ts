/**
 * The joint nearest to a point: a k-d tree over the distinct joints, in #B log #B, asked in about log #B.
 *
 * Of joints at the same distance the first in `candidates` is meant, as if all were compared one after the other; joints that are
 * no numbers (a singular bind matrix) are never nearest, and where all are, it is the first.
 */

const LEAF = 8;

/** `joints`: #B×3. Returns a function from a point (`positions`, vertex) to the bone. */
export function planNearestJoint(
  joints: Float64Array,
  candidates: Uint32Array,
): (positions: Float64Array, vertex: number) => number {
  const order = Uint32Array.from(listDistinct(joints, candidates));
  sortTree(order, (n, axis) => joints[3 * candidates[n]! + axis]!, 0, order.length, 0);
  const point = new Float64Array(3);
  let best = 0;
  let bestSquare = 0;

  const visit = (begin: number, end: number, axis: number): void => {
    const middle = (begin + end) >> 1;
    if (end - begin <= LEAF) {
      for (let i = begin; i < end; i++) compare(order[i]!);
      return;
    }
    compare(order[middle]!);
    const offset = point[axis]! - joints[3 * candidates[order[middle]!]! + axis]!;
    const next = (axis + 1) % 3;
    if (offset < 0) visit(begin, middle, next);
    else visit(middle + 1, end, next);
    if (offset * offset > bestSquare) return;
    if (offset < 0) visit(middle + 1, end, next);
    else visit(begin, middle, next);
  };
  const compare = (n: number): void => {
    const at = 3 * candidates[n]!;
    const dx = joints[at]! - point[0]!;
    const dy = joints[at + 1]! - point[1]!;
    const dz = joints[at + 2]! - point[2]!;
    const square = dx * dx + dy * dy + dz * dz;
    if (square < bestSquare || (square === bestSquare && n < best)) {
      best = n;
      bestSquare = square;
    }
  };
  return (positions, vertex) => {
    for (let r = 0; r < 3; r++) point[r] = positions[3 * vertex + r]!;
    best = 0;
    bestSquare = Number.POSITIVE_INFINITY;
    visit(0, order.length, 0);
    return candidates[best]!;
  };
}

/** Places in `candidates` whose joint is a number, the first of those at one point. */
function listDistinct(joints: Float64Array, candidates: Uint32Array): number[] {
  const seen = new Set<string>();
  const found: number[] = [];
  for (const [n, b] of candidates.entries()) {
    const [x, y, z] = [joints[3 * b]!, joints[3 * b + 1]!, joints[3 * b + 2]!];
    const name = `${x},${y},${z}`;
    if (!Number.isFinite(x + y + z) || seen.has(name)) continue;
    seen.add(name);
    found.push(n);
  }
  return found;
}

/** Sorts each range along its axis, so that its middle splits it. */
function sortTree(
  order: Uint32Array,
  coordinateOf: (n: number, axis: number) => number,
  begin: number,
  end: number,
  axis: number,
): void {
  if (end - begin <= LEAF) return;
  order.subarray(begin, end).sort((a, b) => coordinateOf(a, axis) - coordinateOf(b, axis));
  const middle = (begin + end) >> 1;
  sortTree(order, coordinateOf, begin, middle, (axis + 1) % 3);
  sortTree(order, coordinateOf, middle + 1, end, (axis + 1) % 3);
}
