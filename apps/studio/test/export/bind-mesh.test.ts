/** A mesh without a skin gets one: a skeleton found in it, or that of another file or a demo; painted weights are exported. */
import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { beforeAll, expect, it } from 'vitest';
import { openSource } from '../../src/engine/open-source.js';
import { bindMesh, weighCharacter } from '../../src/export/bind-mesh.js';
import { exportCharacter } from '../../src/export/export-character.js';
import { packWeights } from '../../src/state/skin-weights.js';
import { stripSkin } from '../strip-skin.js';

const settings = { method: 'heat', locality: 4 } as const;
let rigged: Uint8Array;
let bare: Uint8Array;

beforeAll(async () => {
  rigged = await writeCharacter(createDemo('cat'));
  bare = await stripSkin(rigged);
});

it('a mesh without a skin is told from a file without a mesh', async () => {
  const open = (bytes: Uint8Array) => openSource({ kind: 'file', name: 'cat.glb', bytes });
  await expect(open(bare)).rejects.toMatchObject({ code: 'NO_SKIN' });
  const empty = new TextEncoder().encode('{"asset":{"version":"2.0"}}');
  await expect(open(empty)).rejects.toMatchObject({ code: 'NOTHING_TO_DEFORM' });
});

it.each([
  ['found in it', undefined],
  ['of a demo', 'cat'],
  ['of a file', 'file'],
])('a skeleton %s', async (_, from) => {
  const words: string[] = [];
  const skeleton = from === 'file' ? rigged : from;
  const request = { source: { kind: 'file', name: 'cat.gltf', bytes: bare }, settings } as const;
  const bound = await bindMesh({ ...request, ...(skeleton && { skeleton }) }, (progress) => words.push(progress.words));
  expect(bound.name).toBe('cat.glb');
  const { character } = await readCharacterFromBytes(bound.glb);
  expect(character.skeleton.boneCount).toBeGreaterThan(8);
  expect(character.clips.length).toBe(from ? createDemo('cat').clips.length : 0);
  expect(words.length).toBeGreaterThan(3);
});

it('joints of a found skeleton stand where they are put, the others where they were, and the weights follow', async () => {
  const request = { source: { kind: 'file', name: 'cat.gltf', bytes: bare }, settings } as const;
  const read = async (joints = {}) => {
    const { glb } = await bindMesh({ ...request, joints }, () => {});
    const { skeleton, binding } = (await readCharacterFromBytes(glb)).character;
    const places = skeleton.names.map((_, j) => [12, 13, 14].map((n) => -skeleton.inverseBinds[16 * j + n]!));
    return { names: skeleton.names, places, weights: packWeights(binding).weights };
  };
  const before = await read();
  const moved = before.names.indexOf('hind.L.2');
  const place = before.places[moved]!.map((x, r) => x + [0.02, 0.05, -0.01][r]!);
  const after = await read({ 'hind.L.2': place });
  expect(after.names).toEqual(before.names);
  for (const [j, point] of after.places.entries()) {
    const expected = j === moved ? place : before.places[j]!;
    for (let r = 0; r < 3; r++) expect(point[r]).toBeCloseTo(expected[r]!, 5);
  }
  expect(after.weights).not.toEqual(before.weights);
});

it('painted weights are in the export, before and after the bake', async () => {
  const source = { kind: 'file', name: 'cat.glb', bytes: rigged } as const;
  const weights = await weighCharacter({ source, settings }, () => {});
  const bake = { fps: 10, tolerance: 0.003, maxTargets: 8, as: 'morph', compress: false } as const;
  const request = { source, stack: presetStack('organic'), pose: { loose: {}, keys: {} }, settings: bake };
  const result = await exportCharacter({ ...request, paint: { weights } }, () => {});
  for (const bytes of [result.input, result.glb]) {
    const { character } = await readCharacterFromBytes(bytes);
    const { bones } = packWeights(character.binding);
    expect(bones.filter((bone, n) => bone === weights.bones[n]).length).toBeGreaterThan(0.99 * bones.length);
  }
});
