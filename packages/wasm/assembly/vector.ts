/** Three-vectors in the first lanes of a v128; the fourth lane means nothing. */

/** a·b + c. */
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  else return f32x4.add(c, f32x4.mul(a, b));
}

/** (y, z, x, ·). */
export function turn(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 2, 0, 3);
}

/** x + y + z of four vectors. */
export function sum3x4(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const z = v128.shuffle<f32>(v128.shuffle<f32>(a, b, 2, 6, 3, 7), v128.shuffle<f32>(c, d, 2, 6, 3, 7), 0, 1, 4, 5);
  return f32x4.add(f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7)), z);
}

/** x + y + z, in all of the first three lanes. */
export function sum3(a: v128): v128 {
  return f32x4.add(f32x4.add(a, turn(a)), v128.shuffle<f32>(a, a, 2, 0, 1, 3));
}

/**
 * Six times a_k (B2): the area vector, doubled, of a closed polygon of `bytes`/4 + 2 points, seen as quadrilaterals around
 * its first point: Σ (r₂−r₀)×(r₃−r₁). A valence of six costs six loads and two cross products.
 */
export function measurePolygon(ring: usize, bytes: u32, base: usize): v128 {
  const first = v128.load(base + load<usize>(ring));
  let last = v128.load(base + load<usize>(ring, 4));
  let sum = f32x4.splat(0);
  const end = ring + <usize>bytes;
  while (ring < end) {
    const b = v128.load(base + load<usize>(ring, 8));
    const c = v128.load(base + load<usize>(ring, 12));
    const u = f32x4.sub(b, first);
    const v = f32x4.sub(c, last);
    sum = f32x4.add(sum, f32x4.sub(f32x4.mul(u, turn(v)), f32x4.mul(turn(u), v)));
    last = c;
    ring += 8;
  }
  return turn(sum);
}

/** A few vectors of zero: a call of memory.fill would cost more. */
export function clearVectors(at: usize, count: usize): void {
  for (const end = at + count * 16; at < end; at += 16) v128.store(at, f32x4.splat(0));
}
