import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { copyFile, readCharacterFromBytes, writeCharacter, writeGlb } from '@isoskin/gltf';
import { expect, it } from 'vitest';
import { exportCharacter } from '../../src/export/export-character.js';
import { packWeights } from '../../src/state/skin-weights.js';

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

it('what is painted on a demo is written where it was painted', async () => {
  const hero = createDemo('hero');
  const { positions, vertexCount } = hero.surface;
  const isLeft = (x: number) => Number(x > 0);
  const softness = Float32Array.from({ length: vertexCount }, (_, k) => isLeft(positions[3 * k]!));
  const own = packWeights(hero.binding);
  const head = new Uint32Array(own.bones.length); // all on one joint where it is painted
  const weights = own.weights.map((weight, n) => {
    const k = Math.floor(n / own.influences);
    if (softness[k] === 0) head[n] = own.bones[n]!;
    return softness[k] === 0 ? weight : Number(n % own.influences === 0);
  });
  const settings = { fps: 4, tolerance: 0.003, maxTargets: 8, as: 'morph', compress: false } as const;
  const paint = { softness, weights: { influences: own.influences, bones: head, weights } };
  const request = { stack: { skin: {} }, paint, pose: { loose: {}, keys: {} }, settings };
  const { input } = await exportCharacter({ source: { kind: 'demo', name: 'hero' }, ...request }, () => {});
  const { character } = await readCharacterFromBytes(input);
  const written = packWeights(character.binding);
  const wrong = Array.from({ length: vertexCount }).filter((_, k) => {
    const isHead = written.bones[k * written.influences] === 0 && written.weights[k * written.influences]! > 0.999;
    return isLeft(character.surface.positions[3 * k]!) === 1 && !isHead;
  });
  expect(wrong.length).toBe(0);
});
