/**
 * Drops triangles that have two corners on one vertex, and all but the first of equal oriented triangles (the same corners
 * in the same cyclic order). A triangle and its reverse, as in a two-sided leaf, are both kept. O(#T).
 */
export interface CleanTriangles {
  readonly triangles: Uint32Array;
  readonly degenerate: number;
  readonly duplicate: number;
}

/** Slots beside a triangle's own that are tried. */
const NEAR = 5;

export function cleanTriangles(source: Uint32Array): CleanTriangles {
  const triangles = new Uint32Array(source.length);
  let size = 16;
  while (size < source.length / 1.5) size *= 2;
  const slots = new Int32Array(size).fill(-1);
  let kept = 0;
  let degenerate = 0;
  let duplicate = 0;
  for (let t = 0; t < source.length; t += 3) {
    const a = source[t]!;
    const b = source[t + 1]!;
    const c = source[t + 2]!;
    if (a === b || b === c || c === a) {
      degenerate++;
      continue;
    }
    // Rotated so that the smallest corner leads, equal triangles have equal keys.
    const i = Math.min(a, b, c);
    const j = i === a ? b : i === b ? c : a;
    const k = i === a ? c : i === b ? a : b;
    // Beside those of the vertices before it, in memory that is at hand; the many of a great fan go anywhere.
    let slot = (4 * i + (j & 3)) & (size - 1);
    for (let tries = 1; slots[slot]! >= 0 && !isSame(triangles, slots[slot]!, i, j, k); tries++)
      slot = (tries < NEAR ? slot + 1 : hashTriangle(i, j, k) + Math.imul(tries, 0x9e3779b1)) & (size - 1);
    if (slots[slot]! >= 0) {
      duplicate++;
      continue;
    }
    slots[slot] = kept;
    triangles[kept++] = a;
    triangles[kept++] = b;
    triangles[kept++] = c;
  }
  return { triangles: triangles.slice(0, kept), degenerate, duplicate };
}

function isSame(triangles: Uint32Array, at: number, i: number, j: number, k: number): boolean {
  const a = triangles[at]!;
  const b = triangles[at + 1]!;
  const c = triangles[at + 2]!;
  return (a === i && b === j && c === k) || (b === i && c === j && a === k) || (c === i && a === j && b === k);
}

function hashTriangle(i: number, j: number, k: number): number {
  let h = Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
