/** What Blender's exporter writes and a bake must leave as it is, so that a file can go back: docs/engines.md. */
import { WebIO } from '@gltf-transform/core';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { expect, it } from 'vitest';

it('names of shape keys and painted attributes survive a bake', async () => {
  const io = new WebIO();
  const document = await io.readBinary(await writeCharacter(createDemo('tube')));
  const [mesh] = document.getRoot().listMeshes();
  const [primitive] = mesh!.listPrimitives();
  const [buffer] = document.getRoot().listBuffers();
  const count = primitive!.getAttribute('POSITION')!.getCount();
  const add = (type: 'SCALAR' | 'VEC3', array: Float32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer!);
  const paint = Float32Array.from({ length: count }, (_, n) => 0.25 + 0.5 * (n % 2));
  primitive!.setAttribute('_ISOSKIN_GAMMA', add('SCALAR', paint));
  const key = document
    .createPrimitiveTarget('Smile')
    .setAttribute('POSITION', add('VEC3', new Float32Array(3 * count)));
  primitive!.addTarget(key);
  mesh!.setWeights([0.5]).setExtras({ targetNames: ['Smile'] });

  const { glb } = await bakeCharacter(await readCharacterFromBytes(await io.writeBinary(document)));
  const json = JSON.parse(
    new TextDecoder().decode(glb.subarray(20, 20 + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true))),
  );
  expect(json.meshes[0].extras.targetNames[0]).toBe('Smile');
  expect(json.meshes[0].extras.targetNames.slice(1).every((name: string) => name.startsWith('isoskin '))).toBe(true);
  expect(json.meshes[0].extras.targetNames).toHaveLength(json.meshes[0].primitives[0].targets.length);
  expect(json.meshes[0].weights[0]).toBe(0.5);
  const { character } = await readCharacterFromBytes(glb);
  expect(character.parts[0]!.paint?.get('_ISOSKIN_GAMMA')).toEqual(paint);
});
