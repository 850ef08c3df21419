/** Every region of every clip is judged by itself, not only the worst of all. */
import { describe, expect, it } from 'vitest';
import { findWorseRegions, findWorstRegion, type JudgedRegion } from '../../src/judge/check-played.js';

const judged = (name: string, skinned: number, baked: number): JudgedRegion => ({
  skinned: { name, clip: 'walk', time: 0.5, change: skinned },
  baked: { name, clip: 'walk', time: 0.5, change: baked },
});

describe('findWorseRegions', () => {
  it('finds a region that got worse though another one was worse before', () => {
    const regions = [judged('leg', -0.4, 0.01), judged('arm', -0.01, 0.03), judged('hand', 0.001, -0.0015)];
    expect(findWorseRegions(regions, 0.001)).toEqual([regions[1]]);
    expect(findWorstRegion(regions)).toEqual({ skinned: regions[0]!.skinned, baked: regions[1]!.baked });
  });

  it('puts the worst first, and takes what is no number for worse than anything', () => {
    const regions = [judged('arm', 0.01, 0.03), judged('leg', 0.01, -0.2), judged('hand', 0.5, Number.NaN)];
    expect(findWorseRegions(regions, 0.001).map(({ baked }) => baked.name)).toEqual(['hand', 'leg', 'arm']);
    expect(findWorstRegion(regions)!.baked.change).toBeNaN();
    expect(findWorstRegion([])).toBe(undefined);
  });
});
