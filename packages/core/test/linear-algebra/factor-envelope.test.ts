/** L D Lᵀ inside an envelope against dense LU. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factorEnvelope, solveEnvelope } from '../../src/linear-algebra/factor-envelope.js';
import { solveDense } from '../../src/linear-algebra/solve-dense.js';

const SEED = 20282;

/** JᵀJ + 0.1 of a sparse J, n×n in rows of `stride`, and where its rows start. */
function createSystem(n: number, stride: number, entries: readonly (readonly [number, number, number])[]) {
  const jacobian = new Float64Array(n * n);
  for (const [r, c, value] of entries) jacobian[(r % n) * n + (c % n)] = value;
  const matrix = new Float64Array(n * stride);
  const firsts = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let r = 0; r < n; r++) matrix[i * stride + j]! += jacobian[r * n + i]! * jacobian[r * n + j]!;
      if (j < firsts[i]! && matrix[i * stride + j] !== 0) firsts[i] = j;
    }
    matrix[i * stride + i]! += 0.1;
  }
  return { matrix, firsts };
}

describe('factorEnvelope', () => {
  it(`solves what dense LU solves, and leaves the rest of the rows alone (seed ${SEED})`, () => {
    const entry = fc.tuple(fc.nat(30), fc.nat(30), fc.double({ min: -2, max: 2, noNaN: true }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(entry, { maxLength: 60 }), (n, entries) => {
        const stride = n + 2;
        const { matrix, firsts } = createSystem(n, stride, entries);
        const dense = Float64Array.from({ length: n * n }, (_, i) => matrix[Math.floor(i / n) * stride + (i % n)]!);
        const rhs = Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1));
        const expected = rhs.slice();
        expect(solveDense(dense, expected, n)).toBe(true);
        for (let i = 0; i < n; i++) matrix[i * stride + n] = 77;
        expect(factorEnvelope(matrix, firsts, n, stride)).toBe(true);
        solveEnvelope(matrix, firsts, rhs, n, stride);
        for (let i = 0; i < n; i++) {
          expect(Math.abs(rhs[i]! - expected[i]!)).toBeLessThan(1e-9);
          expect(matrix[i * stride + n]).toBe(77);
        }
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('refuses what is not positive definite', () => {
    expect(factorEnvelope(Float64Array.of(1, 0, 1, 1), Uint32Array.of(0, 0), 2, 2)).toBe(false);
    expect(factorEnvelope(Float64Array.of(-1), Uint32Array.of(0), 1, 1)).toBe(false);
    expect(factorEnvelope(Float64Array.of(Number.NaN), Uint32Array.of(0), 1, 1)).toBe(false);
  });
});
