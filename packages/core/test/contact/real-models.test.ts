import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countSelfIntersections, createPose, createStack, frameTimes, planBvh, samplePose } from '@isoskin/core';
import { readCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { WITH_CONTACT } from './fold-bench.js';

const models = join(process.cwd(), '../shared/models');
const present = existsSync(models);
const FPS = 10;
/** Clips that crumple: at least this share of linear skinning's crossing pairs goes (measured at 30 fps: docs/contact.md). */
const GONE: Readonly<Record<string, number>> = {
  'CesiumMan clip 0': 0.9,
  'Fox Walk': 0.9,
  'Fox Run': 0.75,
  'RobotExpressive ThumbsUp': 0.9,
};

describe.skipIf(!present)(`real models (skipped: no ../shared/models beside the repository)`, () => {
  it.each(['CesiumMan', 'Fox', 'RiggedFigure', 'RobotExpressive', 'aframe_leftHand'])(
    '%s: summed over a clip, never more crossing pairs than linear skinning',
    async (name) => {
      const { character } = await readCharacter(join(models, `${name}.glb`));
      const stack = createStack(character, WITH_CONTACT);
      const bvh = planBvh(character.surface.triangles, character.surface.positions);
      const pose = createPose(character);
      for (const clip of character.clips) {
        let skinned = 0;
        let corrected = 0;
        stack.reset();
        for (const time of frameTimes(clip, FPS)) {
          samplePose(pose, character, clip, time);
          const frame = stack.evaluate(pose, time);
          skinned += countSelfIntersections(bvh, frame.skinned);
          corrected += countSelfIntersections(bvh, frame.positions);
        }
        const left = 1 - (GONE[`${name} ${clip.name}`] ?? 0);
        expect(corrected, `${name}, ${clip.name}: linear skinning has ${skinned}`).toBeLessThanOrEqual(left * skinned);
      }
    },
  );
});
