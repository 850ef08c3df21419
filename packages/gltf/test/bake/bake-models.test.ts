/** Every real model and every demo through the independent judge and the Khronos validator. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { StackSpec } from '@isoskin/core';
import { createDemo, demoNames } from '@isoskin/demos';
import { type BakeOptions, bakeCharacter, writeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import { validateBytes } from 'gltf-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasJudge, judgeFile, judgeNote, modelPath } from './judge-file.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-bake-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Nothing is held back, and the gate leaves a stack alone that names its volume. */
const EXACT: StackSpec = { skin: {}, volume: { options: { limit: 0 }, target: { all: 1 } } };

const errorsOf = async (path: string) => {
  if (path.endsWith('.gltf')) return new Set<string>();
  const { issues } = await validateBytes(new Uint8Array(await readFile(path)));
  return new Set(issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code));
};

async function judgeBake(input: string, options: BakeOptions = {}, fps = 30) {
  const result = await bakeCharacter(await readCharacter(input), options);
  const output = join(folder, `${basename(input)}.baked.glb`);
  await writeFile(output, result.glb);
  expect(result.worseRegions).toEqual([]);
  // What the bake claims of the file is what another player sees.
  const claimed = Math.max(0, ...result.clips.map(({ worst }) => Math.abs(worst.baked)));
  const found = judgeFile(input, output, fps);
  expect(found).toBeLessThanOrEqual(claimed + (options.as === 'cache' ? 0.002 : 0.0002));
  const before = await errorsOf(input);
  expect([...(await errorsOf(output))].filter((code) => !before.has(code))).toEqual([]);
  return { ...result, found };
}

describe.skipIf(!hasJudge)(`the judge passes every real model${judgeNote}`, () => {
  it.each([
    'Fox.glb',
    'RiggedFigure.glb',
    'CesiumMan.glb',
    'RobotExpressive.glb',
    'Ghost.glb',
    'aframe_leftHand.glb',
    'webxr_hand_left.glb',
    'Manny/kaykit_Manny.gltf',
  ])('%s', async (name) => {
    const { positionError, targets, glb } = await judgeBake(modelPath(name));
    expect(positionError).toBeLessThan(0.001);
    for (const { count } of targets) expect(count).toBeLessThanOrEqual(24);
    if (name.endsWith('.glb')) expect(glb.length).toBeLessThan(2.2 * (await readFile(modelPath(name))).length);
  });

  it.each(['Fox.glb', 'RiggedFigure.glb'])('%s, exact without a limit', async (name) => {
    const { found } = await judgeBake(modelPath(name), { stack: EXACT });
    expect(found).toBeLessThan(0.0005);
  });

  it.each(['Fox.glb', 'Ghost.glb', 'aframe_leftHand.glb'])('%s as a cache', async (name) => {
    await judgeBake(modelPath(name), { as: 'cache' });
  });
});

describe.skipIf(!hasJudge)(`the judge passes every demo${judgeNote}`, () => {
  // Small where the thin parts allow it, and few frames.
  const sizes: Record<string, number> = { finger: 500, toy: 1000, hand: 1700, hero: 1700 };
  it.each(demoNames)('%s', async (name) => {
    const input = join(folder, `${name}.glb`);
    const vertices = sizes[name];
    await writeFile(input, await writeCharacter(createDemo(name, vertices === undefined ? {} : { vertices })));
    await judgeBake(input, { fps: 8 }, 8);
    const { found } = await judgeBake(input, { fps: 8, stack: EXACT }, 8);
    expect(found).toBeLessThan(0.0005);
  });
});
