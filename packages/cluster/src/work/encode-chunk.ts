/**
 * A chunk as a file: 64 bytes of header, measures (f64), deltas (f32), little-endian.
 *
 *   0 "ISOCHNK1" · 8 #measures (f64) · 16 #deltas (f64) · 24 SHA-256 of what follows the header · 56 zeros
 */
import { createHash } from 'node:crypto';
import type { FrameBlock } from '@isoskin/gltf';

const HEADER = 64;
const MAGIC = new TextEncoder().encode('ISOCHNK1');

export function encodeChunk({ deltas, measures }: FrameBlock): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + measures.byteLength + deltas.byteLength);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setFloat64(8, measures.length, true);
  view.setFloat64(16, deltas.length, true);
  new Float64Array(bytes.buffer, HEADER, measures.length).set(measures);
  new Float32Array(bytes.buffer, HEADER + measures.byteLength, deltas.length).set(deltas);
  bytes.set(digest(bytes), 24);
  return bytes;
}

/** Undefined when the bytes are not a whole chunk. */
export function decodeChunk(bytes: Uint8Array<ArrayBuffer>): FrameBlock | undefined {
  if (bytes.length < HEADER || MAGIC.some((byte, i) => bytes[i] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [measures, deltas] = [view.getFloat64(8, true), view.getFloat64(16, true)];
  if (bytes.length !== HEADER + 8 * measures + 4 * deltas) return undefined;
  if (digest(bytes).some((byte, i) => bytes[24 + i] !== byte)) return undefined;
  const { buffer, byteOffset } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return {
    measures: new Float64Array(buffer, byteOffset + HEADER, measures),
    deltas: new Float32Array(buffer, byteOffset + HEADER + 8 * measures, deltas),
  };
}

function digest(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes.subarray(HEADER)).digest();
}
