import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameAt } from '../../src/scene/create-scene-player.js';
import { createPlayback } from '../../src/state/playback.js';

describe('frameAt', () => {
  it('gives the last frame that is not later (seed 3)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-3, max: 1, noNaN: true }), { minLength: 1 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (steps, time) => {
          let at = 0;
          const frames = steps.map((step) => ({ time: (at += step) }));
          const found = frameAt(frames, time);
          const wanted = frames.filter((frame) => frame.time <= time + 1e-9).at(-1) ?? frames[0];
          expect(found).toBe(wanted);
        },
      ),
      { seed: 3 },
    );
    expect(frameAt([], 1)).toBeUndefined();
  });
});

describe('createPlayback', () => {
  it('loops, or stops at the end', () => {
    const playback = createPlayback();
    playback.advance(1.5, 1);
    expect(playback.time.value).toBeCloseTo(0.5);
    playback.loop.value = false;
    playback.advance(2, 1);
    expect([playback.time.value, playback.playing.value]).toEqual([1, false]);
    playback.advance(1, 1);
    expect(playback.time.value).toBe(1);
  });

  it('goes at its speed, and nowhere without a clip', () => {
    const playback = createPlayback();
    playback.speed.value = 0.5;
    playback.advance(1, 4);
    expect(playback.time.value).toBe(0.5);
    playback.advance(1, 0);
    expect(playback.time.value).toBe(0.5);
  });
});
