import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveDense } from '../../src/linear-algebra/solve-dense.js';

const SEED = 20262;

describe('solveDense', () => {
  it(`gives back the x that made b, rows in any order (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer(), (n, salt) => {
        const x = Float64Array.from({ length: n }, (_, i) => Math.sin(i + salt));
        const a = Float64Array.from({ length: n * n }, (_, i) => Math.sin(i * i + salt));
        for (let i = 0; i < n; i++) a[i * n + ((i + 3) % n)]! += 2 * n; // large entries off the diagonal force pivoting
        const b = Float64Array.from({ length: n }, (_, i) => x.reduce((sum, v, j) => sum + a[i * n + j]! * v, 0));
        expect(solveDense(a, b, n)).toBe(true);
        for (let i = 0; i < n; i++) expect(b[i]).toBeCloseTo(x[i]!, 11);
      }),
      { seed: SEED },
    );
  });

  it('returns false for singular and for non-finite matrices', () => {
    expect(solveDense(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 2), 2)).toBe(false);
    expect(solveDense(Float64Array.of(0, 0, 0, 0), Float64Array.of(0, 0), 2)).toBe(false);
    expect(solveDense(Float64Array.of(Number.NaN, 1, 1, 1), Float64Array.of(0, 0), 2)).toBe(false);
  });
});
