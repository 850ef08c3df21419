/** Document → .glb, with what glTF-Transform cannot say put into the JSON by hand. */
import { type Document, type GLTF, Logger, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression } from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import type { ReadResult } from '../read-character-from-bytes.js';

/** Accessors with this in their extras hold normalised integers (a sparse accessor of them is written wrongly otherwise). */
export const NORMALISED = 'isoskin:normalised';

export async function writeBinary(read: ReadResult, compress: 'meshopt' | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const { document } = read;
  mergeBuffers(document);
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS);
  if (compress === 'meshopt') {
    await MeshoptEncoder.ready;
    io.registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
    document
      .createExtension(EXTMeshoptCompression)
      .setRequired(true)
      .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE });
  }
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  const bytes = await io.writeBinary(document);
  return patchJson(bytes as Uint8Array<ArrayBuffer>, (json) => {
    keepShear(json, read);
    for (const accessor of json.accessors ?? []) {
      if (accessor.extras?.[NORMALISED] === undefined) continue;
      accessor.normalized = true;
      delete accessor.extras;
    }
  });
}

/** A .glb has one buffer. */
function mergeBuffers(document: Document): void {
  const root = document.getRoot();
  const [first, ...others] = root.listBuffers();
  const buffer = first ?? document.createBuffer();
  for (const accessor of root.listAccessors()) accessor.setBuffer(buffer);
  for (const other of others) other.dispose();
}

/** Sheared nodes get their matrix back. */
function keepShear(json: GLTF.IGLTF, { character, document, nodes }: ReadResult): void {
  const order = document.getRoot().listNodes();
  for (const [n, matrix] of character.skeleton.fixedMatrices) {
    const node = json.nodes?.[order.indexOf(nodes[n]!)];
    if (!node) continue;
    delete node.translation;
    delete node.rotation;
    delete node.scale;
    node.matrix = Array.from(matrix);
  }
}

const JSON_CHUNK = 0x4e4f534a;

function patchJson(bytes: Uint8Array<ArrayBuffer>, patch: (json: GLTF.IGLTF) => void): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as GLTF.IGLTF;
  patch(json);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const rest = bytes.subarray(20 + length);
  const out = new Uint8Array(20 + padded + rest.length);
  const header = new DataView(out.buffer);
  header.setUint32(0, view.getUint32(0, true), true);
  header.setUint32(4, 2, true);
  header.setUint32(8, out.length, true);
  header.setUint32(12, padded, true);
  header.setUint32(16, JSON_CHUNK, true);
  out.fill(0x20, 20 + text.length, 20 + padded);
  out.set(text, 20);
  out.set(rest, 20 + padded);
  return out;
}
