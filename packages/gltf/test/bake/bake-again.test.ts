/** What was baked can be baked, weighed and bound again: targets that are there keep their numbers (A1). */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { autoWeights } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter, writeWeights } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editGlb, errorsOf, jsonOf, viewsOf } from '../edit-glb.js';
import { hasJudge, judgeFile, judgeNote, modelPath } from './judge-file.js';
import { playFile } from './play-file.js';

let folder = '';
let hero: Uint8Array;
beforeAll(async () => {
  hero = await writeCharacter(createDemo('hero', { vertices: 1700 }));
  folder = await mkdtemp(join(tmpdir(), 'isoskin-again-'));
});
afterAll(() => rm(folder, { recursive: true }));

const bake = async (bytes: Uint8Array, clips?: readonly string[]) =>
  (await bakeCharacter(await readCharacterFromBytes(bytes), { fps: 15, ...(clips && { clips }) })).glb;
/** What was there is there, byte for byte and under its number; what is new comes after it. */
const expectSameViews = (before: Uint8Array, after: Uint8Array) => {
  const [a, b] = [viewsOf(before), viewsOf(after)];
  expect(b.length).toBeGreaterThanOrEqual(a.length);
  a.forEach((view, n) => {
    expect(Buffer.compare(view, b[n]!), `buffer view ${n}`).toBe(0);
  });
};
const restOf = async (bytes: Uint8Array) =>
  (await readCharacterFromBytes(bytes)).character.surface.components.reduce((sum, { volume }) => sum + volume, 0);

describe('bake ∘ bake', () => {
  it('clip after clip holds as well as all at once', async () => {
    const rest = await restOf(hero);
    const once = await bake(hero, ['squat']);
    expect(JSON.stringify(jsonOf(once).accessors)).toContain('"sparse"');
    const twice = await bake(once, ['punch']);
    expectSameViews(hero, once);
    expectSameViews(once, twice);
    const [plain, played] = [await playFile(hero), await playFile(twice)];
    const together = await playFile(await bake(hero, ['squat', 'punch']));
    played.character.clips.forEach(({ name }, clip) => {
      const worst = played.worst(clip, rest, 15);
      if (/squat|punch/.test(name)) expect(Math.abs(worst - together.worst(clip, rest, 15)), name).toBeLessThan(0.001);
      else expect(worst).toBeCloseTo(plain.worst(clip, rest, 15), 6);
    });
    expect(await errorsOf(twice)).toEqual([]);
    // The first bake's targets are the second's first ones.
    const [a, b] = [jsonOf(once).meshes[0], jsonOf(twice).meshes[0]];
    expect(b.primitives[0].targets.slice(0, a.weights.length)).toEqual(a.primitives[0].targets);
  });

  it('a second time corrects nothing twice, though the file lost its names', async () => {
    const toy = await writeCharacter(createDemo('toy', { vertices: 1000 }));
    const once = await bake(toy);
    // As tools leave it that drop extras.
    const nameless = editGlb(once, ({ json }) => {
      for (const mesh of json.meshes) {
        delete mesh.extras;
        for (const primitive of mesh.primitives) delete primitive.extras;
      }
    });
    const rest = await restOf(toy);
    const played = await playFile(once);
    for (const input of [once, nameless]) {
      const { glb, warnings } = await bakeCharacter(await readCharacterFromBytes(input), { fps: 15 });
      expect(warnings.map(({ code }) => code)).toContain('CLIP_CORRECTED');
      const again = await playFile(glb);
      played.character.clips.forEach((_, clip) => {
        expect(again.worst(clip, rest, 15)).toBeCloseTo(played.worst(clip, rest, 15), 6);
      });
      expect(await errorsOf(glb)).toEqual([]);
    }
  });

  it.skipIf(!hasJudge).each(['Fox.glb', 'CesiumMan.glb', 'RobotExpressive.glb'])(
    `%s twice passes the independent judge${judgeNote}`,
    async (name) => {
      const input = new Uint8Array(await readFile(modelPath(name)));
      const once = await bake(input);
      const twice = await bake(once);
      expectSameViews(input, once);
      expectSameViews(once, twice);
      const output = join(folder, name);
      await writeFile(output, twice);
      judgeFile(modelPath(name), output, 15);
      const before = new Set((await errorsOf(input)).map((error) => error.split(' ')[0]));
      expect((await errorsOf(twice)).filter((error) => !before.has(error.split(' ')[0]))).toEqual([]);
    },
  );
});

describe('bake ∘ weights', () => {
  it('holds as well as without, and is as clean', async () => {
    const path = join(folder, 'weighed.glb');
    await writeFile(path, hero);
    const read = await readCharacter(path);
    const { character, bonesOfGroup } = read;
    const weighed = await writeWeights(read, autoWeights(character.surface, character.skeleton, { bonesOfGroup }));
    const glb = await bake(weighed, ['squat']);
    expectSameViews(hero, weighed);
    expectSameViews(weighed, glb);
    const [plain, played, rest] = [await playFile(weighed), await playFile(glb), await restOf(hero)];
    const clip = played.character.clips.findIndex(({ name }) => name === 'squat');
    expect(plain.worst(clip, rest, 15)).toBeGreaterThan(0.005);
    expect(played.worst(clip, rest, 15)).toBeLessThan(0.0015);
    expect(await errorsOf(glb)).toEqual([]);
  });
});

describe('weights ∘ bake', () => {
  it('keeps the targets of a bake', async () => {
    const path = join(folder, 'baked.glb');
    const baked = await bake(hero, ['squat']);
    await writeFile(path, baked);
    const read = await readCharacter(path);
    const { character, bonesOfGroup } = read;
    const weights = autoWeights(character.surface, character.skeleton, { method: 'heat', bonesOfGroup });
    const glb = await writeWeights(read, weights);
    expectSameViews(baked, glb);
    expect(await errorsOf(glb)).toEqual([]);
    const [before, after] = [await readCharacterFromBytes(baked), await readCharacterFromBytes(glb)];
    expect(after.character.morphs.map(({ deltas }) => deltas)).toEqual(
      before.character.morphs.map(({ deltas }) => deltas),
    );
    const reaches = before.character.morphs.map(({ deltas }) => Math.max(...deltas.map(Math.abs)));
    expect(Math.max(...reaches)).toBeGreaterThan(0.001);
    expect(jsonOf(glb).meshes[0].primitives[0].targets).toEqual(jsonOf(baked).meshes[0].primitives[0].targets);
  });
});
