/**
 * Refuses Draco data that would unpack to far more than the accessors say: its own header claims the counts, and a decoder
 * believes them.
 *
 * Header: "DRACO", major, minor, encoder type, method, flags (11 bytes), then for a mesh either
 *   sequential (method 0): faces, points      or      edgebreaker (1): traversal, vertices, faces
 * as variable-length numbers from version 2.2 on, as 32-bit numbers before.
 */
import type { GLTF } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core';
import { extension } from './check-structure.js';

const MAGIC = 'DRACO';
const HEADER = 11;
/** Seams split vertices, so a mesh may hold a few times the points that an accessor counts. */
const GENEROUS = 8;
const SMALL = 4096;

export function checkDraco(json: GLTF.IGLTF, buffers: readonly (Uint8Array | undefined)[]): void {
  json.meshes?.forEach((mesh, m) => {
    mesh.primitives.forEach((primitive, p) => {
      const draco = extension(primitive, 'KHR_draco_mesh_compression');
      if (!draco) return;
      const place = `meshes[${m}].primitives[${p}]`;
      const view = json.bufferViews![draco.bufferView as number]!;
      const buffer = buffers[view.buffer];
      const start = view.byteOffset ?? 0;
      const data = buffer?.subarray(start, start + view.byteLength) ?? new Uint8Array();
      const claim = readClaim(data);
      const corners = json.accessors?.[primitive.indices ?? -1]?.count ?? 0;
      const vertices = json.accessors?.[primitive.attributes?.POSITION ?? -1]?.count ?? 0;
      if (claim > GENEROUS * Math.max(corners, vertices) + SMALL) {
        const message = `The compressed data claims ${claim} elements where the model has ${Math.max(corners, vertices)}: it is damaged, export it again`;
        throw new IsoskinError('SIZE_CLAIM', message, place);
      }
    });
  });
}

/** The largest count in the header. */
function readClaim(data: Uint8Array): number {
  // What is no Draco at all is refused by the decoder.
  if (data.length < HEADER + 2 || String.fromCharCode(...data.subarray(0, MAGIC.length)) !== MAGIC) return 0;
  const isVariable = data[5]! > 2 || (data[5] === 2 && data[6]! >= 2);
  let at = HEADER + (data[8] === 1 ? 1 : 0);
  const readNumber = (): number => {
    let value = 0;
    const most = isVariable ? 10 : 4;
    for (let n = 0; n < most && at < data.length; n++) {
      const byte = data[at++]!;
      value += (isVariable ? byte & 127 : byte) * 2 ** ((isVariable ? 7 : 8) * n);
      if (isVariable && byte < 128) break;
    }
    return value;
  };
  return Math.max(readNumber(), readNumber());
}
