import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { JUMP_STEP, listMoments } from '../../src/rehearse/list-moments.js';
import { rehearseStack } from '../../src/rehearse/rehearse-stack.js';
import type { Clip } from '../../src/skeleton/clip.js';

const cat = createDemo('cat');
const body = planBody(cat);

describe('rehearseStack', () => {
  it('makes the stack gentler until no clip looks worse than plain skinning, and says where', () => {
    const { stack, warnings, harm, rounds } = rehearseStack(body, presetStack());
    expect(harm!.broken).toEqual([]);
    expect(rounds).toBeGreaterThan(1);
    expect(warnings[0]!.message).toMatch(/^The skin around “.+” creased at .+ s of “walk” .+ move less now$/);
    const { calm } = stack.volume!.options as { calm: unknown[] };
    expect(calm.length).toBeGreaterThan(0);
    // What is gentle enough is left as it is.
    const again = rehearseStack(planBody(cat), stack);
    expect([again.rounds, again.stack, again.warnings]).toEqual([1, stack, []]);
  });

  it('leaves a stack alone that is exact whatever it looks like, that asks for other volumes, or that is no shapes', () => {
    for (const volume of [
      { options: { limit: 0 } },
      { target: { all: 1.1 } },
      { method: 'normal-exact' as const },
      { ...presetStack().volume, enabled: false },
    ]) {
      const stack = { skin: {}, volume };
      const rehearsal = rehearseStack(body, stack);
      expect(rehearsal.stack).toBe(stack);
      expect(rehearsal.harm).toBe(undefined);
    }
    expect(rehearseStack(body, presetStack(), { clips: [] }).moments).toBe(0);
  });

  it('is remembered by its body, whatever else the stack holds', () => {
    const first = rehearseStack(body, presetStack());
    const second = rehearseStack(body, { ...presetStack(), contact: {} });
    expect(second.harm).toBe(first.harm);
    expect(second.stack).toEqual({ ...first.stack, contact: {} });
  });

  it('is what a frame source plays that is asked for it', () => {
    const source = createFrameSource(body, presetStack(), { rehearse: true });
    expect(source.spec).toEqual(rehearseStack(body, presetStack()).stack);
    expect(createFrameSource(body, presetStack()).rehearsal).toBe(undefined);
  });
});

describe('listMoments', () => {
  const [walk] = cat.clips as [Clip, ...Clip[]];

  it('looks at a pose once, however many clips hold it', () => {
    const once = listMoments(cat, [walk]).filter(({ isLook }) => isLook);
    const twice = listMoments(cat, [walk, { ...walk, name: 'again' }]).filter(({ isLook }) => isLook);
    expect(once.length).toBeGreaterThan(3);
    const jumps = (list: typeof twice) => list.filter(({ clip }) => clip.name === 'again').length;
    expect(twice.length - jumps(twice)).toBe(once.length);
  });

  it('puts three moments around a sudden turn, and around every moment that is asked for', () => {
    const joint = cat.skeleton.boneNodes[1]!;
    const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const channel = {
      target: joint,
      path: 'rotation' as const,
      interpolation: 'LINEAR' as const,
      times: Float64Array.of(0, 0.4, 0.45, 1),
      values: Float64Array.from([turn(0), turn(0), turn(0.5), turn(0.5)].flat()),
      width: 4,
    };
    const clip: Clip = { name: 'snap', duration: 1, channels: [channel] };
    const times = listMoments(cat, [clip]).map(({ time }) => time);
    for (const key of [0.4, 0.45])
      for (const i of [-1, 0, 1]) expect(times.some((time) => Math.abs(time - key - i * JUMP_STEP) < 1e-3)).toBe(true);
    const more = listMoments(cat, [clip], [{ clip: 'snap', time: 0.7 }]).map(({ time }) => time);
    expect(more).toContain(0.7 + JUMP_STEP);
  });
});
