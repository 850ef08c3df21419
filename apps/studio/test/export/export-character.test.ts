import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { copyFile, readCharacterFromBytes, writeCharacter, writeGlb } from '@isoskin/gltf';
import { expect, it } from 'vitest';
import { exportCharacter } from '../../src/export/export-character.js';

it('an avatar is exported as .vrm, with its extensions', async () => {
  const { file } = await readCharacterFromBytes(await writeCharacter(createDemo('tube')));
  const avatar = copyFile(file);
  const VRMC_vrm = { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 0 } } } };
  avatar.json.extensions = { VRMC_vrm };
  avatar.json.extensionsUsed = ['VRMC_vrm'];
  const bytes = await writeGlb(avatar);
  const settings = { fps: 10, tolerance: 0.001, maxTargets: 8, as: 'morph', compress: false } as const;
  const request = { stack: presetStack('organic'), paint: {}, pose: { loose: {}, keys: {} }, settings };
  const result = await exportCharacter({ source: { kind: 'file', name: 'me.VRM', bytes }, ...request }, () => {});
  expect([result.name, result.ending]).toEqual(['me', 'vrm']);
  expect(result.report).toContain('me-kept.vrm');
  expect(result.input).toEqual(bytes);
  const { file: baked } = await readCharacterFromBytes(result.glb);
  expect(baked.json.extensions).toEqual({ VRMC_vrm });
  expect(result.volume.after).toBeLessThan(0.002);
});
