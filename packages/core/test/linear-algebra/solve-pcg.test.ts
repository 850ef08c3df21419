import { describe, expect, it } from 'vitest';
import { planSparseCholesky } from '../../src/linear-algebra/plan-sparse-cholesky.js';
import { createPcgScratch, solvePcg } from '../../src/linear-algebra/solve-pcg.js';
import type { SparseMatrix } from '../../src/linear-algebra/sparse-matrix.js';
import { multiplySparse } from './multiply-sparse.js';

/** 2 + d_i on the diagonal, −1 beside it. */
function chain(n: number, d: (i: number) => number): SparseMatrix {
  const offsets = new Uint32Array(n + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < n; i++) {
    columns.push(...(i > 0 ? [i - 1, i] : [i]));
    values.push(...(i > 0 ? [-1, 2 + d(i)] : [2 + d(i)]));
    offsets[i + 1] = columns.length;
  }
  return { size: n, offsets, columns: Uint32Array.from(columns), values: Float64Array.from(values) };
}

describe('solvePcg', () => {
  const n = 200;
  const matrix = chain(n, (i) => 0.01 * (i % 13));
  const b = Float64Array.from({ length: n }, (_, i) => Math.sin(i));
  const multiply = (out: Float64Array, x: Float64Array) => multiplySparse(out, matrix, x);

  it('reaches the direct solution with Jacobi', () => {
    const x = new Float64Array(n);
    const jacobi = (out: Float64Array, r: Float64Array) => out.set(r.map((value, i) => value / (2 + 0.01 * (i % 13))));
    const steps = solvePcg(x, multiply, jacobi, b, createPcgScratch(n), 1e-13, 500);
    expect(steps).toBeGreaterThan(5);
    expect(steps).toBeLessThan(300);
    const direct = new Float64Array(n);
    planSparseCholesky(matrix).solve(direct, b);
    for (let i = 0; i < n; i++) expect(x[i]).toBeCloseTo(direct[i]!, 10);
  });

  it('needs a few steps only with the factor of a similar matrix, none from the answer', () => {
    const factor = planSparseCholesky(chain(n, () => 0.06));
    const x = new Float64Array(n);
    const scratch = createPcgScratch(n);
    expect(solvePcg(x, multiply, factor.solve, b, scratch, 1e-12, 100)).toBeLessThan(40);
    expect(solvePcg(x, multiply, factor.solve, b, scratch, 1e-11, 100)).toBe(0);
    expect(solvePcg(x.fill(0), multiply, factor.solve, new Float64Array(n), scratch, 1e-11, 100)).toBe(0);
    expect(x.every((v) => v === 0)).toBe(true);
  });
});
