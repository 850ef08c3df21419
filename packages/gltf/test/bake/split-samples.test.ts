import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSamples, splitSamples } from '../../src/bake/list-samples.js';

const organic = presetStack('organic');

describe('splitSamples', () => {
  it('covers every sample once, in order, in pieces of the size (seed 7)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (clips, size) => {
        const samples = clips.sort().map((clip, n) => ({ clip, time: n }));
        const pieces = splitSamples(samples, organic, size);
        expect(pieces.flatMap(([first, end]) => samples.slice(first, end))).toEqual(samples);
        expect(pieces).toHaveLength(Math.ceil(samples.length / size));
        for (const [first, end] of pieces.slice(0, -1)) expect(end - first).toBe(size);
      }),
      { seed: 7 },
    );
  });

  it('keeps a clip whole when the stack remembers, and the rest pose by itself', () => {
    const samples = [0, 0, 0, 2, 2, -1].map((clip, n) => ({ clip, time: n }));
    expect(splitSamples(samples, presetStack('flesh'), 2)).toEqual([
      [0, 3],
      [3, 5],
      [5, 6],
    ]);
    const forgetful = { flesh: { ...presetStack('flesh').flesh, memory: 3 } };
    expect(splitSamples(samples, forgetful, 2)).toEqual(splitSamples(samples, organic, 2));
    expect(splitSamples([], organic, 2)).toEqual([]);
  });
});

describe('listSamples', () => {
  const finger = createDemo('finger', { vertices: 200 });
  it('lists clip after clip, and the default pose of a cache last', () => {
    const all = listSamples(finger, {});
    expect(all.ranges).toHaveLength(2);
    expect(all.ranges[0]![1]).toBe(all.ranges[1]![0]);
    expect(all.samples).toHaveLength(all.ranges[1]![1]);
    const one = listSamples(finger, { clips: ['wave'], fps: 10, as: 'cache' });
    expect(one.ranges[0]).toEqual([0, 0]);
    expect(one.samples.slice(0, -1).every(({ clip }) => clip === 1)).toBe(true);
    expect(one.samples.at(-1)).toEqual({ clip: -1, time: 0 });
  });
});
