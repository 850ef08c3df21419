import { describe, expect, it } from 'vitest';
import { runIsoskin, runJson } from '../run-isoskin.js';

describe('tables', () => {
  const { cylinder, thesisTube, characters, literature } = runJson('tables');

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

  it('has the tube that the thesis describes, on which the same formulas leave as little', () => {
    for (const [n, percent] of [0.18, 1.59, 4.23, 7.79, 11.84].entries()) {
      expect(thesisTube.none[n]).toBeCloseTo(percent, 1);
      // What is printed, up to the rounding of its figures.
      expect(Math.abs(thesisTube.none[n] - literature.cylinder.none[n])).toBeLessThan(0.9);
    }
    expect(thesisTube.normalLinear[4]).toBeLessThan(literature.cylinder.normalLinear[4] / 5);
    for (const percent of thesisTube.axisExact) expect(percent).toBeLessThan(1e-10);
  });

  it('puts the article’s method beside isoskin’s, on the same characters', () => {
    expect(characters.map(({ name }: { name: string }) => name)).toEqual(['tube', 'giraffe', 'elephant']);
    for (const { name, article, isoskin, misplaced, costRatio } of characters) {
      // Limits hold regions of the animals back, none of the tube.
      expect(isoskin.total.after).toBeLessThan(name === 'tube' ? 1e-7 : 0.1 * isoskin.total.before);
      expect(isoskin.region.after).toBeLessThan(name === 'tube' ? 1e-4 : isoskin.region.before / 1.9);
      expect(isoskin.region.before).toBeGreaterThan(5);
      expect(article.total.before).toBeCloseTo(isoskin.total.before, 9);
      expect(article.region.after).toBeGreaterThan(isoskin.region.after);
      expect(isoskin.misplaced).toBeLessThan(misplaced);
      expect(costRatio).toBeGreaterThan(1);
    }
  });

  it('names its sources in full, and says how its tube differs', () => {
    const text = runIsoskin('tables').stdout;
    for (const source of Object.values(literature.sources)) expect(text).toContain(source);
    for (const words of ['tables 4.1', 'table 1', 'table 2', 'fitted to the first printed row', '25 × 25 vertices'])
      expect(text).toContain(words);
  });
});
