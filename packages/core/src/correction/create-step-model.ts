/**
 * A step of C17 before the surface is looked at again: V is nearly linear in λ.
 *
 *   minimise E(λ) over −Λ⁻ ≤ λ ≤ Λ⁺ with r̂(λ) = r + W J (λ − λ₀) in place of r          (amount-energy.ts)
 *
 * Projected Newton (Bertsekas 1982), O(K³) per round: regions at a ceiling that want beyond it stay there, the others take the step of
 * create-region-system.ts, clipped to the ceilings. A step that pushes regions beyond the bounds that they stand at (at λ = 0 all do) is taken again
 * with those in the system; else it ends where the first bound is met, or is halved until E falls. The problem is convex: whatever the way,
 * the end is the same.
 * Where nothing is paid and no region meets its ceiling the first round is Newton's step.
 */
import { type AmountState, asks, measureEnergy, measureSlope } from './amount-energy.js';
import type { RegionCells, RegionSystem } from './create-region-system.js';

export interface StepModel {
  /** Improves on `from` into `delta`, the step from there, and returns the energy that the model promises; above `energy`: there is no step. */
  refine(delta: Float64Array, from: Float64Array, energy: number, jacobian: Float64Array): number;
}

/** Most rounds: about as many as regions that meet their ceiling in one step. */
export const MODEL_ROUNDS = 32;
/** Halvings of a round's step. */
export const MODEL_HALVINGS = 10;
/** A round that gains less of what all rounds have gained is the last: the surface is not linear. */
export const MODEL_ENOUGH = 1e-6;
/** A region that has this share of the error that it may have stands at its bound. */
const AT_BOUND = 1 - 1e-9;
/** A share of the energy that is as good as nothing. */
const NOTHING = 1e-8;

export function createStepModel(
  block: Uint32Array,
  reach: RegionCells,
  system: RegionSystem,
  state: AmountState,
  free: Float64Array,
  active: Int8Array,
): StepModel {
  const { residual, scales, outward, inward, bounds, penalties } = state;
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

  /** r̂ at place + length · step, clipped; returns its energy. */
  function look(length: number, jacobian: Float64Array): number {
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      trial[s] = Math.min(Math.max(place[s]! + length * step[s]!, -inward[s]!), outward[s]!);
      moved[i] = trial[s]! - start[s]!;
    }
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      let change = 0;
      for (let c = starts[i]!; c < starts[i + 1]!; c++) change += jacobian[cells[c]!]! * moved[columns[c]!]!;
      tried[s] = residual[s]! + change / scales[s]!;
    }
    return measureEnergy(state, block, tried, trial);
  }

  /** Regions at a ceiling that want beyond it, against the price there, take no part in the next round. */
  function choose(jacobian: Float64Array): void {
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      free[s] = 1;
      const isOut = place[s]! >= outward[s]!;
      if (!isOut && place[s]! > -inward[s]!) continue;
      let pull = -measureSlope(state, s, place[s]!); // −½ ∂E/∂λ_s
      for (let j = 0; j < n; j++) {
        const r = block[j]!;
        const worse = Math.max(0, Math.abs(modelled[r]!) - bounds[r]!);
        const error = asks(state, r) * modelled[r]! + penalties[r]! * worse * Math.sign(modelled[r]!);
        pull -= (jacobian[r * K + s]! / scales[r]!) * error;
      }
      free[s] = isOut === pull > 0 ? 0 : 1;
    }
  }

  /** Bounds that the model is beyond. */
  function bound(): void {
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      active[s] = Math.abs(modelled[s]!) > bounds[s]! ? Math.sign(modelled[s]!) : 0;
    }
  }

  /** Adds the bounds that regions stand at and the step goes beyond; true where there are any that were not in the system. */
  function boundMore(): boolean {
    let hasChanged = false;
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      const isThere = Math.abs(modelled[s]!) >= AT_BOUND * bounds[s]!;
      if (active[s] !== 0 || !isThere || !(Math.abs(tried[s]!) > bounds[s]!)) continue;
      active[s] = Math.sign(tried[s]!);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Share of the step after which the first further bound is met. */
  function measureWay(): number {
    let least = 1;
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      const limit = Math.sign(tried[s]!) * bounds[s]!;
      if (active[s] !== 0 || !(Math.abs(tried[s]!) > bounds[s]!)) continue;
      const way = (limit - modelled[s]!) / (tried[s]! - modelled[s]!);
      if (way > 0) least = Math.min(least, way);
    }
    return least;
  }

  return {
    refine(delta, from, energy, jacobian) {
      for (let i = 0; i < n; i++) {
        const s = block[i]!;
        start[s] = place[s] = from[s]!;
        modelled[s] = residual[s]!;
      }
      let best = energy;
      bound();
      for (let round = 0; round < MODEL_ROUNDS; round++) {
        choose(jacobian);
        if (!system.solve(step, modelled, place, jacobian)) break;
        let found = look(1, jacobian);
        if (!(found < best) && boundMore()) continue;
        if (!(found < best)) found = look(measureWay(), jacobian);
        for (let h = 1; h <= MODEL_HALVINGS && !(found < best); h++) found = look(0.5 ** h, jacobian);
        if (!(found < best)) break;
        const gain = best - found;
        best = found;
        for (let i = 0; i < n; i++) {
          place[block[i]!] = trial[block[i]!]!;
          modelled[block[i]!] = tried[block[i]!]!;
        }
        bound();
        if (best <= NOTHING * energy || gain <= MODEL_ENOUGH * (energy - best)) break;
      }
      for (let i = 0; i < n; i++) delta[block[i]!] = place[block[i]!]! - from[block[i]!]!;
      return best;
    },
  };
}
