import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Character,
  countSelfIntersections,
  createPose,
  createStack,
  frameTimes,
  planBvh,
  planContact,
  type StackSpec,
  samplePose,
} from '@isoskin/core';
import { readCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { longestEdge, WITH_CONTACT } from './fold-bench.js';

const models = join(process.cwd(), '../shared/models');
const present = existsSync(models);
const FPS = 10;
/** At least this share of linear skinning's crossing pairs goes (measured at 30 fps: docs/contact.md). */
const GONE: Readonly<Record<string, number>> = {
  'CesiumMan clip 0': 0.9,
  'Fox Walk': 0.75,
  'Fox Run': 0.75,
  'RobotExpressive ThumbsUp': 0.95,
  'aframe_leftHand Point': 0.9,
  'aframe_leftHand Point + Thumb': 0.9,
  'aframe_leftHand Fist': 0.9,
  'aframe_leftHand Thumb Up': 0.9,
};
/** Clips with this many pairs in some frame lose 80 % of them: the median of all such clips. */
const MANY = 20;
const LOST = 0.8;

const read = async (name: string) => (await readCharacter(join(models, `${name}.glb`))).character;

/** Crossing pairs of a clip, summed over its frames, and the most of any frame. */
function count(character: Character, clipName: string, spec: StackSpec = WITH_CONTACT, fps = FPS) {
  const { triangles, positions } = character.surface;
  const stack = createStack(character, spec);
  const bvh = planBvh(triangles, positions);
  const pose = createPose(character);
  const clip = character.clips.find(({ name }) => name === clipName)!;
  const result = { skinned: 0, corrected: 0, most: 0, stretch: { skinned: 0, corrected: 0 }, jump: 0 };
  const steps: number[] = [];
  let last: Float64Array | undefined;
  for (const time of frameTimes(clip, fps)) {
    samplePose(pose, character, clip, time);
    const frame = stack.evaluate(pose, time);
    const skinned = countSelfIntersections(bvh, frame.skinned);
    result.skinned += skinned;
    result.most = Math.max(result.most, skinned);
    result.corrected += countSelfIntersections(bvh, frame.positions);
    const { stretch } = result;
    stretch.skinned = Math.max(stretch.skinned, longestEdge(triangles, positions, frame.skinned));
    stretch.corrected = Math.max(stretch.corrected, longestEdge(triangles, positions, frame.positions));
    if (last) steps.push(frame.positions.reduce((most, value, i) => Math.max(most, Math.abs(value - last![i]!)), 0));
    last = frame.positions.slice();
  }
  const sorted = steps.toSorted((a, b) => a - b);
  result.jump = (sorted.at(-1) ?? 0) / (sorted[sorted.length >> 1] ?? 1);
  return result;
}

describe.skipIf(!present)(`real models (skipped: no ../shared/models beside the repository)`, () => {
  const lost: number[] = [];

  it.each(['CesiumMan', 'Fox', 'RiggedFigure', 'RobotExpressive', 'aframe_leftHand', 'Ghost'])(
    '%s: summed over a clip, never more crossing pairs than linear skinning',
    async (name) => {
      const character = await read(name);
      for (const clip of character.clips) {
        const { skinned, corrected, most } = count(character, clip.name);
        if (most >= MANY) lost.push(1 - corrected / skinned);
        const left = 1 - (GONE[`${name} ${clip.name}`] ?? 0);
        expect(corrected, `${name}, ${clip.name}: linear skinning has ${skinned}`).toBeLessThanOrEqual(left * skinned);
      }
    },
  );

  it(`of the clips with ${MANY} pairs or more in some frame, the median loses ${100 * LOST} % of them`, () => {
    expect(lost.length).toBeGreaterThanOrEqual(7);
    expect(lost.toSorted((a, b) => a - b)[lost.length >> 1]).toBeGreaterThanOrEqual(LOST);
  });

  it.each([
    ['aframe_leftHand', 'Fist', 240],
    ['Fox', 'Run', 120],
  ] as const)('%s, %s at %i fps: no jump, no spike', async (name, clip, fps) => {
    const result = count(await read(name), clip, WITH_CONTACT, fps);
    expect(result.jump).toBeLessThan(20);
    // The longest edge, in rest lengths: linear skinning has 2.0 and 6.1, contact 2.6 and 7.6.
    expect(result.stretch.corrected).toBeLessThan(1.5 * result.stretch.skinned);
  });

  it('a coarse hand: joints that are turned back do more than the skin alone, and the bind pose stays as it is', async () => {
    const character = await read('aframe_leftHand');
    const [skin, contact, volume] = WITH_CONTACT.layers;
    const without = count(character, 'Fist', {
      layers: [skin!, { ...contact!, retreat: 0 } as typeof contact & object, volume!],
    });
    expect(count(character, 'Fist').corrected).toBeLessThan(without.corrected / 2);
    // All bones where they were bound: two pairs of triangles cross there, and are left alone until a joint turns.
    const bones = Float64Array.from({ length: 12 * character.skeleton.boneCount }, (_, i) =>
      [0, 4, 8].includes(i % 12) ? 1 : 0,
    );
    const positions = character.surface.positions.slice();
    planContact(character).find(positions, bones);
    expect(positions).toEqual(character.surface.positions);
  });
});
