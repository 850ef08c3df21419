/** G3: a swing that travels through the skin. */
import { createCharacter, createFrameSource, createPose, IsoskinError, planBody } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { chain, character, part, tubeShape } from '../meshes.js';
import { shaken } from './oscillator.js';
import { ball, everyFrame, fleshOnly, moveNode, shakeClip } from './swing-bench.js';

const spring = { frequency: 2, damping: 0.1 };
/** A long tube of flesh: its first fifth on a joint that can be pushed, the rest on one that stands still. */
const length = 10;
const bar = () =>
  createCharacter(
    character([part(tubeShape({ radius: 1, length, around: 12, along: 41 }), (x) => (x < 4 ? [1, 0] : [0, 1]))], {
      ...chain([0, 4]),
      parents: [-1, -1],
    }),
  );

/** One push of joint 0: a bump of the given seconds. */
const push = (t: number): [number, number, number] => [0, 0.3 * Math.sin(Math.PI * Math.min(1, t / 0.25)) ** 2, 0];

/** Largest lag of the ring at x, by frame. */
function recordSwing(options: object, rings: readonly number[], seconds = 2): number[][] {
  const body = bar();
  const source = createFrameSource(planBody(body), fleshOnly({ ...spring, ...options }));
  const { positions: rest } = body.surface;
  const found = rings.map((): number[] => []);
  moveNode(body, source, push, everyFrame(120, seconds), () => {
    const { positions, skinned } = source.frame;
    rings.forEach((x, r) => {
      let most = 0;
      for (let k = 0; k < rest.length; k += 3) {
        if (Math.abs(rest[k]! - x) < 0.26)
          most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => positions[k + c]! - skinned[k + c]!)));
      }
      found[r]!.push(most);
    });
  });
  return found;
}

describe('a push at one end of a bar of flesh', () => {
  const rings = [6, 8, 10, 12];

  it('is felt nowhere else without neighbours', () => {
    for (const swing of recordSwing({}, rings)) expect(Math.max(...swing)).toBe(0);
  });

  it('travels along the skin: later and weaker the farther, and calms down', () => {
    const swings = recordSwing({ travel: 2 }, rings, 6);
    const peaks = swings.map((swing) => Math.max(...swing));
    const arrivals = swings.map((swing, r) => swing.findIndex((one) => one > 0.25 * peaks[r]!));
    for (let r = 1; r < rings.length; r++) {
      expect(arrivals[r]).toBeGreaterThan(arrivals[r - 1]!);
      expect(peaks[r]).toBeLessThan(peaks[r - 1]!);
    }
    expect(peaks[0]).toBeGreaterThan(0.01);
    for (const [r, swing] of swings.entries()) expect(Math.max(...swing.slice(-60))).toBeLessThan(0.02 * peaks[r]!);
  });

  it('travels farther the larger the width, and not at all through stiff skin', () => {
    const reach = (travel: number) => Math.max(...recordSwing({ travel }, [8])[0]!);
    expect(reach(1)).toBeGreaterThan(1.5 * reach(0.4));
    expect(reach(2)).toBeGreaterThan(1.2 * reach(1));
    const stiff = bar();
    const paint = Array.from({ length: stiff.surface.vertexCount }, (_, k) => {
      const x = stiff.surface.positions[3 * k]!;
      return x > 5 && x < 7 ? 0 : 1;
    });
    const source = createFrameSource(
      planBody(stiff),
      fleshOnly({ ...spring, travel: 2, softness: { kind: 'uniform', paint } }),
    );
    let most = 0;
    moveNode(stiff, source, push, everyFrame(60, 2), () => {
      const { positions, skinned } = source.frame;
      for (let k = 0; k < positions.length; k++) {
        if (stiff.surface.positions[k - (k % 3)]! > 7.1) most = Math.max(most, Math.abs(positions[k]! - skinned[k]!));
      }
    });
    expect(most).toBeLessThan(1e-4); // what the modes lack in convergence
  });

  it('never gains energy, however long the steps', () => {
    for (const dt of [1e-4, 1 / 60, 0.7, 30]) {
      const body = bar();
      const source = createFrameSource(planBody(body), fleshOnly({ ...spring, travel: 1.5 }));
      moveNode(body, source, push, everyFrame(120, 0.25));
      const pose = createPose(body);
      let last = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 40; n++) {
        const { positions, skinned } = source.evaluate(pose, 0, dt);
        let most = 0;
        for (let k = 0; k < positions.length; k++) most = Math.max(most, Math.abs(positions[k]! - skinned[k]!));
        expect(most).toBeLessThan(0.6);
        if (dt > 10) {
          expect(most).toBeLessThanOrEqual(last);
          last = most;
        }
      }
    }
  });
});

describe('flesh that is moved as a whole', () => {
  it('is the same oscillator with neighbours as without: nothing pulls', () => {
    const body = ball();
    const source = createFrameSource(planBody(body), fleshOnly({ ...spring, travel: 1 }));
    const at = (t: number): [number, number, number] => [0.3 * Math.sin(2 * Math.PI * 1.3 * t), 0, 0];
    moveNode(body, source, at, everyFrame(240, 2), (t) => {
      if (t < 0.05) return;
      const e = shaken(t, spring.frequency, spring.damping, { A: 0.3, F: 1.3 });
      const { positions, skinned } = source.frame;
      for (let k = 0; k < positions.length; k += 3)
        expect(Math.abs(positions[k]! - skinned[k]! - e)).toBeLessThan(1e-5);
    });
  });

  it('has the same bits in any order of moments, with and without a memory', () => {
    const clip = shakeClip(3, 0.2, 1.1);
    for (const memory of [undefined, 2]) {
      const plan = () =>
        createFrameSource(planBody(ball([clip])), fleshOnly({ ...spring, travel: 1, loop: false, memory }));
      const times = [0.1, 2.7, 1.3, 0.9, 2.9];
      const forward = plan();
      const backward = plan();
      const there = times.map((t) => forward.seek(clip, t).positions.slice());
      const back = [...times].reverse().map((t) => backward.seek(clip, t).positions.slice());
      expect(there).toEqual(back.reverse());
    }
  });

  it('with springs of its own for a region it is refused', () => {
    const plan = () =>
      createFrameSource(planBody(bar()), fleshOnly({ travel: 1, regions: { 'bone 1': { frequency: 4 } } }));
    expect(plan).toThrow(IsoskinError);
    expect(plan).toThrow('one frequency and one damping');
  });
});
