/** Regions of a body that is its own mirror image are mirror images, also where weights and numbers are not quite. */
import { createCharacter, createFrameSource, planBody } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { findMirror } from '../../src/regions/find-mirror.js';
import { planBoneSegments } from '../../src/skeleton/plan-bone-segments.js';
import { bar } from './bar.js';

describe('findMirror', () => {
  it('finds opposite bones and vertices', () => {
    const one = createCharacter(bar());
    const mirror = findMirror(one, planBoneSegments(one.skeleton))!;
    expect([...mirror.bones]).toEqual([0, 3, 4, 1, 2]);
    const { positions } = one.surface;
    mirror.vertices.forEach((mate, v) => {
      expect(positions[3 * mate]).toBeCloseTo(-positions[3 * v]!, 6);
    });
  });

  it('finds none where nothing lies opposite: a limb, a bar with a lump', () => {
    const limb = createDemo('tube');
    expect(findMirror(limb, planBoneSegments(limb.skeleton))).toBeUndefined();
    const input = bar();
    const lumpy = {
      ...input.parts[0]!,
      positions: input.parts[0]!.positions.map((x, i) => (i % 3 && x > 0 && i < 900 ? 3 * x : x)),
    };
    const one = createCharacter({ ...input, parts: [lumpy] });
    expect(findMirror(one, planBoneSegments(one.skeleton))).toBeUndefined();
  });
});

describe('regions of a mirrored body', () => {
  const pairsOf = (one: ReturnType<typeof createCharacter>) => {
    const { regions, rest } = createFrameSource(planBody(one)).volume!;
    return regions.names.map((name, s) => ({
      name,
      mate: regions.names[regions.mates[s]!]!,
      ratio: rest[s]! / rest[regions.mates[s]!]!,
    }));
  };

  it('are mirror images although the weights of one side differ', () => {
    const pairs = pairsOf(createCharacter(bar(0.3)));
    expect(pairs.map(({ name }) => name).sort()).toEqual([
      'hips',
      'left elbow',
      'left shoulder',
      'right elbow',
      'right shoulder',
    ]);
    for (const { name, mate, ratio } of pairs) {
      const opposite = name.startsWith('left') ? name.replace('left', 'right') : name.replace('right', 'left');
      expect(mate).toBe(opposite);
      expect(ratio).toBeCloseTo(1, 6);
    }
  });

  it.each(['hero', 'elephant', 'cat', 'giraffe', 'toy'])('are so on the demo %s', (name) => {
    for (const { mate, ratio } of pairsOf(createDemo(name))) {
      expect(mate).toBeDefined();
      expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
    }
  });
});
