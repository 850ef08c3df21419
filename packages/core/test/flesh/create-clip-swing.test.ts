/** Swings that are made of the last seconds of a clip alone. */
import { createFrameSource, type FrameSource, planBody } from '@isoskin/core';
import { needsWholeClips } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';
import { steady } from './oscillator.js';
import { ball, createClip, fleshOnly, shakeClip } from './swing-bench.js';

const spring = { frequency: 2, damping: 0.2 };
const lagOf = ({ frame }: FrameSource) => frame.positions[0]! - frame.skinned[0]!;

describe('flesh with a memory', () => {
  /** Still but for a jolt at one second of four, or not. */
  const jolt = (height: number) => {
    const bump = (t: number) => (t > 0.8 && t < 1.2 ? height * Math.sin(((t - 0.8) / 0.4) * Math.PI) ** 2 : 0);
    const at = (t: number) => [0.2 * Math.sin(7 * t) + bump(t), 0, 0];
    const slope = (t: number) => [1.4 * Math.cos(7 * t) + (bump(t + 1e-6) - bump(t - 1e-6)) / 2e-6, 0, 0];
    return createClip(4, [{ target: 0, path: 'translation', at, slope }], { keys: 960 });
  };
  const [calm, hit] = [jolt(0), jolt(1)];
  const plan = (memory?: number) =>
    createFrameSource(planBody(ball([calm, hit])), fleshOnly({ ...spring, loop: false, memory }));

  it('does not know what happened before: the same bits with and without a jolt; without a memory it feels it', () => {
    const [forgetful, lasting] = [plan(1.5), plan()];
    for (const t of [2.8, 3.3, 4]) {
      const [one, other] = [calm, hit].map((clip) => forgetful.seek(clip, t).positions.slice());
      expect(one).toEqual(other);
      const [felt, unfelt] = [calm, hit].map((clip) => lasting.seek(clip, t).positions.slice());
      expect(felt).not.toEqual(unfelt);
    }
  });

  it('forgets no more than the spring has left: exp(−ζω · memory) of the largest swing', () => {
    const [forgetful, lasting] = [plan(2), plan()];
    const left = Math.exp(-2 * Math.PI * spring.frequency * spring.damping * 2);
    let most = 0;
    let worst = 0;
    for (let n = 0; n <= 40; n++) {
      lasting.seek(hit, n / 10);
      forgetful.seek(hit, n / 10);
      most = Math.max(most, Math.abs(lagOf(lasting)));
      worst = Math.max(worst, Math.abs(lagOf(lasting) - lagOf(forgetful)));
    }
    expect(most).toBeGreaterThan(0.3);
    expect(worst).toBeLessThan(1.5 * left * most);
    expect(worst).toBeGreaterThan(0);
  });

  it('goes round the seam of a clip that loops', () => {
    const clip = shakeClip(1, 0.3, 2);
    const source = createFrameSource(planBody(ball([clip])), fleshOnly({ ...spring, memory: 5 }));
    for (const t of [0, 0.1, 0.55, 1]) {
      source.seek(clip, t);
      expect(Math.abs(lagOf(source) - steady(t, spring.frequency, spring.damping, { A: 0.3, F: 2 }))).toBeLessThan(
        1e-4,
      );
    }
    source.seek(clip, 0);
    const seam = lagOf(source);
    source.seek(clip, 1);
    expect(Math.abs(lagOf(source) - seam)).toBeLessThan(1e-6);
  });

  it('lets a clip be cut into pieces, and is refused where it would cut a swing off', () => {
    expect(needsWholeClips(fleshOnly())).toBe(true);
    expect(needsWholeClips(fleshOnly({ memory: 2 }))).toBe(false);
    expect(() => plan(0.3)).toThrow('47 % of its size: write a “memory” of at least 1 s');
  });
});
