import fc from 'fast-check';
import { expect, it } from 'vitest';
import { measureLength } from '../../src/mesh/measure-length.js';

it('is what Math.hypot says of any three numbers (in Node 20 to the bit; other engines round otherwise)', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), fc.double(), (x, y, z) => {
      const wanted = Math.hypot(x, y, z);
      const length = measureLength(x, y, z);
      if (Number.isFinite(wanted)) expect(Math.abs(length - wanted)).toBeLessThanOrEqual(1e-15 * wanted);
      else expect(length).toBe(wanted);
    }),
    { numRuns: 2_000 },
  );
});

it('neither overflows nor underflows', () => {
  expect(measureLength(3e200, 4e200, 0) / 5e200).toBeCloseTo(1, 14);
  expect(measureLength(3e-200, 0, 4e-200) / 5e-200).toBeCloseTo(1, 14);
  expect(measureLength(0, -0, 0)).toBe(0);
  expect(measureLength(Number.NaN, 0, Number.NEGATIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});
