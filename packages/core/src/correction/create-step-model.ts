/**
 * A step of C15 before the surface is looked at again: V is nearly linear in λ.
 *
 *   minimise over −Λ⁻ ≤ λ ≤ Λ⁺   Σ r̂² + weight · T̂²,   r̂(λ) = r + W J (λ − λ₀)
 *
 * Projected Newton (Bertsekas 1982), O(K³) per round: regions at a ceiling that want beyond it (by their reduced gradient g_s + (ν + weight T̂) c_s)
 * stay there, the others take the step of create-region-system.ts, clipped to the ceilings and halved until the merit falls. The
 * problem is convex: whatever the way, the end is the same. Where no region meets its ceiling the first round is Newton's step.
 */
import type { RegionCells, RegionSystem } from './create-region-system.js';

export interface StepModel {
  /** Improves on `from` into `delta`, the step from there, and returns the merit that the model promises; above `merit`: there is no step. */
  refine(delta: Float64Array, from: Float64Array, merit: number, jacobian: Float64Array): number;
}

export interface StepModelInput {
  readonly block: Uint32Array;
  readonly reach: RegionCells;
  readonly system: RegionSystem;
  /** Of all regions: r and w of the surface last evaluated, ceilings, and which of them take part (1) or stay (0). */
  readonly residual: Float64Array;
  readonly scales: Float64Array;
  readonly outward: Float64Array;
  readonly inward: Float64Array;
  readonly free: Float64Array;
  readonly totalWeight: number;
  readonly leastGain: number;
}

/** Most rounds: about as many as regions that meet their ceiling in one step. */
export const MODEL_ROUNDS = 12;
/** Halvings of a round's step. */
export const MODEL_HALVINGS = 10;
/** Distance from a ceiling, as a share of it, at which a region that wants beyond it is put there: a step that crawls to it would hold all others up. */
export const MODEL_NEAR = 1e-3;
/** A share of the merit that is as good as nothing: the surface is not linear. */
const ENOUGH = 1e-8;

export function createStepModel(input: StepModelInput): StepModel {
  const { block, reach, system, residual, scales, outward, inward, free, totalWeight, leastGain } = input;
  const K = scales.length;
  const n = block.length;
  const { cells, columns, starts } = reach;
  const moved = new Float64Array(n); // trial − start
  const start = new Float64Array(K);
  const place = new Float64Array(K);
  const trial = new Float64Array(K);
  const modelled = new Float64Array(K);
  const tried = new Float64Array(K);
  const step = new Float64Array(K);
  const found = new Float64Array(1);

  /** r̂ at place + length · step, clipped, and its merit into `found[0]`: numbers that are returned are boxed. */
  function look(length: number, jacobian: Float64Array): void {
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      trial[s] = Math.min(Math.max(place[s]! + length * step[s]!, -inward[s]!), outward[s]!);
      moved[i] = trial[s]! - start[s]!;
    }
    let sum = 0;
    let missing = 0;
    let whole = 0;
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      let change = 0;
      for (let c = starts[i]!; c < starts[i + 1]!; c++) change += jacobian[cells[c]!]! * moved[columns[c]!]!;
      tried[s] = residual[s]! + change / scales[s]!;
      sum += tried[s]! ** 2;
      missing += tried[s]! * scales[s]!;
      whole += scales[s]!;
    }
    const total = whole > 0 ? missing / whole : 0;
    found[0] = sum + totalWeight * total * total;
  }

  /** Puts regions that want beyond their ceilings there, to stay; true where that has changed. While the total is off it alone decides. */
  function choose(jacobian: Float64Array, multiplier: number): boolean {
    let hasChanged = false;
    let whole = 0;
    let missing = 0;
    for (let i = 0; i < n; i++) {
      whole += scales[block[i]!]!;
      missing += modelled[block[i]!]! * scales[block[i]!]!;
    }
    const price = (multiplier + (totalWeight * missing) / whole) / whole;
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      const isOut = place[s]! >= (1 - MODEL_NEAR) * outward[s]!;
      const isIn = place[s]! <= (MODEL_NEAR - 1) * inward[s]!;
      let pull = 0; // −(g_s + (ν + weight T̂) c_s)
      if (isOut || isIn) {
        for (let j = 0; j < n; j++) {
          const r = block[j]!;
          pull -= jacobian[r * K + s]! * (modelled[r]! / scales[r]! + price);
        }
      }
      const next = (isOut && pull >= 0) || (isIn && pull <= 0) ? 0 : 1;
      hasChanged ||= next !== free[s];
      free[s] = next;
      step[s] = next === 1 ? 0 : (isOut ? outward[s]! : -inward[s]!) - place[s]!;
    }
    return hasChanged;
  }

  /** The last trial becomes the place. */
  function take(): void {
    for (let i = 0; i < n; i++) {
      place[block[i]!] = trial[block[i]!]!;
      modelled[block[i]!] = tried[block[i]!]!;
    }
  }

  return {
    refine(delta, from, merit, jacobian) {
      for (let i = 0; i < n; i++) {
        const s = block[i]!;
        start[s] = place[s] = from[s]!;
        modelled[s] = residual[s]!;
        free[s] = place[s]! >= outward[s]! || place[s]! <= -inward[s]! ? 0 : 1;
      }
      let best = merit;
      for (let round = 0; round < MODEL_ROUNDS; round++) {
        if (!system.solve(step, modelled, scales, jacobian)) break;
        let length = 1;
        look(length, jacobian);
        for (let h = 0; h < MODEL_HALVINGS && !(found[0]! <= (1 - leastGain * length) * best); h++) {
          length *= 0.5;
          look(length, jacobian);
        }
        const gain = best - found[0]!;
        if (gain > 0) {
          take();
          best = found[0]!;
        }
        if (best <= ENOUGH * merit) break;
        if (!choose(jacobian, system.multiplier) && !(gain > ENOUGH * best)) break;
        look(1, jacobian);
        take();
        best = found[0]!;
      }
      for (let i = 0; i < n; i++) delta[block[i]!] = place[block[i]!]! - from[block[i]!]!;
      return best;
    },
  };
}
