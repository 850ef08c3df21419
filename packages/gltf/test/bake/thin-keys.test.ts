import { describe, expect, it } from 'vitest';
import { thinKeys } from '../../src/bake/thin-keys.js';

const thin = (values: readonly number[], tolerance: number) =>
  thinKeys([...values.keys()], (a, b, m, u) => {
    return Math.abs(values[a]! + u * (values[b]! - values[a]!) - values[m]!) <= tolerance;
  });

describe('thinKeys', () => {
  it('keeps the ends of a straight line and the corners of a bent one', () => {
    expect(thin([0, 1, 2, 3, 4], 1e-9)).toEqual([0, 4]);
    expect(thin([0, 1, 2, 1, 0], 1e-9)).toEqual([0, 2, 4]);
    expect(thin([5], 0)).toEqual([0]);
  });

  it('keeps both sides of a jump', () => {
    expect(thin([0, 0, 0, 1, 1, 1], 1e-9)).toEqual([0, 2, 3, 5]);
  });

  it('is never off by more than the tolerance', () => {
    const values = Array.from({ length: 300 }, (_, i) => Math.sin(i / 9) + 0.3 * Math.sin(i / 2));
    const keys = thin(values, 0.05);
    expect(keys.length).toBeLessThan(150);
    for (let k = 1; k < keys.length; k++) {
      const [a, b] = [keys[k - 1]!, keys[k]!];
      for (let m = a; m <= b; m++) {
        const between = values[a]! + ((m - a) / (b - a)) * (values[b]! - values[a]!);
        expect(Math.abs(between - values[m]!)).toBeLessThanOrEqual(0.05 + 1e-12);
      }
    }
  });
});
