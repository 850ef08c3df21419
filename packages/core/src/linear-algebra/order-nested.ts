import type { Csr } from '../mesh/surface.js';

/** Parts of at most this many vertices are not cut further. */
const LEAF_SIZE = 24;

/**
 * Nested dissection: an order of elimination with little fill. A part is cut at the median of one number per vertex, the
 * lower half's neighbours of the upper half become the separator and come last; both halves are cut again.
 *
 * The number is the coordinate along the longest side of the part's box or, without coordinates, the breadth-first distance
 * from a vertex at the rim of the part.
 *
 * @param graph neighbours of every vertex, both ways
 * @param coordinates #×3
 * @returns order[n] = vertex eliminated as number n. O(# log² #)
 *
 * Based on: George, "Nested dissection of a regular finite element mesh", 1973.
 */
export function orderNested(graph: Csr, coordinates?: ArrayLike<number>): Uint32Array {
  const size = graph.offsets.length - 1;
  const order = Uint32Array.from({ length: size }, (_, v) => v);
  const keys = new Float64Array(size);
  const part = new Int32Array(size).fill(-1);
  const scratch = new Uint32Array(size);
  let nextMark = 0;

  // Stack of ranges of `order` that are still to be cut.
  const ranges = [0, size];
  while (ranges.length > 0) {
    const end = ranges.pop()!;
    const start = ranges.pop()!;
    if (end - start <= LEAF_SIZE) continue;
    const range = order.subarray(start, end);
    if (coordinates) keyByCoordinate(keys, range, coordinates);
    else keyByDistance(keys, range, graph, part, nextMark++, scratch);
    range.sort((a, b) => keys[a]! - keys[b]!);
    const middle = range.length >> 1;
    const upper = nextMark++;
    for (let n = middle; n < range.length; n++) part[range[n]!] = upper;
    // Lower half first, then the upper half, then the separator.
    let low = 0;
    let separator = 0;
    for (let n = 0; n < middle; n++) {
      const v = range[n]!;
      if (touches(graph, v, part, upper)) scratch[separator++] = v;
      else range[low++] = v;
    }
    range.copyWithin(low, middle);
    const top = low + range.length - middle;
    range.set(scratch.subarray(0, separator), top);
    ranges.push(start, start + low, start + low, start + top);
  }
  return order;
}

function touches({ offsets, values }: Csr, v: number, part: Int32Array, mark: number): boolean {
  for (let n = offsets[v]!; n < offsets[v + 1]!; n++) if (part[values[n]!] === mark) return true;
  return false;
}

function keyByCoordinate(keys: Float64Array, range: Uint32Array, coordinates: ArrayLike<number>): void {
  let axis = 0;
  let longest = -1;
  for (let a = 0; a < 3; a++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const v of range) {
      const x = coordinates[3 * v + a]!;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (high - low > longest) {
      longest = high - low;
      axis = a;
    }
  }
  for (const v of range) keys[v] = coordinates[3 * v + axis]!;
}

/** Breadth first from the vertex that a first search reached last. */
function keyByDistance(
  keys: Float64Array,
  range: Uint32Array,
  { offsets, values }: Csr,
  part: Int32Array,
  mark: number,
  queue: Uint32Array,
): void {
  for (const v of range) part[v] = mark;
  let first = range[0]!;
  for (let pass = 0; pass < 2; pass++) {
    for (const v of range) keys[v] = -1;
    let tail = 0;
    let next = 0; // where to look for a vertex of another piece
    for (let head = 0; head < range.length; head++) {
      if (head === tail) {
        if (head > 0) while (keys[range[next]!]! >= 0) next++;
        const seed = head === 0 ? first : range[next]!;
        keys[seed] = head;
        queue[tail++] = seed;
      }
      const v = queue[head]!;
      for (let n = offsets[v]!; n < offsets[v + 1]!; n++) {
        const w = values[n]!;
        if (part[w] !== mark || keys[w]! >= 0) continue;
        keys[w] = tail;
        queue[tail++] = w;
      }
    }
    first = queue[tail - 1]!;
  }
}
