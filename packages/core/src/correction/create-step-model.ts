/**
 * A step of C15 before the surface is looked at again: V is nearly linear in λ, and λ(μ) is known.
 *
 *   minimise over μ   Σ r̂² + weight · T̂²,   r̂(μ) = r + W J (λ(μ) − λ₀)
 *
 * Levenberg–Marquardt with J as it was measured and a halving line search, O(K³) per round. Where no region is near its ceiling the first
 * round is Newton's step. Where some are pressed, a step along the tangent of λ(μ) promises what the ceiling does not give, and the
 * line search on the surface would shorten it again and again: 5–6 evaluations instead of 11–23.
 */
import type { RegionSystem } from './create-region-system.js';

export interface StepModel {
  /** Improves `delta` (the first round's step from `from`), and returns the merit that the model promises there. */
  refine(delta: Float64Array, from: Float64Array, merit: number, jacobian: Float64Array): number;
}

export interface StepModelInput {
  readonly block: Uint32Array;
  readonly system: RegionSystem;
  /** Of all regions: r, w and λ of the surface last evaluated. */
  readonly residual: Float64Array;
  readonly scales: Float64Array;
  readonly lambda: Float64Array;
  /** Sets λ and dλ/dμ of one region; put back in the end. */
  squash(region: number, mu: number): void;
  readonly totalWeight: number;
  readonly leastGain: number;
}

/** Most rounds. Two would need one evaluation more and pop nowhere (shapes.md), but WebGPU's f32 then ends elsewhere on two held models. */
export const MODEL_ROUNDS = 5;
/** Halvings of a round's step. */
export const MODEL_HALVINGS = 10;
/** A share of the merit that is as good as nothing: the surface is not linear. */
const ENOUGH = 1e-6;

export function createStepModel(input: StepModelInput): StepModel {
  const { block, system, residual, scales, lambda, squash, totalWeight, leastGain } = input;
  const K = lambda.length;
  const n = block.length;
  const start = new Float64Array(n);
  const place = new Float64Array(n);
  const modelled = new Float64Array(K);
  const step = new Float64Array(K);
  const found = new Float64Array(1);

  /** r̂ at place + length · step, and its merit into `found[0]`: numbers that are returned are boxed. */
  function look(length: number, jacobian: Float64Array): void {
    for (let i = 0; i < n; i++) squash(block[i]!, place[i]! + length * step[block[i]!]!);
    let sum = 0;
    let missing = 0;
    let whole = 0;
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      let change = 0;
      for (let j = 0; j < n; j++) change += jacobian[s * K + block[j]!]! * (lambda[block[j]!]! - start[j]!);
      modelled[s] = residual[s]! + change / scales[s]!;
      sum += modelled[s]! ** 2;
      missing += modelled[s]! * scales[s]!;
      whole += scales[s]!;
    }
    const total = whole > 0 ? missing / whole : 0;
    found[0] = sum + totalWeight * total * total;
  }

  return {
    refine(delta, from, merit, jacobian) {
      for (let i = 0; i < n; i++) {
        start[i] = lambda[block[i]!]!;
        place[i] = from[block[i]!]!;
        step[block[i]!] = delta[block[i]!]!;
      }
      let best = merit;
      for (let round = 0; round < MODEL_ROUNDS; round++) {
        let length = 1;
        look(length, jacobian);
        for (let h = 0; h < MODEL_HALVINGS && !(found[0]! <= (1 - leastGain * length) * best); h++) {
          length *= 0.5;
          look(length, jacobian);
        }
        if (!(found[0]! < best)) break;
        for (let i = 0; i < n; i++) place[i]! += length * step[block[i]!]!;
        const gain = best - found[0]!;
        best = found[0]!;
        if (best <= ENOUGH * merit || gain <= ENOUGH * best) break;
        if (!system.solve(step, modelled, scales, jacobian)) break;
      }
      for (let i = 0; i < n; i++) {
        squash(block[i]!, from[block[i]!]!);
        lambda[block[i]!] = start[i]!;
        delta[block[i]!] = place[i]! - from[block[i]!]!;
      }
      return best;
    },
  };
}
