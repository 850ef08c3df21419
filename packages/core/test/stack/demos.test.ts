/** The default preset on the project's own characters: every clip, every fifth frame. */
import { createDemo, demoNames } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { expectExact, planJudge } from './judge-clip.js';

const HUMANOIDS = new Set(['hero']);

describe('demos', () => {
  it.each(demoNames)('%s: volume and shape within the limits', (name) => {
    const { meter, judge } = planJudge(createDemo(name), 6);
    if (HUMANOIDS.has(name)) expect(meter.regions.count).toBeGreaterThanOrEqual(8);
    judge();
  });

  it.each(demoNames)('%s: every region exact without a limit', (name) => expectExact(createDemo(name), 6));
});
