import { readCharacterFromBytes } from '@isoskin/gltf';
import { expect, it } from 'vitest';
import { skinnedBox } from './model-builder.js';

/** A box whose mesh is said to be Draco data with this header. */
function dracoBox(header: readonly number[]) {
  const model = skinnedBox();
  const data = Uint8Array.from([...new TextEncoder().encode('DRACO'), ...header, ...new Array(20).fill(0)]);
  const bufferView = model.view(data);
  model.json.extensionsUsed = ['KHR_draco_mesh_compression'];
  model.json.meshes[0].primitives[0].extensions = {
    KHR_draco_mesh_compression: { bufferView, attributes: { POSITION: 0 } },
  };
  return model.glb();
}

const read = (glb: Uint8Array) =>
  readCharacterFromBytes(glb, { draco: async () => expect.unreachable('the decoder must not be asked') });
const HUGE = [0xff, 0xff, 0xff, 0xff, 0x7f];

it('refuses data that would unpack to far more than the model has, before a decoder sees it', async () => {
  for (const [what, header] of [
    ['edgebreaker 2.2, vertices', [2, 2, 1, 1, 0, 0, 0, ...HUGE, 12]],
    ['edgebreaker 2.2, faces', [2, 2, 1, 1, 0, 0, 0, 8, ...HUGE]],
    ['sequential 2.2', [2, 2, 1, 0, 0, 0, ...HUGE, 8]],
    ['sequential 2.1', [2, 1, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 8, 0, 0, 0]],
  ] as const) {
    await expect(read(dracoBox(header)), what).rejects.toMatchObject({ code: 'SIZE_CLAIM' });
  }
});
