/**
 * The correction carried back through the blended transform: the δ with B δ ≈ u, least squares with damping.
 *
 *   δ = (BᵀB + ε² s² I)⁻¹ Bᵀ u,   s² = ‖B‖²_F / 3
 *
 * Where B is a rotation with scale the damping costs ε² of u; where B is nearly singular (a limb twisted by 180°) it keeps δ
 * below |u| / (2 ε s), and what is not reached is the caller's to measure. B column-major 3×3 at 9·u.
 */
const DAMPING = 0.01;

export function solveBlend(
  out: Float64Array | Float32Array,
  to: number,
  b: Float64Array,
  at: number,
  ux: number,
  uy: number,
  uz: number,
): void {
  const b0 = b[at]!;
  const b1 = b[at + 1]!;
  const b2 = b[at + 2]!;
  const b3 = b[at + 3]!;
  const b4 = b[at + 4]!;
  const b5 = b[at + 5]!;
  const b6 = b[at + 6]!;
  const b7 = b[at + 7]!;
  const b8 = b[at + 8]!;
  let a00 = b0 * b0 + b1 * b1 + b2 * b2;
  let a11 = b3 * b3 + b4 * b4 + b5 * b5;
  let a22 = b6 * b6 + b7 * b7 + b8 * b8;
  const damping = (DAMPING * DAMPING * (a00 + a11 + a22)) / 3;
  a00 += damping;
  a11 += damping;
  a22 += damping;
  const a01 = b0 * b3 + b1 * b4 + b2 * b5;
  const a02 = b0 * b6 + b1 * b7 + b2 * b8;
  const a12 = b3 * b6 + b4 * b7 + b5 * b8;
  const r0 = b0 * ux + b1 * uy + b2 * uz;
  const r1 = b3 * ux + b4 * uy + b5 * uz;
  const r2 = b6 * ux + b7 * uy + b8 * uz;
  const c00 = a11 * a22 - a12 * a12;
  const c01 = a02 * a12 - a01 * a22;
  const c02 = a01 * a12 - a02 * a11;
  const det = a00 * c00 + a01 * c01 + a02 * c02;
  const inverse = det > 0 ? 1 / det : 0; // joints scaled to nothing: no correction can be seen
  out[to] = (c00 * r0 + c01 * r1 + c02 * r2) * inverse;
  out[to + 1] = (c01 * r0 + (a00 * a22 - a02 * a02) * r1 + (a01 * a02 - a00 * a12) * r2) * inverse;
  out[to + 2] = (c02 * r0 + (a01 * a02 - a00 * a12) * r1 + (a00 * a11 - a01 * a01) * r2) * inverse;
}
