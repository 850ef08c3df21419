/**
 * A binary tree of bounding boxes over triangles, for ray casts (A5, thickness) and crossing triangles (F6).
 *
 * The triangles are sorted along a Morton curve by their centres (the bits of x, y and z in turn), and every node is cut where the highest bit
 * changes; refitted from the last node to the first, because children are always numbered after their parent. Flat arrays, all memory
 * taken when planned. Complexity: plan and refit O(#T).
 *
 * Based on: Lauterbach et al., "Fast BVH construction on GPUs", 2009.
 */
export interface Bvh {
  /** #T×3. */
  readonly triangles: Uint32Array;
  readonly triangleCount: number;
  /** Triangles in the order of the leaves, #T. */
  readonly order: Uint32Array;
  readonly nodeCount: number;
  /** #nodes×6: min x, y, z, max x, y, z. */
  readonly bounds: Float64Array;
  /** Inner node: its first child (the second is the next number). Leaf: the place of its first triangle in `order`. */
  readonly first: Uint32Array;
  /** Triangles of a leaf; 0 for an inner node. */
  readonly size: Uint32Array;
  /** Scratch of the traversals: nodes, and where a ray enters them. */
  readonly stack: Uint32Array;
  readonly entries: Float64Array;
}

const LEAF_SIZE = 4;
/** Bits of the curve along each axis. */
const BITS = 10;
/** A pair traversal holds at most two pairs per level of either tree, of which there are 3 · BITS + 32: 2 × 2 × 2 × 62 numbers. */
const STACK_SIZE = 1024;

/** Plans a tree over `triangles` at `positions` (#V×3). */
export function planBvh(
  triangles: Uint32Array,
  positions: Float64Array,
  triangleCount = Math.floor(triangles.length / 3),
): Bvh {
  const { order, codes } = sortTriangles(triangles, positions, triangleCount);
  const capacity = Math.max(1, 2 * triangleCount);
  const first = new Uint32Array(capacity);
  const size = new Uint32Array(capacity);
  size[0] = triangleCount;
  let nodeCount = 1;
  // A node starts as a leaf; cutting it appends its children, which this loop reaches later.
  for (let node = 0; node < nodeCount; node++) {
    const start = first[node]!;
    const count = size[node]!;
    if (count <= LEAF_SIZE) continue;
    const middle = findCut(codes, start, count);
    first[node] = nodeCount;
    size[node] = 0;
    first[nodeCount] = start;
    size[nodeCount] = middle - start;
    first[nodeCount + 1] = middle;
    size[nodeCount + 1] = start + count - middle;
    nodeCount += 2;
  }
  const bvh: Bvh = {
    triangles,
    triangleCount,
    order,
    nodeCount,
    bounds: new Float64Array(6 * nodeCount),
    first: first.slice(0, nodeCount),
    size: size.slice(0, nodeCount),
    stack: new Uint32Array(STACK_SIZE),
    entries: new Float64Array(STACK_SIZE),
  };
  refitBvh(bvh, positions);
  return bvh;
}

/** Fits the boxes to new positions of the same triangles. */
export function refitBvh(bvh: Bvh, positions: Float64Array): void {
  const { bounds, first, size, order, triangles } = bvh;
  for (let node = bvh.nodeCount - 1; node >= 0; node--) {
    const o = 6 * node;
    if (size[node]! > 0 || bvh.triangleCount === 0) {
      boxTriangles(bounds, o, triangles, positions, order, first[node]!, size[node]!);
      continue;
    }
    const a = 6 * first[node]!;
    const b = a + 6;
    for (let i = 0; i < 3; i++) {
      const low = bounds[a + i]!;
      const otherLow = bounds[b + i]!;
      const high = bounds[a + 3 + i]!;
      const otherHigh = bounds[b + 3 + i]!;
      bounds[o + i] = low < otherLow ? low : otherLow;
      bounds[o + 3 + i] = high > otherHigh ? high : otherHigh;
    }
  }
}

