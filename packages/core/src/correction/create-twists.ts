/** C16. The amounts of twisted joints (plan-twists.ts) for one pose, from its bones: the same numbers for every kernel set. Allocation-free. */
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { MeasureGiven } from './given-shapes.js';

/** σ never gets beyond, smoothly (134°): there a section is 2.6 times as wide before the skin; at 180° nothing before the skin can bring it back. */
export const MOST_TWIST = 0.85;
/** σ₁: a quarter turn is exact. */
export const QUARTER = 0.5;
/** σ that is rounding (0.1°): the rest pose stays as it is, to the bit. */
const STILL = 1e-6;

/** A joint that may twist: its bone, the one before it, and the bone's axis at rest with two directions across it, ×9. */
export interface Twist {
  readonly bone: number;
  readonly parent: number;
  readonly frame: readonly number[];
}

export interface TwistPlan {
  readonly twists: readonly Twist[];
  /** What amounts are multiplied by. */
  readonly strength: number;
}

export function createTwists({ twists, strength }: TwistPlan): MeasureGiven {
  return (out, at, bones, first = 0) => {
    for (let i = 0; i < twists.length; i++) {
      const sigma = limit(measureTwist(twists[i]!, bones, first), MOST_TWIST);
      const [half, whole] = [measureGap(0.5, sigma), measureGap(1, sigma)];
      out[at + 2 * i] = (strength * (half * LARGE.whole - LARGE.half * whole)) / DETERMINANT;
      out[at + 2 * i + 1] = (strength * LARGER * (SMALL.half * whole - SMALL.whole * half)) / DETERMINANT;
    }
  };
}

/** σ of a joint, from bone matrices #B×12. */
export function measureTwist({ bone, parent, frame }: Twist, bones: ArrayLike<number>, first = 0): number {
  let trace = 0;
  let straight = 0;
  for (let v = 0; v < 9; v += 3) {
    let [dot, p, q] = [0, 0, 0];
    for (let r = 0; r < 3; r++) {
      const a = BONE_STRIDE * (first + parent) + r;
      const b = BONE_STRIDE * (first + bone) + r;
      const x = bones[a]! * frame[v]! + bones[a + 3]! * frame[v + 1]! + bones[a + 6]! * frame[v + 2]!;
      const y = bones[b]! * frame[v]! + bones[b + 3]! * frame[v + 1]! + bones[b + 6]! * frame[v + 2]!;
      dot += x * y;
      p += x * x;
      q += y * y;
    }
    const cosine = p > 0 && q > 0 ? dot / Math.sqrt(p * q) : 1; // each by its own length: scaled joints are not turned
    trace += cosine;
    if (v === 0) straight = cosine;
  }
  // A bone that is turned back onto itself has no twist that could be told from its swing.
  return straight > STILL - 1 ? Math.max(0, 1 - STILL - (1 + trace) / (2 * (1 + straight))) : 0;
}

/** g: what a section has to be widened by. */
export function measureGap(c: number, sigma: number): number {
  return 1 / Math.sqrt(1 - c * sigma) - 1;
}

/** g of both shapes where c is ½ and 1, and the determinant of the four. */
const SMALL = { half: measureGap(0.5, QUARTER), whole: measureGap(1, QUARTER) };
const LARGE = { half: measureGap(0.5, MOST_TWIST), whole: measureGap(1, MOST_TWIST) };
/** The second shape is as large as the first, so that it can be seen which matter. */
export const LARGER = LARGE.whole / SMALL.whole;
const DETERMINANT = SMALL.half * LARGE.whole - LARGE.half * SMALL.whole;

/** x, smoothly inside ±most: as it is up to two thirds of it. */
export function limit(x: number, most: number): number {
  return most > 0 ? x / (1 + (x / most) ** 8) ** 0.125 : 0;
}
