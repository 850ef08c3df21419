/**
 * I1. Decreasing potential with compact support over the distance x = d − ε to a skeleton, iso-value c = 1.
 *
 *   f(x) = 1 + k(e − x) [+ k(e − x)²/2e, quadratic]          x ≤ e: the elasticity, −f′(e) = k
 *   f(x) = (R − x)/(R − e)                                   e < x < R, linear falloff
 *   f(x) = (1 − u)²(1 + u/2), u = (x − e)/(R − e)            e < x < R, smooth falloff
 *   f(x) = 0                                                 x ≥ R
 *
 * The two sides are independent: where primitives blend every f_i ≤ 1 on the surface, so that k does not change a shape. A
 * slope that differs at e makes a kink inside the flesh, never on its surface.
 *
 * Based on: Desbrun, Gascuel, "Animating soft substances with implicit surfaces" (1995), and Gascuel (1993), eq. 2.
 */
export const QUADRATIC = 1;
export const SMOOTH = 2;

/** f(x) for thickness e, w = R − e, stiffness k and `bits` of QUADRATIC and SMOOTH. */
export function evaluateDepthPotential(x: number, e: number, w: number, k: number, bits: number): number {
  const y = e - x;
  if (y >= 0) return 1 + k * y * (bits & QUADRATIC ? 1 + (0.5 * y) / e : 1);
  const u = -y / w;
  if (u >= 1) return 0;
  return bits & SMOOTH ? (1 - u) * (1 - u) * (1 + 0.5 * u) : 1 - u;
}

/** f′(x). */
export function evaluateDepthSlope(x: number, e: number, w: number, k: number, bits: number): number {
  const y = e - x;
  if (y >= 0) return -k * (bits & QUADRATIC ? 1 + y / e : 1);
  const u = -y / w;
  if (u >= 1) return 0;
  return bits & SMOOTH ? (-1.5 * (1 - u) * (1 + u)) / w : -1 / w;
}
