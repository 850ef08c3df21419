/**
 * Preconditioned conjugate gradients for A x = b, A symmetric positive definite.
 *
 *   r = b − A x,  z = M⁻¹ r,  p ← z + (rᵀz / r₋ᵀz₋) p,  x ← x + (rᵀz / pᵀA p) p     until |r| ≤ tolerance · |b|
 *
 * `out` holds the first guess and receives the answer. Returns the number of steps; allocation-free.
 *
 * Based on: Hestenes, Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
 */
export type LinearMap = (out: Float64Array, x: Float64Array) => void;

export interface PcgScratch {
  readonly residual: Float64Array;
  readonly preconditioned: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
}

export function createPcgScratch(size: number): PcgScratch {
  return {
    residual: new Float64Array(size),
    preconditioned: new Float64Array(size),
    direction: new Float64Array(size),
    product: new Float64Array(size),
  };
}

/** @param precondition z = M⁻¹ r: a Cholesky factor of a similar matrix, or r / diagonal. */
export function solvePcg(
  out: Float64Array,
  multiply: LinearMap,
  precondition: LinearMap,
  b: Float64Array,
  scratch: PcgScratch,
  tolerance: number,
  maxSteps: number,
): number {
  const { residual: r, preconditioned: z, direction: p, product: q } = scratch;
  const size = r.length;
  multiply(q, out);
  for (let i = 0; i < size; i++) r[i] = b[i]! - q[i]!;
  const enough = tolerance * tolerance * dot(b, b, size);
  let rz = 0;
  for (let step = 0; step < maxSteps; step++) {
    if (dot(r, r, size) <= enough) return step;
    precondition(z, r);
    const next = dot(r, z, size);
    const beta = step === 0 ? 0 : next / rz;
    rz = next;
    for (let i = 0; i < size; i++) p[i] = z[i]! + beta * p[i]!;
    multiply(q, p);
    const curvature = dot(p, q, size);
    if (!(curvature > 0)) return step; // rounding has eaten the direction: nothing more to gain
    const alpha = rz / curvature;
    for (let i = 0; i < size; i++) {
      out[i]! += alpha * p[i]!;
      r[i]! -= alpha * q[i]!;
    }
  }
  return maxSteps;
}

function dot(a: Float64Array, b: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += a[i]! * b[i]!;
  return sum;
}
