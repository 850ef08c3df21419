import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureClosest } from '../../src/soft/closest-point.js';
import { evaluateDepthPotential, evaluateDepthSlope, QUADRATIC, SMOOTH } from '../../src/soft/depth-potential.js';

const SEED = 20261116;
const kinds = [0, QUADRATIC, SMOOTH, QUADRATIC | SMOOTH];

describe(`potentials over the distance, seed ${SEED}`, () => {
  it.each(kinds)('kind %i: c at e, 0 at R, decreasing, slope −k inside, slope = finite differences', (bits) => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        fc.double({ min: 0.1, max: 500, noNaN: true }),
        fc.double({ min: -0.5, max: 1.2, noNaN: true }),
        (e, w, k, at) => {
          expect(evaluateDepthPotential(e, e, w, k, bits)).toBe(1);
          expect(evaluateDepthPotential((e + w) * (1 + 1e-15), e, w, k, bits)).toBeLessThan(1e-14);
          expect(evaluateDepthPotential(1.001 * (e + w), e, w, k, bits)).toBe(0);
          expect(evaluateDepthSlope(e, e, w, k, bits)).toBe(-k);
          const x = at * (e + w);
          const h = 1e-6 * e;
          if (Math.abs(x - e) < 2 * h || Math.abs(x - e - w) < 2 * h) return;
          const ahead = evaluateDepthPotential(x + h, e, w, k, bits);
          const behind = evaluateDepthPotential(x - h, e, w, k, bits);
          const slope = evaluateDepthSlope(x, e, w, k, bits);
          expect(ahead).toBeLessThanOrEqual(behind);
          expect(Math.abs((ahead - behind) / (2 * h) - slope)).toBeLessThan(1e-4 * (k + 1 / w));
        },
      ),
      { seed: SEED },
    );
  });

  it('gives a lone pair at one place exactly half the iso-value at (R + e)/2: four times the volume for R = 3e', () => {
    expect(evaluateDepthPotential(2, 1, 2, 0.5, 0)).toBe(0.5);
  });

  it('is stiffer the deeper, where quadratic', () => {
    expect(evaluateDepthSlope(0.5, 1, 1, 10, QUADRATIC)).toBe(-15);
    expect(evaluateDepthSlope(0, 1, 1, 10, QUADRATIC)).toBe(-20);
  });
});

describe(`closest point, seed ${SEED}`, () => {
  const number = fc.double({ min: -2, max: 2, noNaN: true });
  it.each([1, 2, 3])('of %i corners is closer than any other of its points', (size) => {
    const out = new Float64Array(5);
    fc.assert(
      fc.property(fc.array(number, { minLength: 9, maxLength: 9 }), fc.tuple(number, number, number), (numbers, p) => {
        const corners = new Float64Array(numbers);
        const squared = measureClosest(out, { corners, shape: Uint8Array.of(size) }, 0, ...p);
        const [s, t] = [out[3]!, out[4]!];
        expect(Math.min(s, t, 1 - s - t)).toBeGreaterThanOrEqual(-1e-12);
        for (let axis = 0; axis < 3; axis++) {
          const point = corners[axis]! * (1 - s - t) + corners[3 + axis]! * s + corners[6 + axis]! * t;
          expect(out[axis]).toBeCloseTo(point, 9);
        }
        let best = Infinity;
        const steps = size === 1 ? 0 : 40;
        for (let i = 0; i <= steps; i++) {
          for (let j = 0; j <= (size === 3 ? steps - i : 0); j++) {
            const [u, v] = [steps ? i / steps : 0, steps ? j / steps : 0];
            let sum = 0;
            for (let axis = 0; axis < 3; axis++) {
              const q = corners[axis]! * (1 - u - v) + corners[3 + axis]! * u + corners[6 + axis]! * v;
              sum += (q - p[axis]!) ** 2;
            }
            best = Math.min(best, sum);
          }
        }
        expect(squared).toBeLessThanOrEqual(best + 1e-9);
        expect(Math.sqrt(squared)).toBeGreaterThan(Math.sqrt(best) - 0.15);
      }),
      { seed: SEED },
    );
  });
});
