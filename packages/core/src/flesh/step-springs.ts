/**
 * G1. One step of springs that are dragged along by a moving target, exactly, while the target follows a polynomial.
 *
 *   p″ = −ω²(p − x) − 2ζω(p′ − x′),  e = p − x   ⇒   e″ + 2ζω e′ + ω² e = −x″
 *   x(τ) = x₀ + f₁τ + f₂τ(τ − t₁) + f₃τ(τ − t₁)(τ − t₂)   through up to four known places of the target (Newton),
 *   x″ = a + jτ   ⇒   e = y + e*,   e* = −(a + jτ)/ω² + 2ζj/ω³,   y free (`measureSpringStep`)
 *
 * x  target;  p  what hangs on it;  e  its lag (`lag`);  e′ (`rate`). Between steps p′ is continuous: where the slope of the
 * polynomials differs, the rate takes the difference. The only error is that of the polynomial, O(h⁴): the step itself is
 * stable for any length. A spring follows the whole target or a part of it; several may follow the same. O(springs · width), nothing is allocated.
 */
import { measureSpringStep } from './measure-spring-step.js';

export interface Spring {
  /** Hz. */
  readonly frequency: number;
  /** ζ, 1 = critical. */
  readonly damping: number;
  /** Which numbers of the target hang on it: the first, and how many. Default: all. */
  readonly from?: number;
  readonly count?: number;
}

/** What the springs remember. */
export interface SpringState {
  /** e and e′, spring by spring. */
  readonly lag: Float64Array;
  readonly rate: Float64Array;
  /** x′ at the end of the last step, likewise. */
  readonly slope: Float64Array;
}

/** Known places of the target: at time 0, where the step begins, and at up to three other times, before or after. */
export interface SpringDrive {
  readonly places: Float64Array[];
  /** times[0] = 0, times[1] … times[order]; all different. */
  readonly times: Float64Array;
  /** Degree of the polynomial, 0 … 3; 0 for a target that stands still at no particular place. */
  order: number;
}

export function createSpringState(springs: readonly Spring[], width: number): SpringState {
  const lag = new Float64Array(springs.reduce((sum, { count = width }) => sum + count, 0));
  return { lag, rate: lag.slice(), slope: lag.slice() };
}

export function createSpringDrive(width: number): SpringDrive {
  return { places: new Array<Float64Array>(4).fill(new Float64Array(width)), times: new Float64Array(4), order: 0 };
}

const M = new Float64Array(4);

/**
 * @param out the state after `span` seconds; may be `from`
 * @param isRiding start with the rate as it is, whatever the slope was: after a start or a cut
 */
export function stepSprings(
  out: SpringState,
  from: SpringState,
  springs: readonly Spring[],
  { places, times, order }: SpringDrive,
  span: number,
  isRiding: boolean,
): void {
  const [x0, x1, x2, x3] = places as [Float64Array, Float64Array, Float64Array, Float64Array];
  const t1 = times[1]!;
  const t2 = times[2]!;
  const t3 = times[3]!;
  // Reciprocals of the divided differences.
  const d01 = order > 0 ? 1 / t1 : 0;
  const d12 = order > 1 ? 1 / (t2 - t1) : 0;
  const d02 = order > 1 ? 1 / t2 : 0;
  const d23 = order > 2 ? 1 / (t3 - t2) : 0;
  const d13 = order > 2 ? 1 / (t3 - t1) : 0;
  const d03 = order > 2 ? 1 / t3 : 0;
  let i = 0;
  for (let s = 0; s < springs.length; s++) {
    const { from: first = 0, count = x0.length } = springs[s]!;
    const omega = 2 * Math.PI * springs[s]!.frequency;
    const zeta = springs[s]!.damping;
    measureSpringStep(M, omega, zeta, span);
    const m00 = M[0]!;
    const m01 = M[1]!;
    const m10 = M[2]!;
    const m11 = M[3]!;
    const soft = 1 / (omega * omega);
    const drag = (2 * zeta * soft) / omega;
    for (let m = first; m < first + count; m++, i++) {
      let f1 = 0;
      let f2 = 0;
      let f3 = 0;
      if (order > 0) f1 = (x1[m]! - x0[m]!) * d01;
      if (order > 1) {
        const f12 = (x2[m]! - x1[m]!) * d12;
        f2 = (f12 - f1) * d02;
        if (order > 2) f3 = (((x3[m]! - x2[m]!) * d23 - f12) * d13 - f2) * d03;
      }
      const a = 2 * f2 - 2 * (t1 + t2) * f3;
      const jerk = 6 * f3;
      const start = -a * soft + drag * jerk; // e*(0)
      const drift = -jerk * soft; // e*′
      const rate = isRiding ? from.rate[i]! : from.rate[i]! + from.slope[i]! - (f1 - t1 * f2 + t1 * t2 * f3);
      const y = from.lag[i]! - start;
      const v = rate - drift;
      out.lag[i] = m00 * y + m01 * v + start + drift * span;
      out.rate[i] = m10 * y + m11 * v + drift;
      out.slope[i] = f1 + f2 * (2 * span - t1) + f3 * (span * (3 * span - 2 * (t1 + t2)) + t1 * t2);
    }
  }
}
