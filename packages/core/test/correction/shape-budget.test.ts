/** C18: joined regions and bends that are left out fit the budget, and cost little. */
import { createFrameSource, createPose, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';

const character = createDemo('hand', { vertices: 1700 });
const body = planBody(character);
const planFor = (targets: number) => {
  const { volume, ...stack } = presetStack('natural');
  const spec = { ...stack, volume: { ...volume, options: { ...volume?.options, targets } } };
  return createFrameSource(body, spec, { rehearse: true });
};

describe('a budget of morph targets', () => {
  const whole = planFor(0);
  const few = planFor(12);

  it('is kept, by regions that share a shape; without one nothing is joined', () => {
    /** Shapes that move in the clips. */
    const count = ({ volume, rehearsal }: typeof whole) => {
      const { shapeCount, regionCount } = volume!.shapes!.shapes;
      const isMoved = (s: number) => rehearsal!.samples!.some((amounts) => Math.abs(amounts[s]!) > 1e-6);
      return shapeCount - regionCount + Array.from({ length: regionCount }, (_, s) => s).filter(isMoved).length;
    };
    expect(count(whole)).toBeGreaterThan(20);
    expect(count(few)).toBeLessThan(12); // one more stands for what goes both ways
    expect(few.volume!.regions.joined!.few).toBeGreaterThan(5);
    expect(whole.volume!.regions.joined!.few).toBe(0);
    const { join } = few.spec.volume!.regions!;
    for (const list of join!) for (const name of list) expect(whole.volume!.regions.names).toContain(name);
  });

  it('leaves the volume of the joined regions as exact as that of single ones', () => {
    const pose = createPose(character);
    for (const clip of character.clips) {
      samplePose(pose, character, clip, 0.4 * clip.duration);
      const [a, b] = [whole, few].map((source) => {
        const { report, skinned, positions } = source.evaluate(pose);
        const off = report!.volumes.reduce((sum, v, s) => sum + Math.abs(v - report!.targets[s]!), 0);
        const total = report!.targets.reduce((sum, v) => sum + v, 0);
        let moved = 0;
        for (let i = 0; i < skinned.length; i++) moved = Math.max(moved, Math.abs(positions[i]! - skinned[i]!));
        return { off: off / total, moved };
      });
      expect(b!.off).toBeLessThan(a!.off + 0.005);
      if (a!.moved > 1e-3) expect(b!.moved).toBeGreaterThan(0.2 * a!.moved);
    }
  });

  it('names what is unknown where a list of another character is given', () => {
    const { volume, ...stack } = presetStack('natural');
    const spec = { ...stack, volume: { ...volume, regions: { join: [['nose', 'trunk']] } } };
    expect(() => createFrameSource(body, spec)).toThrow(/There is no region “nose”/);
  });
});
