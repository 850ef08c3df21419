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
  const dot = (i: number, j: number) =>
    b[at + i]! * b[at + j]! + b[at + i + 1]! * b[at + j + 1]! + b[at + i + 2]! * b[at + j + 2]!;
  const along = (i: number) => b[at + i]! * ux + b[at + i + 1]! * uy + b[at + i + 2]! * uz;
  const [d0, d1, d2] = [dot(0, 0), dot(3, 3), dot(6, 6)];
  const damping = (DAMPING * DAMPING * (d0 + d1 + d2)) / 3;
  const [a00, a11, a22] = [d0 + damping, d1 + damping, d2 + damping];
  const [a01, a02, a12] = [dot(0, 3), dot(0, 6), dot(3, 6)];
  const [r0, r1, r2] = [along(0), along(3), along(6)];
  const c00 = a11 * a22 - a12 * a12;
  const c01 = a02 * a12 - a01 * a22;
  const c02 = a01 * a12 - a02 * a11;
  const det = a00 * c00 + a01 * c01 + a02 * c02;
  const inverse = det > 0 ? 1 / det : 0; // joints scaled to nothing: no correction can be seen
  out[to] = (c00 * r0 + c01 * r1 + c02 * r2) * inverse;
  out[to + 1] = (c01 * r0 + (a00 * a22 - a02 * a02) * r1 + (a01 * a02 - a00 * a12) * r2) * inverse;
  out[to + 2] = (c02 * r0 + (a01 * a02 - a00 * a12) * r1 + (a00 * a11 - a01 * a01) * r2) * inverse;
}
