/**
 * G1. The free damped spring over a time h, exactly, for any h ≥ 0:
 *
 *   e″ + 2ζω e′ + ω² e = 0   ⇒   (e, e′)(h) = M (e, e′)(0),   M = | E(C + αS)   E S       |
 *                                                                 | −ω² E S     E(C − αS) |
 *   α = ζω,  E = exp(−αh)
 *   ζ < 1   C = cos βh,   S = sin(βh)/β,   β = ω√(1 − ζ²)
 *   ζ = 1   C = 1,        S = h
 *   ζ > 1   C = cosh βh,  S = sinh(βh)/β,  β = ω√(ζ² − 1), with E taken into the exponentials, so that nothing overflows
 *
 * ω  angular frequency 2πf;  ζ  damping ratio. The energy ½e′² + ½ω²e² never grows (its rate is −2ζω e′²).
 *
 * @param out M by rows, 4 numbers
 */
export function measureSpringStep(out: Float64Array, omega: number, zeta: number, h: number): void {
  const alpha = zeta * omega;
  const beta = omega * Math.sqrt(Math.abs(1 - zeta * zeta));
  let c: number; // E C
  let s: number; // E S
  if (zeta > 1) {
    const slow = Math.exp((-omega * omega * h) / (alpha + beta)); // e^(−(α − β)h), without the cancellation of α − β
    const fast = slow * Math.exp(-2 * beta * h);
    c = 0.5 * (slow + fast);
    s = beta * h > 0 ? (-slow * Math.expm1(-2 * beta * h)) / (2 * beta) : slow * h;
  } else {
    const decay = Math.exp(-alpha * h);
    c = decay * Math.cos(beta * h);
    s = decay * (beta * h > 0 ? Math.sin(beta * h) / beta : h);
  }
  out[0] = c + alpha * s;
  out[1] = s;
  out[2] = -omega * omega * s;
  out[3] = c - alpha * s;
}
