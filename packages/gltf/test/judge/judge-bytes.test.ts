/** The judge: a writer that is broken, in several ways, is found out, and nothing comes of the bake. */

import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { editGlb, type GlbEdit, jsonOf } from '../edit-glb.js';

let spoil: ((edit: GlbEdit) => void) | undefined;
vi.mock('../../src/patch/write-glb.js', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../src/patch/write-glb.js')>();
  return {
    writeGlb: async (...args: Parameters<typeof actual.writeGlb>) => {
      const glb = await actual.writeGlb(...args);
      return spoil ? editGlb(glb, spoil) : glb;
    },
  };
});
afterEach(() => {
  spoil = undefined;
});

const tube = editGlb(await writeCharacter(createDemo('tube')), ({ json }) => {
  json.extensionsUsed = ['ACME_soul'];
  json.extensions = { ACME_soul: { weight: 21 } };
  json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
  json.nodes.push({ camera: 0, translation: [1e-6, 0, 0] });
  json.scenes.push({ nodes: [json.nodes.length - 1] });
});
const first = jsonOf(tube).accessors.length;
const bake = async () => bakeCharacter(await readCharacterFromBytes(tube), { fps: 15 });

describe('a bake by a broken writer is refused', () => {
  it('a whole writer passes', async () => {
    expect((await bake()).glb.length).toBeGreaterThan(tube.length);
  });

  it('a cache in every scene', async () => {
    const read = await readCharacterFromBytes(tube);
    expect((await bakeCharacter(read, { fps: 15, as: 'cache' })).glb.length).toBeGreaterThan(0);
    spoil = ({ json }) => void json.scenes[1].nodes.push(json.nodes.length - 1);
    await expect(bakeCharacter(read, { fps: 15, as: 'cache' })).rejects.toMatchObject({ code: 'RESULT_WRONG' });
  });

  const weights = ({ json }: GlbEdit) => json.animations[0].samplers.at(-1).output as number;
  it.each<[string, (edit: GlbEdit) => void, RegExp]>([
    ['a number that is none', (edit) => void (edit.floats(weights(edit))[2] = Number.NaN), /number that is none/],
    ['weights cut to 0', (edit) => void edit.floats(weights(edit)).fill(0), /plays another volume/],
    ['a byte of the mesh', ({ binary }) => void (binary[40]! ^= 1), /data of the file/],
    ['a lost extension', ({ json }) => void delete json.extensions, /-extensions/],
    ['a camera with an end', ({ json }) => void (json.cameras[0].perspective.zfar = 100), /zfar/],
    ['a rounded transform', ({ json }) => void delete json.nodes.at(-1).translation, /translation/],
    ['objects with other numbers', ({ json }) => void json.accessors.splice(first - 1, 1), /accessors/],
    ['a mesh in every scene', ({ json }) => void json.scenes[1].nodes.push(0), /scenes\[1\]/],
    ['a clip that is gone', ({ json }) => void delete json.animations, /animations/],
  ])('%s', async (_, change, words) => {
    spoil = change;
    const failure = await bake().then(
      () => undefined,
      (error: unknown) => error as Error & { place: string },
    );
    expect(failure).toMatchObject({ code: expect.stringMatching(/^RESULT_(WRONG|NOT_FINITE)$/) });
    expect(`${failure!.message} ${failure!.place}`).toMatch(words);
  });
});
