/** The default preset on real characters: every clip, every third frame. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, createPose, createStack, samplePose } from '@isoskin/core';
import { readCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { planJudge } from './judge-clip.js';
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

  it.each(FILES)('%s: total exact in a pose of nobody’s making', async (file) => {
    const bench = createStackBench(await read(file));
    const turn: Record<number, Turn[number]> = {};
    const { skeleton } = bench.character;
    for (const node of skeleton.boneNodes) if (skeleton.parents[node]! >= 0) turn[node] = { axis: 'x', degrees: 10 };
    const { total, frame, y } = bench.run(turn);
    expect(y.every(Number.isFinite)).toBe(true);
    expect(frame.normals.every(Number.isFinite)).toBe(true);
    expect(total).toBeLessThanOrEqual(1e-9);
  });

  it.each(['Fox.glb', 'CesiumMan.glb', 'aframe_leftHand.glb'])('%s: warm and cold agree', async (file) => {
    const character = await read(file);
    const [warm, cold] = [createStack(character), createStack(character)];
    const pose = createPose(character);
    const size = Math.max(...character.surface.positions) - Math.min(...character.surface.positions);
    for (const clip of character.clips) {
      warm.reset();
      for (let time = 0; time <= Math.min(clip.duration, 1); time += 1 / 30) {
        samplePose(pose, character, clip, time);
        cold.reset();
        const a = warm.evaluate(pose, time);
        const b = cold.evaluate(pose, time);
        // Where regions cannot be met exactly the solver stops on its way, a little elsewhere.
        const exact = !a.reports[0]!.inexact.includes(1) && !b.reports[0]!.inexact.includes(1);
        expect(largestDistance(a.positions, b.positions) / size).toBeLessThan(exact ? 1e-5 : 1e-2);
      }
    }
  });
});
