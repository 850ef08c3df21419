/** How many times the amount solver looks at the surface: pressed against ceilings, and before a last step. */
import { describe, expect, it } from 'vitest';
import { WORSE_SLACK } from '../../src/correction/amount-energy.js';
import type { AmountEvaluator, AmountSolverOptions } from '../../src/correction/amount-solver.js';
import { createAmountSolver } from '../../src/correction/create-amount-solver.js';
import { createSolverReport } from '../../src/correction/volume-solver.js';

/** V_s = start_s + Σ_t M_st λ_t (1 + λ_t / 2), with a little noise as f32 has it. */
function createBody(start: readonly number[], matrix: readonly (readonly number[])[], noise = 0): AmountEvaluator {
  const K = start.length;
  const volumes = new Float64Array(K);
  const jacobian = new Float64Array(K * K);
  let n = 0;
  return {
    volumes,
    jacobian,
    evaluate(lambda) {
      for (let s = 0; s < K; s++) {
        volumes[s] = start[s]! + noise * Math.sin(12.9 * ++n);
        for (let t = 0; t < K; t++) {
          volumes[s]! += matrix[s]![t]! * lambda[t]! * (1 + lambda[t]! / 2);
          jacobian[s * K + t] = matrix[s]![t]! * (1 + lambda[t]!);
        }
      }
    },
    measureJacobian() {},
    finish() {},
  };
}

function solve(body: AmountEvaluator, ceiling: number, options: AmountSolverOptions) {
  const K = body.volumes.length;
  const solver = createAmountSolver(
    {
      regionCount: K,
      systems: [Uint32Array.from({ length: K }, (_, s) => s)],
      componentVolumes: new Float64Array(K).fill(K),
      outward: new Float64Array(K).fill(ceiling),
      inward: new Float64Array(K).fill(ceiling),
      ease: new Float64Array(K).fill(0.7),
    },
    options,
  );
  const report = createSolverReport(K);
  solver.solve(body, new Float64Array(K).fill(1), report, false);
  return { report, lambda: solver.lambda };
}

const F32 = { tolerance: 1e-5, totalTolerance: 5e-7, lastStep: 1e-3 };
const MATRIX = [
  [1, 0.3, 0],
  [0.3, 1, 0.3],
  [0, 0.3, 1],
];

describe('steps of the amount solver', () => {
  it('end soon where a region is pressed against its ceiling, also with the noise of f32', () => {
    for (const noise of [0, 3e-8]) {
      const { report, lambda } = solve(createBody([0.4, 0.9, 1], MATRIX, noise), 0.3, F32);
      expect(report.limited).toBe(true);
      expect(lambda[0]!).toBeGreaterThan(0.2);
      expect(report.evaluations).toBeLessThan(10);
      for (const [s, start] of [0.4, 0.9, 1].entries()) {
        expect(Math.abs(report.volumes[s]! - 1)).toBeLessThan(1 - start + 1.2 * WORSE_SLACK); // none ends worse than it began
      }
      expect(report.volumes[0]).toBeGreaterThan(0.6);
    }
  });

  it('are measured while they are large in the amounts, however small the error', () => {
    const thin = [
      [0.02, 0],
      [0, 0.02],
    ]; // an error of 5e−4 asks for amounts of 0.025
    const body = createBody([0.9995, 1.0005], thin);
    const { report } = solve(body, Number.POSITIVE_INFINITY, F32);
    expect(report.evaluations).toBeGreaterThan(1);
    body.evaluate(solve(body, Number.POSITIVE_INFINITY, F32).lambda);
    for (const volume of body.volumes) expect(Math.abs(volume - 1)).toBeLessThan(1e-6);
  });
});
