/**
 * A chunk as a file: 64 bytes of header, measures (f64), deltas (f32), little-endian.
 *
 *   0 "ISOCHNK2" · 8 #measures (f64) · 16 #deltas (f64) · 24 HMAC-SHA256 of its name in the store and of all other bytes · 56 zeros
 */
import type { FrameBlock } from '@isoskin/gltf';
import { isSignature, SIGNATURE_SIZE, signBytes } from './sign-work.js';

const HEADER = 64;
const SIGNATURE = 24;
const MAGIC = new TextEncoder().encode('ISOCHNK2');

/** `name` is its key in the store: a chunk is none under another name. `key` is the cluster's secret. */
export function encodeChunk({ deltas, measures }: FrameBlock, name: string, key: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + measures.byteLength + deltas.byteLength);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setFloat64(8, measures.length, true);
  view.setFloat64(16, deltas.length, true);
  new Float64Array(bytes.buffer, HEADER, measures.length).set(measures);
  new Float32Array(bytes.buffer, HEADER + measures.byteLength, deltas.length).set(deltas);
  bytes.set(sign(bytes, name, key), SIGNATURE);
  return bytes;
}

/** Undefined when the bytes are not this chunk, whole and written by one who has the key. */
export function decodeChunk(bytes: Uint8Array<ArrayBuffer>, name: string, key: string): FrameBlock | undefined {
  if (bytes.length < HEADER || MAGIC.some((byte, i) => bytes[i] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [measures, deltas] = [view.getFloat64(8, true), view.getFloat64(16, true)];
  if (bytes.length !== HEADER + 8 * measures + 4 * deltas) return undefined;
  if (!isSignature(bytes.subarray(SIGNATURE, SIGNATURE + SIGNATURE_SIZE), sign(bytes, name, key))) return undefined;
  const { buffer, byteOffset } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return {
    measures: new Float64Array(buffer, byteOffset + HEADER, measures),
    deltas: new Float32Array(buffer, byteOffset + HEADER + 8 * measures, deltas),
  };
}

function sign(bytes: Uint8Array, name: string, key: string): Uint8Array {
  const after = bytes.subarray(SIGNATURE + SIGNATURE_SIZE);
  return signBytes(key, 'chunk', `${name}\0`, bytes.subarray(0, SIGNATURE), after);
}
