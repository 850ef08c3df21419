/** The textbook damped oscillator, written down independently of the code that it judges. */

/** e(t) of e″ + 2ζω e′ + ω² e = AΩ² sin(Ωt + φ) from rest, ζ < 1: what hangs on x = A sin(Ωt + φ) lags by. */
export function shaken(t: number, f: number, zeta: number, shake: { A: number; F: number; phase?: number }): number {
  const [w, W, phi] = [2 * Math.PI * f, 2 * Math.PI * shake.F, shake.phase ?? 0];
  const { gain, shift } = answer(f, zeta, shake);
  const steady = (s: number) => gain * Math.sin(W * s + phi + shift);
  const steadyRate = (s: number) => gain * W * Math.cos(W * s + phi + shift);
  return steady(t) + free(t, w, zeta, -steady(0), -steadyRate(0));
}

/** The same after it has been shaken for ever. */
export function steady(t: number, f: number, zeta: number, shake: { A: number; F: number; phase?: number }): number {
  const { gain, shift } = answer(f, zeta, shake);
  return gain * Math.sin(2 * Math.PI * shake.F * t + (shake.phase ?? 0) + shift);
}

/** Free swing from (e, e′), ζ < 1. */
export function free(t: number, w: number, zeta: number, e: number, rate: number): number {
  const wd = w * Math.sqrt(1 - zeta ** 2);
  return Math.exp(-zeta * w * t) * (e * Math.cos(wd * t) + ((rate + zeta * w * e) / wd) * Math.sin(wd * t));
}

function answer(f: number, zeta: number, { A, F }: { A: number; F: number }) {
  const [w, W] = [2 * Math.PI * f, 2 * Math.PI * F];
  const gain = (A * W * W) / Math.hypot(w * w - W * W, 2 * zeta * w * W);
  return { gain, shift: -Math.atan2(2 * zeta * w * W, w * w - W * W) };
}
