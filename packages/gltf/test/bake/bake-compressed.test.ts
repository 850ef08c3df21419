/// <reference path="../../src/draco3dgltf.d.ts" />
/** Compressed files stay compressed: a bake adds to them, and what they hold is the same bytes. */
import { WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, snapshotCharacter, writeCharacter } from '@isoskin/gltf';
import draco3d from 'draco3dgltf';
import { describe, expect, it } from 'vitest';
import { openGlb } from '../../src/judge/judge-bytes.js';
import { readStored } from '../../src/patch/read-accessor.js';
import { editGlb, errorsOf, jsonOf } from '../edit-glb.js';

const tube = await writeCharacter(createDemo('tube'));
const draco = () => draco3d.createDecoderModule();
const open = (bytes: Uint8Array) => readCharacterFromBytes(bytes, { draco });

async function compressDraco(bytes: Uint8Array): Promise<Uint8Array> {
  const { document } = await open(bytes);
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  const io = new WebIO().registerExtensions(ALL_EXTENSIONS);
  io.registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule() });
  return io.writeBinary(document);
}

const compress = {
  draco: () => compressDraco(tube),
  meshopt: async () => (await bakeCharacter(await open(tube), { compress: 'meshopt', clips: [] })).glb,
};

describe.each(['draco', 'meshopt'] as const)('a file compressed with %s', (codec) => {
  it('is baked as it is', async () => {
    const input = await compress[codec]();
    const { glb, clips } = await bakeCharacter(await open(input), { fps: 10 });
    expect(Math.abs(clips[0]!.worst.baked)).toBeLessThan(0.001);
    expect(jsonOf(glb).extensionsRequired).toEqual(expect.arrayContaining(jsonOf(input).extensionsRequired));
    const [before, after] = [openGlb(input), openGlb(glb)];
    before.json.bufferViews!.forEach((view, v) => {
      const packed = (view.extensions?.EXT_meshopt_compression ?? view) as typeof view;
      const now = (after.json.bufferViews![v]!.extensions?.EXT_meshopt_compression ??
        after.json.bufferViews![v]) as typeof view;
      expect(readStored(after, now)).toEqual(readStored(before, packed));
    });
    const known = new Set(await errorsOf(input));
    expect((await errorsOf(glb)).filter((error) => !known.has(error))).toEqual([]);
  });

  it('gets weights that sum to 1, a cache and a snapshot', async () => {
    const spoilt = editGlb(tube, ({ json, floats }) => {
      const weights = floats(json.meshes[0].primitives[0].attributes.WEIGHTS_0);
      weights.forEach((w, i) => {
        weights[i] = 0.5 * w;
      });
    });
    const input = codec === 'draco' ? await compressDraco(spoilt) : await compress.meshopt();
    const baked = await open((await bakeCharacter(await open(input), { fps: 10 })).glb);
    expect(baked.character.warnings.map(({ code }) => code)).not.toContain('WEIGHTS_NORMALISED');
    expect(baked.character.binding.weightSumError).toBeLessThan(1e-5);
    const { glb } = await bakeCharacter(await open(input), { fps: 10, as: 'cache' });
    expect((await open(glb)).character.surface.components).toHaveLength(1);
    const still = await snapshotCharacter(await open(input), { clip: 'bend', time: 1 });
    expect(JSON.stringify(jsonOf(still))).not.toContain('JOINTS_0');
  });
});
