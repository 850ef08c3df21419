/**
 * I1. Decreasing potential with compact support over the scaled distance s = d/e, for the iso-value c = 1.
 *
 *   f(s) = 1 + k(1 − s)                                      inside, s ≤ 1 (linear)
 *   f(s) = 1 − 3u² + 2u³ − k w (u − 2u² + u³)                1 < s < ρ, w = ρ − 1, u = (s − 1)/w
 *   f(s) = 0                                                 s ≥ ρ
 *
 * C¹ for s > 0; f(1) = 1, f′(1) = −k, decreasing as long as k w ≤ 3.
 */
export function evaluatePotential(s: number, reach: number, stiffness: number): number {
  if (s <= 1) return 1 + stiffness * (1 - s);
  if (s >= reach) return 0;
  const w = reach - 1;
  const u = (s - 1) / w;
  return (1 - u) ** 2 * (1 + (2 - stiffness * w) * u);
}

/** df/ds. */
export function evaluatePotentialSlope(s: number, reach: number, stiffness: number): number {
  if (s <= 1) return -stiffness;
  if (s >= reach) return 0;
  const w = reach - 1;
  const u = (s - 1) / w;
  const b = 2 - stiffness * w;
  return ((1 - u) * (b * (1 - 3 * u) - 2)) / w;
}

export const DEFAULT_REACH = 1.5;

export function defaultStiffness(reach: number): number {
  return 1.5 / (reach - 1);
}
