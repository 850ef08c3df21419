import type { Channel, Clip } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { listSampleTimes } from '../../src/bake/list-samples.js';

const clip = (duration: number, channels: readonly Channel[] = []): Clip => ({ name: 'c', duration, channels });

describe('listSampleTimes', () => {
  it('takes every half frame and the end', () => {
    expect(listSampleTimes(clip(0.11), 10)).toEqual([0, 0.05, 0.1, 0.11]);
    expect(listSampleTimes(clip(0), 30)).toEqual([0]);
  });

  it('takes both sides of a jump, and only of a jump', () => {
    const channel: Channel = {
      target: 0,
      path: 'scale',
      interpolation: 'STEP',
      times: Float64Array.of(0, 0.13, 0.17),
      values: Float64Array.of(1, 1, 1, 1, 1, 1, 2, 2, 2),
      width: 3,
    };
    const times = listSampleTimes(clip(0.2, [channel]), 10);
    expect(times).toContain(0.17);
    expect(times.some((t) => t < 0.17 && t > 0.168)).toBe(true);
    expect(times).not.toContain(0.13);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
