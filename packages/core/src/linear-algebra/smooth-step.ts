/** 0 up to u = 0, 1 from u = 1 on, u²(3 − 2u) between. */
export function smoothStep(u: number): number {
  const q = u < 0 ? 0 : u > 1 ? 1 : u;
  return q * q * (3 - 2 * q);
}