/** Box of the triangles order[start] … order[start + count − 1], written to out[at …]. */
function boxTriangles(
  out: Float64Array,
  at: number,
  triangles: Uint32Array,
  positions: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): void {
  let x0 = Number.POSITIVE_INFINITY;
  let y0 = x0;
  let z0 = x0;
  let x1 = Number.NEGATIVE_INFINITY;
  let y1 = x1;
  let z1 = x1;
  for (let i = start; i < start + count; i++) {
    const corner = 3 * order[i]!;
    for (let c = corner; c < corner + 3; c++) {
      const v = 3 * triangles[c]!;
      const x = positions[v]!;
      const y = positions[v + 1]!;
      const z = positions[v + 2]!;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
      if (z < z0) z0 = z;
      if (z > z1) z1 = z;
    }
  }
  out[at] = x0;
  out[at + 1] = y0;
  out[at + 2] = z0;
  out[at + 3] = x1;
  out[at + 4] = y1;
  out[at + 5] = z1;
}

/** Triangles along the curve, and the place of each on it. */
function sortTriangles(triangles: Uint32Array, positions: Float64Array, count: number) {
  const places = new Float64Array(3 * count); // three times the centre
  let [x0, y0, z0] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [x1, y1, z1] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let t = 0; t < count; t++) {
    const a = 3 * triangles[3 * t]!;
    const b = 3 * triangles[3 * t + 1]!;
    const c = 3 * triangles[3 * t + 2]!;
    const x = positions[a]! + positions[b]! + positions[c]!;
    const y = positions[a + 1]! + positions[b + 1]! + positions[c + 1]!;
    const z = positions[a + 2]! + positions[b + 2]! + positions[c + 2]!;
    places[3 * t] = x;
    places[3 * t + 1] = y;
    places[3 * t + 2] = z;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const extent = Math.max(x1 - x0, y1 - y0, z1 - z0);
  const scale = extent > 0 && Number.isFinite(extent) ? (2 ** BITS * (1 - 1e-9)) / extent : 0;
  let codes = new Uint32Array(count);
  let order = new Uint32Array(count);
  for (let t = 0; t < count; t++) {
    const x = spreadBits((places[3 * t]! - x0) * scale);
    const y = spreadBits((places[3 * t + 1]! - y0) * scale);
    codes[t] = x | (y << 1) | (spreadBits((places[3 * t + 2]! - z0) * scale) << 2);
    order[t] = t;
  }
  // By the digits of the code, the last first.
  const digits = 2 ** BITS;
  let sorted = new Uint32Array(count);
  let along = new Uint32Array(count);
  for (let shift = 0; shift < 3 * BITS; shift += BITS) {
    const next = new Uint32Array(digits + 1);
    for (let i = 0; i < count; i++) next[((codes[i]! >>> shift) & (digits - 1)) + 1]!++;
    for (let d = 0; d < digits; d++) next[d + 1]! += next[d]!;
    for (let i = 0; i < count; i++) {
      const at = next[(codes[i]! >>> shift) & (digits - 1)]!++;
      sorted[at] = order[i]!;
      along[at] = codes[i]!;
    }
    [order, sorted, codes, along] = [sorted, order, along, codes];
  }
  return { order, codes };
}

/** Two zeros before each of the BITS bits. */
function spreadBits(cell: number): number {
  let bits = cell & (2 ** BITS - 1);
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}

/** Where the highest bit that differs between the first and the last code changes; the middle where all are alike. */
function findCut(codes: Uint32Array, start: number, count: number): number {
  const last = codes[start + count - 1]!;
  const bit = 31 - Math.clz32(codes[start]! ^ last);
  if (bit < 0) return start + (count >> 1);
  const edge = (last >>> bit) << bit;
  let below = start;
  let above = start + count - 1;
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (codes[middle]! < edge) below = middle;
    else above = middle;
  }
  return above;
}
