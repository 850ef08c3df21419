import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveNormalCubic } from '../../src/correction/solve-normal-cubic.js';

const SEED = 20264;

describe('solveNormalCubic', () => {
  it(`finds a planted root to rounding, or one nearer to 1 (seed ${SEED})`, () => {
    const coefficient = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 3.9, noNaN: true }), coefficient, coefficient, (root, b, c) => {
        // 1·λ + bλ² + cλ³ takes its value at the root as the target.
        const target = root * (1 + root * (b + root * c));
        fc.pre(Math.abs(target) > 1e-3);
        const found = solveNormalCubic(0, 1, b, c, target);
        expect(Math.abs(found - 1)).toBeLessThanOrEqual(Math.abs(root - 1) + 1e-6);
        expect(Math.abs(found * (1 + found * (b + found * c)) - target)).toBeLessThan(1e-13 * (1 + found ** 3));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('takes the nearest of three roots', () => {
    // (λ − 0.2)(λ − 1.3)(λ − 3)
    expect(solveNormalCubic(-0.78, 4.76, -4.5, 1, 0)).toBeCloseTo(1.3, 13);
  });

  it('is linear when it should be', () => {
    expect(solveNormalCubic(5, 2, 0, 0, 7)).toBe(1);
    expect(solveNormalCubic(5, 0, 2, 0, 7)).toBe(1);
    expect(solveNormalCubic(5, 0, 0, 2, 7)).toBe(1);
    expect(solveNormalCubic(5, 2, 1, 1, 5)).toBe(0);
  });

  it('says NaN when there is no root in reach', () => {
    expect(solveNormalCubic(0, 1, -1, 0, 0.3)).toBeNaN(); // never above ¼
    expect(solveNormalCubic(0, 0, 0, 0, 1)).toBeNaN();
    expect(solveNormalCubic(0, -1, 0, 0, 1)).toBeNaN();
    expect(solveNormalCubic(0, 1e-3, 0, 0, 1)).toBeNaN();
    expect(solveNormalCubic(0, Number.NaN, 0, 0, 1)).toBeNaN();
  });
});
