import { describe, expect, it } from 'vitest';
import { type Direction, mergeDirections } from '../../src/bake/merge-directions.js';

const wave = Float64Array.from({ length: 40 }, (_, n) => Math.sin(0.3 * n));
const other = Float64Array.from({ length: 40 }, (_, n) => Math.cos(0.3 * n));
const unit = (at: number) => [0, 1, 2].map((r) => Number(r === at));
const direction = (at: number, amounts: Float64Array, reach = 10): Direction => ({
  axis: unit(at),
  amounts,
  reach,
  off: 0,
});

describe('directions that go together', () => {
  it('become one, which gives both back', () => {
    const merged = mergeDirections([
      direction(0, wave),
      direction(1, other),
      direction(
        2,
        wave.map((x) => -2 * x),
      ),
    ]);
    expect(merged).toHaveLength(2);
    const both = merged.find(({ axis }) => axis[0] !== 0)!;
    for (let n = 0; n < wave.length; n++) {
      expect(both.axis[0]! * both.amounts[n]!).toBeCloseTo(wave[n]!, 12);
      expect(both.axis[2]! * both.amounts[n]!).toBeCloseTo(-2 * wave[n]!, 12);
    }
    for (const { axis } of merged) expect(Math.hypot(...axis)).toBeCloseTo(1, 12);
  });

  it('only while what is left stays quiet', () => {
    const near = wave.map((x, n) => x + 0.15 * other[n]!);
    expect(mergeDirections([direction(0, wave), direction(1, near)])).toHaveLength(1);
    expect(mergeDirections([direction(0, wave, 100), direction(1, near, 100)])).toHaveLength(2);
    expect(mergeDirections([])).toEqual([]);
  });
});
