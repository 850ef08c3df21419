/** The default preset on real characters: every clip, every third frame. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, createFrameSource, createPose, frameTimes, planBody, samplePose } from '@isoskin/core';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';
import { expectExact, planJudge } from './judge-clip.js';
import { createStackBench, largestDistance, type Turn } from './stack-bench.js';

const models = new URL('../../../../../shared/models/', import.meta.url);
const isHere = existsSync(models);
const read = async (file: string): Promise<Character> =>
  (await readCharacter(fileURLToPath(new URL(file, models)))).character;

const HUMANOIDS = new Set(['CesiumMan.glb', 'Manny/kaykit_Manny.gltf']);
const FILES = [
  'Fox.glb',
  'RiggedFigure.glb',
  'CesiumMan.glb',
  'RobotExpressive.glb',
  'Ghost.glb',
  'aframe_leftHand.glb',
  'webxr_hand_left.glb',
  'Manny/kaykit_Manny.gltf',
];

describe.skipIf(!isHere)('real models (skipped where ../shared/models is missing)', () => {
  it.each(FILES)('%s: volume and shape within the limits', async (file) => {
    const character = await read(file);
    const { meter, judge } = planJudge(character, 10);
    if (HUMANOIDS.has(file)) expect(meter.regions.count).toBeGreaterThanOrEqual(8);
    judge();
  });

  it.each(FILES)('%s: finite, and no further off than plain skinning, in a pose of nobody’s making', async (file) => {
    const bench = createStackBench(await read(file));
    const turn: Record<number, Turn[number]> = {};
    const { skeleton } = bench.character;
    for (const node of skeleton.boneNodes) if (skeleton.parents[node]! >= 0) turn[node] = { axis: 'x', degrees: 10 };
    const { total, skinnedTotal, frame, y } = bench.run(turn);
    expect(y.every(Number.isFinite)).toBe(true);
    expect(frame.normals.every(Number.isFinite)).toBe(true);
    // Exact where no region is held back; where one is, the report says so.
    if (!frame.report!.limited) expect(total).toBeLessThanOrEqual(1e-7);
    expect(total).toBeLessThanOrEqual(Math.abs(skinnedTotal) + 1e-3);
  });

  it.each(FILES)('%s: every region exact without a limit', async (file) => expectExact(await read(file), 15));

  it.each(['Fox.glb', 'CesiumMan.glb', 'aframe_leftHand.glb'])(
    '%s: frames are a function of the pose, and warm ones agree with them',
    async (file) => {
      const character = await read(file);
      const [warm, cold] = [
        createFrameSource(planBody(character), undefined, { warm: true }),
        createFrameSource(planBody(character)),
      ];
      const pose = createPose(character);
      const size = Math.max(...character.surface.positions) - Math.min(...character.surface.positions);
      for (const clip of character.clips) {
        const times = frameTimes(clip, 30);
        warm.reset();
        for (const time of times) {
          samplePose(pose, character, clip, time);
          const a = warm.evaluate(pose, time);
          const b = cold.evaluate(pose, time);
          expect(largestDistance(a.positions, b.positions) / size, `${clip.name} ${time}`).toBeLessThan(1e-6);
        }
        // Random access: the last frame first, the same bits.
        const forth = cold.seek(clip, times[1]!).positions.slice();
        cold.seek(clip, times.at(-1)!);
        expect(cold.seek(clip, times[1]!).positions).toEqual(forth);
      }
    },
  );

  it.each(['Fox.glb', 'CesiumMan.glb', 'Ghost.glb'])('%s: a held pose rests after one frame', async (file) => {
    const character = await read(file);
    const stack = createFrameSource(planBody(character), undefined, { warm: true });
    const pose = createPose(character);
    for (const clip of character.clips) {
      samplePose(pose, character, clip, 0.6 * clip.duration);
      stack.evaluate(pose);
      const first = stack.evaluate(pose).positions.slice();
      for (let n = 0; n < 5; n++) expect(stack.evaluate(pose).positions).toEqual(first);
    }
  });
});
