import { colorMap, colorValues } from '@isoskin/report';
import { describe, expect, it } from 'vitest';

const lightness = (rgb: readonly number[]) => 0.2126 * rgb[0]! + 0.7152 * rgb[1]! + 0.0722 * rgb[2]!;

describe('colorMap', () => {
  it('gets steadily darker along the sequential map', () => {
    for (let i = 1; i <= 50; i++) {
      expect(lightness(colorMap(i / 50))).toBeLessThan(lightness(colorMap((i - 1) / 50)));
    }
  });

  it('goes from blue over white to red, evenly to both sides', () => {
    const [low, middle, high] = [0, 0.5, 1].map((value) => colorMap(value, 'diverging'));
    expect(low![2]).toBeGreaterThan(2 * low![0]!);
    expect(high![0]).toBeGreaterThan(2 * high![2]!);
    expect(Math.min(...middle!)).toBeGreaterThan(0.9);
    for (let i = 1; i <= 25; i++) {
      for (const side of [-1, 1]) {
        const outer = lightness(colorMap(0.5 + (side * i) / 50, 'diverging'));
        expect(outer).toBeLessThan(lightness(colorMap(0.5 + (side * (i - 1)) / 50, 'diverging')));
      }
    }
  });

  it('clamps and spreads values over a range', () => {
    expect(colorMap(-3)).toEqual(colorMap(0));
    expect(colorMap(7, 'diverging')).toEqual(colorMap(1, 'diverging'));
    expect(colorMap(Number.NaN)).toEqual([0.5, 0.5, 0.5]);
    const colors = colorValues([-2, 0, 2], -2, 2, 'diverging');
    expect([...colors.slice(3, 6)]).toEqual(colorMap(0.5, 'diverging'));
    expect([...colors.slice(6)]).toEqual(colorMap(1, 'diverging'));
    expect(colorValues([1, 1], 1, 1).every(Number.isFinite)).toBe(true);
  });
});
