/** Directions at rest in one word: what the shader unpacks is the direction, with |v|₁ = 1. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packRest } from '../src/wgsl/direction.js';

const SEED = 4711;

/** As in the shader. */
function unpack(word: number): number[] {
  const snorm = (bits: number) => Math.max(-1, ((bits << 16) >> 16) / 32767);
  const [u, v] = [snorm(word & 0xffff), snorm(word >>> 16)];
  const z = 1 - Math.abs(u) - Math.abs(v);
  const fold = Math.max(-z, 0);
  return [u + (u >= 0 ? -fold : fold), v + (v >= 0 ? -fold : fold), z];
}

it(`directions survive packing, whatever their length (seed ${SEED})`, () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(number, number, number, fc.double({ min: 1e-6, max: 1e3, noNaN: true }), (x, y, z, length) => {
      const sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
      fc.pre(sum > 1e-3);
      const found = unpack(packRest(length * x, length * y, length * z));
      for (const [r, value] of [x, y, z].entries()) expect(Math.abs(found[r]! - value / sum)).toBeLessThan(6e-5);
    }),
    { seed: SEED, numRuns: 500 },
  );
  expect(unpack(packRest(0, 0, -2))).toEqual([0, 0, -1].map((v) => expect.closeTo(v, 6)));
});
