import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invertContactMass, multiplySymmetric } from '../../src/structure/structure.js';

const value = fc.double({ min: -1, max: 1, noNaN: true });
const vector = fc.tuple(value, value, value);
const outer = (v: readonly number[], s: number) =>
  Float64Array.from([0, 0, 0, 1, 1, 2], (i, n) => s * v[i]! * v[[0, 1, 2, 1, 2, 2][n]!]!);

describe('invertContactMass', () => {
  it('is the inverse of m + Δt C + Δt² K (seed 3)', () => {
    fc.assert(
      fc.property(vector, vector, vector, (x, k, c) => {
        const [dt, mass] = [1 / 60, 0.02];
        const inverse = new Float64Array(6);
        invertContactMass(inverse, 0, outer(k, 1000), outer(c, 10), 0, dt, mass);
        const out = new Float64Array(3);
        multiplySymmetric(out, 0, inverse, 0, ...x);
        const along = (v: readonly number[]) => v.reduce((sum, value, i) => sum + value * out[i]!, 0);
        for (let i = 0; i < 3; i++) {
          const back = mass * out[i]! + dt * (10 * c[i]! * along(c) + dt * 1000 * k[i]! * along(k));
          expect(back).toBeCloseTo(x[i]!, 10);
        }
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});
