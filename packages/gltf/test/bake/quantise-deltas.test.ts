import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureReach, quantiseDeltas, readDeltas } from '../../src/bake/quantise-deltas.js';

const SEED = 42;

describe(`quantiseDeltas (seed ${SEED})`, () => {
  it('is off by no more than the tolerance, in the smallest type that allows it', () => {
    const deltas = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(deltas, fc.constantFrom(0.05, 1e-4, 1e-9), (list, tolerance) => {
        const values = Float64Array.from(list.slice(0, list.length - (list.length % 3)));
        const scale = measureReach(values) || 1;
        const array = quantiseDeltas(values, scale, tolerance, 0);
        const error = array instanceof Float32Array ? scale * 1e-7 : tolerance;
        readDeltas(array).forEach((value, i) => {
          expect(Math.abs(scale * value - values[i]!)).toBeLessThanOrEqual(error + 1e-12);
        });
        if (tolerance === 0.05) expect(array).toBeInstanceOf(Int8Array);
        if (tolerance === 1e-9 && scale > 1e-3) expect(array).toBeInstanceOf(Float32Array);
      }),
      { seed: SEED },
    );
  });

  it('leaves quiet vertices where they are', () => {
    const array = quantiseDeltas(Float64Array.of(0.001, 0, 0, 1, 0, 0), 1, 0.01, 0.002);
    expect([...array]).toEqual([0, 0, 0, 127, 0, 0]);
  });
});
