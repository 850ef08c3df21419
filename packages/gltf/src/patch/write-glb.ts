/** A patched file as a .glb. */
import { compressViews } from './compress-views.js';
import type { GltfFile } from './gltf-file.js';
import { align } from './lay-out.js';
import { packFile } from './pack-file.js';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const SPACE = 0x20;

export async function writeGlb(file: GltfFile, compress?: 'meshopt'): Promise<Uint8Array<ArrayBuffer>> {
  const packed = compress ? await compressViews(packFile(file)) : packFile(file);
  const { json, binary, chunks } = packed;
  const text = new TextEncoder().encode(JSON.stringify(json));
  const all = [
    { kind: JSON_CHUNK, data: text, fill: SPACE },
    ...(binary.length > 0 ? [{ kind: BINARY_CHUNK, data: binary, fill: 0 }] : []),
    ...chunks.map((chunk) => ({ ...chunk, fill: 0 })),
  ];
  const out = new Uint8Array(all.reduce((sum, { data }) => sum + 8 + align(data.length), 12));
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  let at = 12;
  for (const { kind, data, fill } of all) {
    const length = align(data.length);
    view.setUint32(at, length, true);
    view.setUint32(at + 4, kind, true);
    out.fill(fill, at + 8, at + 8 + length);
    out.set(data, at + 8);
    at += 8 + length;
  }
  return out;
}
