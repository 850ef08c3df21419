import { expect, it } from 'vitest';
import { halfTurn } from '../../src/linear-algebra/half-turn.js';

it('is the cosine and sine of half the angle, at every angle and size', () => {
  for (let n = -40; n <= 40; n++) {
    for (const size of [1e-150, 1e-9, 1, 1e9, 1e150]) {
      const angle = (n * Math.PI) / 40;
      const [y, x] = [size * Math.sin(angle), size * Math.cos(angle)];
      const half = 0.5 * Math.atan2(y, x);
      const [c, s] = halfTurn(y, x);
      expect(c).toBeCloseTo(Math.cos(half), 14);
      expect(s).toBeCloseTo(Math.sin(half), 14);
    }
  }
  expect(halfTurn(0, 0)).toEqual([1, 0]);
  expect(halfTurn(0, -1)).toEqual([0, 1]);
});
