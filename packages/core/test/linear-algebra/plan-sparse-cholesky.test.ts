import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSparseCholesky } from '../../src/linear-algebra/plan-sparse-cholesky.js';
import { solveDense } from '../../src/linear-algebra/solve-dense.js';
import type { SparseMatrix } from '../../src/linear-algebra/sparse-matrix.js';
import { multiplySparse } from './multiply-sparse.js';

const SEED = 20261;

/** Lower triangle of a dense symmetric matrix; zeros are left out. */
function fromDense(dense: readonly (readonly number[])[]): SparseMatrix {
  const offsets = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const [i, row] of dense.entries()) {
    for (let j = 0; j <= i; j++) {
      if (row[j] === 0 && i !== j) continue;
      columns.push(j);
      values.push(row[j]!);
    }
    offsets.push(columns.length);
  }
  return {
    size: dense.length,
    offsets: Uint32Array.from(offsets),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
}

/** I + h·Laplacian of a side×side grid, with the places of its points. */
function grid(side: number, h = 1) {
  const offsets = new Uint32Array(side * side + 1);
  const columns: number[] = [];
  const values: number[] = [];
  const places = new Float64Array(3 * side * side);
  for (let i = 0; i < side * side; i++) {
    const x = i % side;
    const y = (i / side) | 0;
    places.set([x, y, 0], 3 * i);
    if (y > 0) columns.push(i - side);
    if (x > 0) columns.push(i - 1);
    while (values.length < columns.length) values.push(-h);
    columns.push(i);
    values.push(1 + 4 * h);
    offsets[i + 1] = columns.length;
  }
  const matrix: SparseMatrix = {
    size: side * side,
    offsets,
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
  return { matrix, places };
}

const residual = (matrix: SparseMatrix, x: Float64Array, b: Float64Array) => {
  const product = new Float64Array(matrix.size);
  multiplySparse(product, matrix, x);
  return Math.max(...product.map((p, i) => Math.abs(p - b[i]!)));
};

describe('planSparseCholesky', () => {
  it(`agrees with a dense solve on random sparse matrices (seed ${SEED})`, () => {
    const entry = fc.tuple(fc.nat(59), fc.nat(59), fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.array(entry, { maxLength: 200 }), (n, entries) => {
        const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0));
        for (const [a, b, v] of entries) {
          if (a < n && b < n && a !== b) dense[a]![b] = dense[b]![a] = v;
        }
        for (const [i, row] of dense.entries()) row[i] = 1 + row.reduce((sum, v) => sum + Math.abs(v), 0);
        const b = Float64Array.from({ length: n }, (_, i) => Math.sin(1 + i));
        const x = new Float64Array(n);
        planSparseCholesky(fromDense(dense)).solve(x, b);
        const y = b.slice();
        expect(solveDense(Float64Array.from(dense.flat()), y, n)).toBe(true);
        for (let i = 0; i < n; i++) expect(x[i]).toBeCloseTo(y[i]!, 11);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it.each(['coordinates', 'graph'])('solves a Poisson grid of 10 000 points with little fill, ordered by %s', (by) => {
    const { matrix, places } = grid(100);
    const plan = planSparseCholesky(matrix, by === 'coordinates' ? places : undefined);
    const b = Float64Array.from({ length: matrix.size }, (_, i) => Math.cos(i));
    const x = new Float64Array(matrix.size);
    plan.solve(x, b);
    expect(residual(matrix, x, b)).toBeLessThan(1e-13);
    expect(plan.fill).toBeLessThan(35 * matrix.size); // banded elimination would need 100 per column
  });

  it('factors other values on the same pattern, and solves in place', () => {
    const { matrix, places } = grid(20);
    const plan = planSparseCholesky(matrix, places);
    const other = { ...matrix, values: grid(20, 7.5).matrix.values };
    expect(plan.refactor(other.values)).toBe(true);
    const b = Float64Array.from({ length: 400 }, (_, i) => i % 7);
    const x = b.slice();
    plan.solve(x, x);
    expect(residual(other, x, b)).toBeLessThan(1e-12);
  });

  it.each([1, 3, 4])('solves for %i right sides at once, each to the bits that it has alone', (count) => {
    const { matrix, places } = grid(20);
    const plan = planSparseCholesky(matrix, places);
    const sides = Array.from({ length: count }, (_, n) =>
      Float64Array.from({ length: 400 }, (_, i) => (i % (n + 2) === 0 ? Math.sin(i + n) : 0)),
    );
    const alone = sides.map((b) => {
      const x = new Float64Array(400);
      plan.solve(x, b);
      return x;
    });
    plan.solveSome(Array.from({ length: 4 }, () => new Float64Array(400).fill(7))); // what was there before is gone
    plan.solveSome(sides);
    expect(sides).toEqual(alone);
  });

  it('says so when a matrix is not positive definite', () => {
    const bad = fromDense([
      [1, 2],
      [2, 1],
    ]);
    expect(() => planSparseCholesky(bad)).toThrow(/positive definite/);
    const plan = planSparseCholesky({ ...bad, values: Float64Array.of(1, 0.5, 1) });
    expect(plan.refactor(bad.values)).toBe(false);
    expect(plan.refactor(Float64Array.of(1, Number.NaN, 1))).toBe(false);
  });
});
