/**
 * A binary tree of bounding boxes over triangles, for ray casts (A5, thickness) and crossing triangles (F6).
 *
 * Built top down with binned surface-area splits over the centroids; refitted from the last node to the first, because
 * children are always numbered after their parent. Flat arrays, all memory taken when planned.
 * Complexity: plan O(#T log #T), refit O(#T).
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
const BINS = 16;
/** Below this depth nodes are simply halved, so that no input makes the tree deeper than MAX_SPLIT_DEPTH + 32. */
const MAX_SPLIT_DEPTH = 48;
/** A pair traversal holds at most two pairs per level of either tree: 2 × 2 × 2 × 80 numbers. */
const STACK_SIZE = 1024;

/** Plans a tree over `triangles` at `positions` (#V×3). */
export function planBvh(
  triangles: Uint32Array,
  positions: Float64Array,
  triangleCount = Math.floor(triangles.length / 3),
): Bvh {
  const order = new Uint32Array(triangleCount);
  const boxes = new Float64Array(triangleCount * 6);
  for (let t = 0; t < triangleCount; t++) {
    order[t] = t;
    boxTriangles(boxes, 6 * t, triangles, positions, order, t, 1);
  }
  const capacity = Math.max(1, 2 * triangleCount);
  const bounds = new Float64Array(capacity * 6);
  const first = new Uint32Array(capacity);
  const size = new Uint32Array(capacity);
  const depth = new Uint8Array(capacity);
  const splitter = createSplitter(boxes, order);
  size[0] = triangleCount;
  let nodeCount = 1;
  // A node starts as a leaf; splitting it appends its children, which this loop reaches later.
  for (let node = 0; node < nodeCount; node++) {
    const start = first[node]!;
    const count = size[node]!;
    if (count <= LEAF_SIZE) continue;
    const middle = depth[node]! < MAX_SPLIT_DEPTH ? splitter(start, count) : start + (count >> 1);
    first[node] = nodeCount;
    size[node] = 0;
    first[nodeCount] = start;
    size[nodeCount] = middle - start;
    first[nodeCount + 1] = middle;
    size[nodeCount + 1] = start + count - middle;
    depth[nodeCount] = depth[nodeCount + 1] = depth[node]! + 1;
    nodeCount += 2;
  }
  const bvh: Bvh = {
    triangles,
    triangleCount,
    order,
    nodeCount,
    bounds: bounds.slice(0, 6 * nodeCount),
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
      bounds[o + i] = Math.min(bounds[a + i]!, bounds[b + i]!);
      bounds[o + 3 + i] = Math.max(bounds[a + 3 + i]!, bounds[b + 3 + i]!);
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

/** A function that reorders order[start … start + count) in two halves and returns where the second one starts. */
function createSplitter(boxes: Float64Array, order: Uint32Array): (start: number, count: number) => number {
  const binCount = new Uint32Array(BINS);
  const binBox = new Float64Array(BINS * 6);
  const rightCost = new Float64Array(BINS);
  const running = new Float64Array(6);

  return (start, count) => {
    const end = start + count;
    // Twice the centroid is enough: only the order along the axis matters.
    let x0 = Number.POSITIVE_INFINITY;
    let y0 = x0;
    let z0 = x0;
    let x1 = Number.NEGATIVE_INFINITY;
    let y1 = x1;
    let z1 = x1;
    for (let i = start; i < end; i++) {
      const o = 6 * order[i]!;
      const x = boxes[o]! + boxes[o + 3]!;
      const y = boxes[o + 1]! + boxes[o + 4]!;
      const z = boxes[o + 2]! + boxes[o + 5]!;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
      if (z < z0) z0 = z;
      if (z > z1) z1 = z;
    }
    const extent = Math.max(x1 - x0, y1 - y0, z1 - z0);
    const axis = extent === x1 - x0 ? 0 : extent === y1 - y0 ? 1 : 2;
    const low = axis === 0 ? x0 : axis === 1 ? y0 : z0;
    if (!(extent > 0) || !Number.isFinite(extent)) return start + (count >> 1);

    const scale = (BINS * (1 - 1e-9)) / extent;
    binCount.fill(0);
    for (let b = 0; b < BINS; b++) emptyBox(binBox, 6 * b);
    for (let i = start; i < end; i++) {
      const o = 6 * order[i]!;
      const bin = ((boxes[o + axis]! + boxes[o + axis + 3]! - low) * scale) | 0;
      binCount[bin]!++;
      growBox(binBox, 6 * bin, boxes, o);
    }
    emptyBox(running, 0);
    let right = 0;
    for (let b = BINS - 1; b > 0; b--) {
      growBox(running, 0, binBox, 6 * b);
      right += binCount[b]!;
      rightCost[b] = right === 0 ? 0 : right * halfArea(running);
    }
    emptyBox(running, 0);
    let left = 0;
    let best = Number.POSITIVE_INFINITY;
    let split = 0;
    for (let b = 1; b < BINS; b++) {
      growBox(running, 0, binBox, 6 * (b - 1));
      left += binCount[b - 1]!;
      if (left === 0 || left === count) continue;
      const cost = left * halfArea(running) + rightCost[b]!;
      if (cost < best) {
        best = cost;
        split = b;
      }
    }
    if (split === 0) return start + (count >> 1);

    let i = start;
    let j = end - 1;
    while (i <= j) {
      const t = order[i]!;
      const bin = ((boxes[6 * t + axis]! + boxes[6 * t + axis + 3]! - low) * scale) | 0;
      if (bin < split) i++;
      else {
        order[i] = order[j]!;
        order[j--] = t;
      }
    }
    return i;
  };
}

function emptyBox(box: Float64Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    box[at + i] = Number.POSITIVE_INFINITY;
    box[at + 3 + i] = Number.NEGATIVE_INFINITY;
  }
}

function growBox(box: Float64Array, at: number, other: Float64Array, from: number): void {
  for (let i = 0; i < 3; i++) {
    if (other[from + i]! < box[at + i]!) box[at + i] = other[from + i]!;
    if (other[from + 3 + i]! > box[at + 3 + i]!) box[at + 3 + i] = other[from + 3 + i]!;
  }
}

function halfArea(box: Float64Array): number {
  const x = box[3]! - box[0]!;
  const y = box[4]! - box[1]!;
  const z = box[5]! - box[2]!;
  return x * y + y * z + z * x;
}
