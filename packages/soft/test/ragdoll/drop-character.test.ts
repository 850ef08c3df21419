import { type Character, createPose, samplePose } from '@isoskin/core';
import { measureWorldMatrices } from '@isoskin/core/kernels';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { dropCharacter } from '../../src/ragdoll/drop-character.js';
import { fitBodies } from '../../src/ragdoll/fit-bodies.js';

/** Joints that a clip moves, at a time: their places, and the distances to their parents. */
function measureJoints(character: Character, clip: Character['clips'][number], time: number) {
  const { skeleton } = character;
  const pose = createPose(character);
  const world = new Float64Array(16 * skeleton.nodeCount);
  samplePose(pose, character, clip, time);
  measureWorldMatrices(world, skeleton, pose.locals);
  const at = (n: number) => [12, 13, 14].map((k) => world[16 * n + k]!);
  const lengths = Array.from(skeleton.parents, (parent, n) =>
    parent < 0 ? 0 : Math.hypot(...at(n).map((x, k) => x - at(parent)[k]!)),
  );
  return { heights: Array.from(skeleton.parents, (_, n) => at(n)[1]!), lengths };
}

describe('a character that falls', () => {
  it.each(['hero', 'cat'])(
    '%s: finite, comes to rest on the floor, keeps bones and volumes',
    async (name) => {
      const character = createDemo(name, { vertices: 1500 });
      const { box } = fitBodies(character);
      const size = Math.max(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
      const { clip, rest, volumes, bodies } = await dropCharacter(character);
      expect(bodies).toBeGreaterThan(8);
      for (const { values } of clip.channels) for (const value of values) expect(Number.isFinite(value)).toBe(true);
      expect(rest).toBeLessThan(0.01);
      expect(volumes[0]).toBeGreaterThan(0.98);
      expect(volumes[1]).toBeLessThan(1.02);
      const [start, middle, end] = [0, 1, clip.duration].map((time) => measureJoints(character, clip, time));
      for (const now of [middle!, end!]) {
        // Roots move; all others stay as far from their parents as they were.
        now.lengths.forEach((length, n) => {
          const moved = clip.channels.some(({ target, path }) => target === n && path === 'translation');
          if (!moved) expect(length).toBeCloseTo(start!.lengths[n]!, 6);
        });
      }
      // Above the floor, which is where its lowest point was; lower than it began, and lying.
      expect(Math.min(...end!.heights)).toBeGreaterThan(box[1]! - 0.05 * size);
      expect(Math.max(...end!.heights)).toBeLessThan(Math.max(...start!.heights) - 0.3 * size);
    },
    300_000,
  );

  it('gives the same bits twice', async () => {
    const character = createDemo('hero', { vertices: 1000 });
    const [one, two] = [
      await dropCharacter(character, { duration: 1 }),
      await dropCharacter(character, { duration: 1 }),
    ];
    expect(one).toEqual(two);
  }, 200_000);
});

describe('fitBodies', () => {
  it('finds the capsules of limbs: their length and thickness, wherever the bones lie', () => {
    const { bodies, box } = fitBodies(createDemo('hero', { vertices: 3000 }));
    const size = box[4]! - box[1]!;
    for (const { from, to, radius, parent } of bodies) {
      expect(radius).toBeGreaterThan(0.009 * size);
      expect(radius).toBeLessThan(0.25 * size);
      for (const point of [from, to]) {
        point.forEach((x, k) => {
          expect(x).toBeGreaterThan(box[k]!);
          expect(x).toBeLessThan(box[3 + k]!);
        });
      }
      expect(parent).toBeLessThan(bodies.length);
    }
    expect(bodies.filter(({ parent }) => parent < 0).length).toBe(1);
  });
});
