import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCharacter } from '@isoskin/gltf/node';
import { validateBytes } from 'gltf-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, runJson, runRefused, writeDemo } from '../run-isoskin.js';
import { stripSkin } from '../strip-skin.js';

let folder = '';
let hero = '';
let statue = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-rig-'));
  hero = join(folder, 'hero.glb');
  statue = join(folder, 'statue.glb');
  await writeDemo(hero, 'hero');
  await writeFile(statue, stripSkin(await readFile(hero)));
});
afterAll(() => rm(folder, { recursive: true }));

describe('rig', () => {
  it('gives a bare mesh a skeleton and weights: a valid file that is a character', async () => {
    const output = join(folder, 'rigged.glb');
    const { joints } = runJson('rig', statue, '-o', output) as { joints: { name: string; parent: string | null }[] };
    const { issues } = await validateBytes(new Uint8Array(await readFile(output)));
    expect(issues.messages.filter(({ severity }) => severity === 0)).toEqual([]);
    const { character } = await readCharacter(output);
    expect(character.skeleton.boneCount).toBe(joints.length);
    expect(new Set(character.binding.bones).size).toBeGreaterThan(0.6 * joints.length);
    const names = joints.map(({ name }) => name);
    for (const name of ['hips', 'head.1', 'arm.L.1', 'arm.R.1', 'leg.L.1', 'leg.R.1']) expect(names).toContain(name);
    expect(joints.filter(({ parent }) => parent === null).map(({ name }) => name)).toEqual(['hips']);
    expect(runIsoskin('rig', statue, '-o', join(folder, 'again.glb')).stdout).toContain('leg.L (');
    expect(await readFile(join(folder, 'again.glb'))).toEqual(await readFile(output));
  });

  it('refuses a file that has a skeleton', () => {
    expect(runRefused('rig', hero, '-o', join(folder, 'x.glb'))).toContain('isoskin weights');
  });
});
