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
