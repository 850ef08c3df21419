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

/** Adds (x_b − x_a) × (x_c − x_a) of every triangle to its three corners: six times the gradient of the volume, along the normals. */
export function addNormals(out: Float64Array | Float32Array, x: ArrayLike<number>, triangles: Uint32Array): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const [ux, uy, uz] = [x[b]! - x[a]!, x[b + 1]! - x[a + 1]!, x[b + 2]! - x[a + 2]!];
    const [vx, vy, vz] = [x[c]! - x[a]!, x[c + 1]! - x[a + 1]!, x[c + 2]! - x[a + 2]!];
    for (const v of [a, b, c]) {
      out[v]! += uy * vz - uz * vy;
      out[v + 1]! += uz * vx - ux * vz;
      out[v + 2]! += ux * vy - uy * vx;
    }
  }
}
