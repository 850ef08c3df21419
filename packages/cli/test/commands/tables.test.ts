import { describe, expect, it } from 'vitest';
import { runJson } from '../run-isoskin.js';

describe('tables', () => {
  const { cylinder, characters } = runJson('tables');

  it('reproduces linear skinning and the linearised corrections of the literature', () => {
    expect(cylinder.angles).toEqual([10, 30, 50, 70, 90]);
    for (const [n, percent] of [0.17, 1.47, 3.92, 7.22, 10.97].entries()) {
      expect(cylinder.none[n]).toBeCloseTo(percent, 2);
    }
    for (const [n, percent] of [6.8e-5, 5.5e-3, 0.041, 0.145, 0.349].entries()) {
      expect(Math.abs(cylinder.axisLinear[n] / percent - 1)).toBeLessThan(0.05);
    }
    for (const [n, percent] of [0.05, 0.5, 1.5, 3.1, 4.9].entries())
      expect(cylinder.normalLinear[n]).toBeLessThan(percent);
  });

  it.each(['axisExact', 'normalExact', 'regionsExact'])('%s is exact to 1e−10 per cent', (method) => {
    expect(cylinder[method]).toHaveLength(5);
    for (const percent of cylinder[method]) expect(percent).toBeLessThan(1e-10);
  });

  it('keeps the volume of the article’s characters, in total and per region', () => {
    expect(characters.map(({ name }: { name: string }) => name)).toEqual(['tube', 'giraffe', 'elephant']);
    for (const { total, region, costRatio } of characters) {
      expect(total.after).toBeLessThan(1e-7);
      expect(region.after).toBeLessThan(1e-4);
      expect(region.before).toBeGreaterThan(5);
      expect(costRatio).toBeGreaterThan(1);
    }
  });
});
