import { describe, expect, it } from 'vitest';
import { createKeyedPrimitives } from '../../src/structure/keyed-primitives.js';
import { createMotion, measureSpin, sampleKeys } from '../../src/structure/motion.js';

describe('createMotion', () => {
  const motion = createMotion({
    pivot: [1, 0, 0],
    keys: [{ time: 1 }, { time: 2, move: [0, 0, 3], turn: [0, 0, 90] }],
  });

  it('goes with constant speed to a straight key', () => {
    const straight = createMotion({ keys: [{ time: 0 }, { time: 1, move: [4, 0, 0], straight: true }] });
    for (const time of [0.25, 0.5, 0.75]) {
      straight.sample(time);
      expect(straight.move[0]).toBeCloseTo(4 * time, 12);
    }
  });

  it('stands still before the first key and after the last, eases between', () => {
    const out = new Float64Array(3);
    const at = (time: number) => {
      motion.sample(time);
      motion.apply(out, 0, [2, 0, 0], 0);
      return Array.from(out);
    };
    expect(at(0)).toEqual([2, 0, 0]);
    at(5).forEach((x, k) => {
      expect(x).toBeCloseTo([1, 1, 3][k]!, 12);
    });
    expect(at(1.5)[2]).toBeCloseTo(1.5, 12);
    expect(at(1.25)[2]).toBeCloseTo(3 * (3 / 16 - 2 / 64), 12);
  });

  it('the spin between two moments is the rate of the turn', () => {
    const spin = new Float64Array(3);
    motion.sample(1.5);
    const before = motion.rotation.slice();
    motion.sample(1.5001);
    measureSpin(spin, 0, before, motion.rotation, 1e-4);
    expect(spin[2]).toBeCloseTo(1.5 * (Math.PI / 2), 3);
  });

  it('curves are linear between keys', () => {
    expect(
      [-1, 0.5, 9].map((time) =>
        sampleKeys(
          [
            [0, 1],
            [1, 3],
          ],
          time,
        ),
      ),
    ).toEqual([1, 2, 3]);
    expect(sampleKeys([[4, 7]], 2)).toBe(7);
  });
});

describe('createKeyedPrimitives', () => {
  it('moves the named corners, with their velocities', () => {
    const rest = Float64Array.of(0, 0, 0, 1, 0, 0, 1, 0, 0);
    const keyed = createKeyedPrimitives({
      rest,
      first: 0,
      motions: [{ corners: [3], turned: [], keys: [{ time: 0 }, { time: 1, move: [0, 2, 0] }] }],
    });
    keyed.advance(0.5, 0.001, {} as never);
    const [corners, velocities] = [new Float64Array(9), new Float64Array(9)];
    keyed.place(corners, velocities, new Float64Array(3));
    expect(corners[0]).toBe(0);
    expect(corners[4]).toBeCloseTo(1, 2);
    expect(velocities[4]).toBeCloseTo(3, 2);
    expect(velocities[1]).toBe(0);
  });
});
