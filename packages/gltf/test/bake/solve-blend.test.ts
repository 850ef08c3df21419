import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveBlend } from '../../src/bake/solve-blend.js';

const SEED = 41;
const number = fc.double({ min: -1, max: 1, noNaN: true });

const times = (b: ArrayLike<number>, d: ArrayLike<number>) =>
  [0, 1, 2].map((r) => b[r]! * d[0]! + b[3 + r]! * d[1]! + b[6 + r]! * d[2]!);
const lengthOf = (v: readonly number[]) => Math.hypot(...v);

describe(`solveBlend (seed ${SEED})`, () => {
  it('inverts a rotation with scale to the damping', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.constantFrom(0.01, 1, -100),
        fc.tuple(number, number, number),
        (angle, scale, u) => {
          const [c, s] = [scale * Math.cos(angle), scale * Math.sin(angle)];
          const blend = Float64Array.of(c, s, 0, -s, c, 0, 0, 0, scale);
          const out = new Float64Array(3);
          solveBlend(out, 0, blend, 0, ...u);
          const back = times(blend, out);
          expect(lengthOf(back.map((x, i) => x - u[i]!))).toBeLessThanOrEqual(2e-4 * lengthOf(u) + 1e-15);
        },
      ),
      { seed: SEED },
    );
  });

  it('stays small where the blend is singular, and does what can be done', () => {
    // Half a turn about x, blended in equal parts: only x is left.
    const blend = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0);
    const out = new Float64Array(3);
    solveBlend(out, 0, blend, 0, 0.5, 0.3, -0.2);
    expect(out[0]).toBeCloseTo(0.5, 3);
    expect([out[1], out[2]]).toEqual([0, 0]);
    solveBlend(out, 0, new Float64Array(9), 0, 1, 1, 1);
    expect([...out]).toEqual([0, 0, 0]);
  });
});
