import { createCharacter } from '@isoskin/core';
import { fitSkeleton } from '@isoskin/core/weights';
import { describe, expect, it } from 'vitest';
import { chain, tube } from '../meshes.js';

const { surface, skeleton } = createCharacter({ ...tube(), skeleton: chain([0, 3.3, 6.6]) });

describe('fitSkeleton', () => {
  it('keeps a bind pose that stands in the body', () => {
    expect(fitSkeleton(skeleton, surface)).toBe(skeleton);
  });

  it('takes the default pose when the bind pose lies elsewhere', () => {
    const inverseBinds = Float64Array.from(skeleton.inverseBinds, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0));
    const fitted = fitSkeleton({ ...skeleton, inverseBinds }, surface);
    skeleton.inverseBinds.forEach((x, i) => {
      expect(fitted.inverseBinds[i]).toBeCloseTo(x, 12);
    });
  });

  it('refuses a skeleton that stands nowhere near', () => {
    const far = chain([100, 103]);
    const elsewhere = { ...skeleton, inverseBinds: far.inverseBinds, locals: far.locals, boneCount: 2, nodeCount: 2 };
    expect(() => fitSkeleton(elsewhere, surface)).toThrow('does not stand in the mesh');
  });
});
