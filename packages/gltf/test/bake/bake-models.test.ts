/** Every real model and every demo through the independent judge and the Khronos validator. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFrameSource, planBody } from '@isoskin/core';
import { createDemo, demoNames } from '@isoskin/demos';
import { type BakeOptions, bakeCharacter, writeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import { validateBytes } from 'gltf-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const shared = new URL('../../../../../shared/', import.meta.url);
const judge = fileURLToPath(new URL('accept/bake-check.mjs', shared));
const modelPath = (name: string) => fileURLToPath(new URL(`models/${name}`, shared));
const hasJudge = existsSync(judge) && existsSync(modelPath('Fox.glb'));
const note = hasJudge ? '' : ' (skipped: ../shared/models and ../shared/accept are not here)';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-bake-'));
});
afterAll(() => rm(folder, { recursive: true }));

const errorsOf = async (path: string) => {
  if (path.endsWith('.gltf')) return new Set<string>();
  const { issues } = await validateBytes(new Uint8Array(await readFile(path)));
  return new Set(issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code));
};

async function judgeBake(input: string, options: BakeOptions = {}, fps = 30) {
  const result = await bakeCharacter(await readCharacter(input), options);
  const output = join(folder, `${basename(input)}.baked.glb`);
  await writeFile(output, result.glb);
  const limit = options.as === 'cache' ? '0.002' : '0.0002';
  const words = [judge, input, output, '--fps', String(fps), '--limit', limit];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stdout).toMatch(/^holds: /m);
  expect(status).toBe(0);
  const before = await errorsOf(input);
  expect([...(await errorsOf(output))].filter((code) => !before.has(code))).toEqual([]);
  return result;
}

describe.skipIf(!hasJudge)(`the judge passes every real model${note}`, () => {
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
    expect(positionError).toBeLessThan(0.0005);
    const { character } = await readCharacter(modelPath(name));
    const { regionCount } = createFrameSource(planBody(character)).volume!.shapes!.shapes;
    // What moves vertices: one for every region. Beside them normals alone, where a joint bends both ways.
    for (const { count, turns } of targets) {
      expect(count - turns).toBeLessThanOrEqual(regionCount);
      expect(turns).toBeLessThanOrEqual(2 * character.skeleton.boneCount);
    }
    if (name.endsWith('.glb')) expect(glb.length).toBeLessThan(2.2 * (await readFile(modelPath(name))).length);
  });

  it.each(['Fox.glb', 'Ghost.glb', 'aframe_leftHand.glb'])('%s as a cache', async (name) => {
    await judgeBake(modelPath(name), { as: 'cache' });
  });
});

describe.skipIf(!hasJudge)(`the judge passes every demo${note}`, () => {
  // Small where the thin parts allow it, and few frames.
  const sizes: Record<string, number> = { finger: 500, toy: 1000, hand: 1700, hero: 1700 };
  it.each(demoNames)('%s', async (name) => {
    const input = join(folder, `${name}.glb`);
    const vertices = sizes[name];
    await writeFile(input, await writeCharacter(createDemo(name, vertices === undefined ? {} : { vertices })));
    await judgeBake(input, { fps: 8 }, 8);
  });
});
