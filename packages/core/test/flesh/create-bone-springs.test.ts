/** G1: springs on bone matrices, frame by frame. */
import { createBoneSprings } from '@isoskin/core/stack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const still = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
const moved = (x: number, turn = 0) => {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return Float64Array.of(c, s, 0, -s, c, 0, 0, 0, 1, x, 2 * x, 0);
};
const springs = (frequency: number, damping: number) => createBoneSprings(1, [{ frequency, damping }], [0, 0, 0], 1);

describe('createBoneSprings', () => {
  it('loses energy in every step once the bone stands still, whatever the steps, frequency and damping (seed 903)', () => {
    const dt = fc.oneof(
      fc.double({ min: 1e-4, max: 0.1, noNaN: true }),
      fc.double({ min: 1e-9, max: 1e3, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 60, noNaN: true }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        fc.array(fc.tuple(dt, fc.double({ min: -0.2, max: 0.2, noNaN: true })), { minLength: 1, maxLength: 12 }),
        fc.array(dt, { minLength: 6, maxLength: 24 }),
        (frequency, damping, moves, rests) => {
          const one = springs(frequency, damping);
          const w2 = (2 * Math.PI * frequency) ** 2;
          const energy = () => one.state.lag.reduce((sum, e, i) => sum + w2 * e * e + one.state.rate[i]! ** 2, 0);
          one.step(still, 0);
          let last = still;
          for (const [step, x] of moves) one.step((last = moved(x, 3 * x)), step);
          for (const step of rests.slice(0, 4)) one.step(last, step);
          let before = energy();
          expect(Number.isFinite(before)).toBe(true);
          for (const step of rests.slice(4)) {
            one.step(last, step);
            expect(energy()).toBeLessThanOrEqual(before * (1 + 1e-12));
            before = energy();
          }
        },
      ),
      { seed: 903, numRuns: 500 },
    );
  });

  it('feels nothing of an even motion, and exactly what a constant acceleration does', () => {
    const one = springs(2, 0.3);
    const w = 4 * Math.PI;
    for (let n = 0; n < 400; n++) one.step(moved(0.7 * (n / 60)), n > 0 ? 1 / 60 : 0);
    expect(Math.abs(one.state.lag[9]!)).toBeLessThan(1e-12);
    one.reset();
    for (let n = 0; n < 400; n++) one.step(moved(0.5 * 0.1 * (n / 60) ** 2), n > 0 ? 1 / 60 : 0);
    expect(one.state.lag[9]!).toBeCloseTo(-0.1 / w ** 2, 10); // e = −a/ω²
    expect(one.state.lag[10]!).toBeCloseTo(-0.2 / w ** 2, 10);
  });

  it('is still at rest, and again when all has calmed down', () => {
    const one = springs(5, 1);
    one.step(still, 0);
    expect(one.isStill).toBe(true);
    for (let n = 1; n < 10; n++) one.step(moved(0.01 * n * n), 1 / 60);
    expect(one.isStill).toBe(false);
    for (let n = 0; n < 200; n++) one.step(moved(0.81), 1 / 60);
    expect(one.isStill).toBe(true);
    expect(one.state.lag.every((e) => e === 0)).toBe(true);
  });

  it('rides along without time, and forgets a pose that is none', () => {
    const one = springs(2, 0.1);
    for (let n = 0; n < 30; n++) one.step(moved(0.2 * Math.sin(n / 5), 0.3 * Math.sin(n / 7)), n > 0 ? 1 / 60 : 0);
    const before = one.state.lag.slice();
    for (const dt of [0, -1, Number.NaN, Number.NEGATIVE_INFINITY]) one.step(moved(dt ? 5 : 6, 1), dt);
    expect(one.state.lag).toEqual(before);
    for (const dt of [1 / 60, 1 / 60]) one.step(moved(Number.NaN), dt);
    for (let n = 0; n < 9; n++) one.step(moved(0), 1 / 60);
    expect(one.state.lag.every(Number.isFinite)).toBe(true);
  });
});
