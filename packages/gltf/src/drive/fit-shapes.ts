/**
 * P1. Polynomials for the weights of all shapes that are drawn, from lessons: poses and what was drawn in them.
 *
 * Shapes one after the other, the others held: terms first, then SWEEPS rounds of coefficients.
 */
import { fitTerms, refitTerms } from './fit-terms.js';
import type { DrivingNodes } from './list-driving-nodes.js';

/** How many poses are taught, kept aside to choose the number of terms, and judged. */
export const POSES = { taught: 1200, aside: 300, judged: 250 };
const SWEEPS = 4;
/** Share of its ceiling from which on an amount counts as being there. */
const NEAR = 0.999;

export interface Lessons {
  readonly count: number;
  /** Place in u → its value at every pose. */
  readonly variables: readonly Float64Array[];
  /** Largest angle of every node, in radians. */
  readonly reaches: Float64Array;
  /** #poses × K. */
  readonly weights: Float64Array;
  /** L, K×K by rows: an error e of the weights counts as |L e|². */
  readonly metric: Float64Array;
  /** What a pose counts: less the more skinning alone or the solver leave. */
  readonly worth: Float64Array;
}

export interface ShapeFit {
  readonly terms: readonly (readonly number[])[];
  coefficients: Float64Array;
}

export function fitShapes(
  { count, variables, weights, metric, worth }: Lessons,
  ranges: readonly (readonly [number, number])[],
  driving: DrivingNodes,
  nodes: readonly number[],
  morphs: readonly number[],
  most: number,
): ShapeFit[] {
  const K = weights.length / count;
  const missing = weights.map((weight) => -weight); // ŵ − w
  const beyond = new Float64Array(weights.length); // what ŵ passes an end of its range by, where w is there: no error
  const places = listPlacesOf(driving, nodes, morphs);
  const y = new Float64Array(count);
  const a = new Float64Array(count);
  const fits: ShapeFit[] = [];
  for (let sweep = 0; sweep <= SWEEPS; sweep++) {
    for (let t = 0; t < K; t++) {
      for (let n = 0; n < count; n++) {
        let square = 0;
        let others = 0;
        for (let s = 0; s < K; s++) {
          const slope = metric[s * K + t]!;
          if (slope === 0) continue;
          square += slope * slope;
          if (sweep === 0) continue;
          let error = 0;
          for (let r = 0; r < K; r++) if (r !== t) error += metric[s * K + r]! * missing[n * K + r]!;
          others += slope * error;
        }
        a[n] = worth[n]! * square;
        y[n] = weights[n * K + t]! + beyond[n * K + t]! - (square > 0 ? others / square : 0);
      }
      const own = places[t]!.map((place) => variables[place]!);
      if (sweep === 0) {
        const { terms, coefficients } = fitTerms(own, y, a, { terms: most, taught: POSES.taught });
        fits.push({ terms: terms.map((term) => term.map((i) => places[t]![i]!)), coefficients });
      } else {
        fits[t]!.coefficients = refitTerms(fits[t]!.terms, variables, y, a);
      }
      const { terms, coefficients } = fits[t]!;
      for (let n = 0; n < count; n++) {
        let sum = 0;
        for (let i = 0; i < terms.length; i++) {
          let product = coefficients[i]!;
          for (const place of terms[i]!) product *= variables[place]![n]!;
          sum += product;
        }
        const amount = weights[n * K + t]!;
        beyond[n * K + t] = measureBeyond(sum, amount, ranges[t]!);
        missing[n * K + t] = sum - beyond[n * K + t]! - amount;
      }
    }
  }
  return fits;
}

/** Places in u that every shape depends on. */
function listPlacesOf(driving: DrivingNodes, nodes: readonly number[], morphs: readonly number[]): number[][] {
  return driving.nodes.map((list, s) => [
    ...list.flatMap((node) => Array.from({ length: 9 }, (_, k) => 9 * nodes.indexOf(node) + k)),
    ...driving.morphs[s]!.map((m) => 9 * nodes.length + morphs.indexOf(m)),
  ]);
}

/** How far a value is beyond the ceiling that the amount is at; 0 inside, and where the amount is not at one. */
function measureBeyond(value: number, amount: number, [inward, outward]: readonly [number, number]): number {
  if (amount >= NEAR * outward) return Math.max(0, value - amount);
  return amount <= NEAR * inward ? Math.min(0, value - amount) : 0;
}
