import { createCharacter, createFrameSource, createPose, planBody, presetStack, type StackSpec } from '@isoskin/core';
import { isStateful } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';
import { tube } from '../meshes.js';
import { organicWith } from './stack-bench.js';

describe('isStateful', () => {
  it('is true for flesh that is switched on, and for nothing else', () => {
    expect(isStateful(presetStack('flesh'))).toBe(true);
    expect(isStateful(presetStack('organic'))).toBe(false);
    const off: StackSpec = { skin: {}, flesh: { enabled: false }, volume: {} };
    expect(isStateful(off)).toBe(false);
    expect(isStateful(organicWith({ progressive: 4 }))).toBe(false);
  });

  it('refuses a list of layers that did not come through the door', () => {
    expect(() => isStateful({ layers: [{ layer: 'flesh' }] } as StackSpec)).toThrow(/checkStack/);
  });

  it('a progressive layer indeed remembers nothing: a reset changes no bit', () => {
    const stack = createFrameSource(planBody(createCharacter(tube())), organicWith({ progressive: 4 }));
    const pose = createPose(stack.character);
    const bent = (half: number) => {
      pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], 13);
      return stack.evaluate(pose, 0, 1 / 30).positions.slice();
    };
    bent(0.2);
    const after = bent(0.5);
    stack.reset();
    expect(bent(0.5)).toEqual(after);
  });
});
