/** Whole-frame kernels get the layer that is switched on, and the same surface as the stack. */
import {
  createCharacter,
  createFastStack,
  createPose,
  createStack,
  presetStack,
  typescriptFrameKernels,
} from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { limb } from './stack-bench.js';

describe('createFastStack', () => {
  it('leaves out a volume layer that is switched off', () => {
    const character = createCharacter(limb([0, 3, 6], { length: 4.5, around: 16, along: 40 }));
    const [skin, volume] = presetStack('organic').layers;
    const off = { layer: 'volume', enabled: false, target: { all: 1.3 } } as const;
    const spec = { layers: [skin!, off, volume!] };
    const pose = createPose(character);
    pose.locals.set([0, Math.sin(0.5), 0, Math.cos(0.5)], 10 + 3);
    const fast = createFastStack(character, spec, typescriptFrameKernels).evaluate(pose);
    const { positions } = createStack(character, spec).evaluate(pose);
    for (let k = 0; k < character.surface.vertexCount; k++) {
      for (let r = 0; r < 3; r++) expect(fast.positions[4 * k + r]).toBeCloseTo(positions[3 * k + r]!, 5);
    }
  });
});
