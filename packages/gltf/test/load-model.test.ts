import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadModel, readCharacter, readLoadedModel } from '@isoskin/gltf/node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { skinnedBox } from './model-builder.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-load-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A box as .gltf with its numbers in a file of their own. */
async function writeGltf(): Promise<string> {
  const model = skinnedBox();
  model.json.buffers[0].uri = 'box data.bin';
  await writeFile(join(folder, 'box data.bin'), model.binary());
  await writeFile(join(folder, 'box.gltf'), JSON.stringify(model.json));
  return join(folder, 'box.gltf');
}

it('sees the same model after its files were replaced', async () => {
  const path = await writeGltf();
  const model = await loadModel(path);
  await writeFile(path, 'gone');
  await writeFile(join(folder, 'box data.bin'), 'gone');
  const { character } = await readLoadedModel(structuredClone(model)); // as a worker gets it
  expect(character.name).toBe('box');
  expect(character.surface.vertexCount).toBe(8);
});

it('names a file that is missing', async () => {
  const path = await writeGltf();
  await rm(join(folder, 'box data.bin'));
  await expect(readCharacter(path)).rejects.toMatchObject({ code: 'FILE_MISSING' });
});

it('refuses more memory than allowed: by the size of the files, and by what they unpack to', async () => {
  const path = await writeGltf();
  await expect(readCharacter(path, { maxMemory: 500 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const model = skinnedBox();
  // 40 MB of zeros in a few bytes: an accessor without data.
  model.json.accessors.push({ componentType: 5126, count: 10 * 2 ** 20, type: 'SCALAR' });
  const file = join(folder, 'sparse.glb');
  await writeFile(file, model.glb());
  await expect(readCharacter(file)).resolves.toBeDefined();
  await expect(readCharacter(file, { maxMemory: 2 ** 20 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
