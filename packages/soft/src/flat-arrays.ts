/** Small tools on numbers in flat arrays. */

/** The same numbers with room for as many again. */
export function growArray<A extends Float64Array | Int32Array | Uint32Array>(old: A): A {
  const more = new (old.constructor as new (length: number) => A)(2 * old.length);
  more.set(old);
  return more;
}

/** Number of a cell of a grid, for hashing: take as many of its lower bits as the table has. */
export function hashCell(i: number, j: number, k: number): number {
  return Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791);
}

/** A power of two, at least twice the count. */
export function countBuckets(count: number): number {
  return 2 ** Math.max(4, Math.ceil(Math.log2(2 * count)));
}

/** out = (p_b − p_a) × (q_c − q_a). */
export function writeCross(out: Float64Array, p: Float64Array, q: Float64Array, a: number, b: number, c: number): void {
  for (let x = 0; x < 3; x++) {
    const [y, z] = [(x + 1) % 3, (x + 2) % 3];
    out[x] = (p[b + y]! - p[a + y]!) * (q[c + z]! - q[a + z]!) - (p[b + z]! - p[a + z]!) * (q[c + y]! - q[a + y]!);
  }
}
