import { IsoskinError, type Warning } from '@isoskin/core';
import { LIMITS } from '@isoskin/core/json';
import type { Chunk } from './patch/gltf-file.js';

/** A glTF file taken apart, before anything in its JSON is believed. */
export interface Container {
  /** The parsed JSON, of unknown shape. */
  readonly json: unknown;
  /** The binary chunk of a .glb. */
  readonly binary?: Uint8Array<ArrayBuffer>;
  /** What else is in a .glb. */
  readonly chunks: readonly Chunk[];
}

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Takes a .glb (chunk table checked against the real size) or .gltf apart. Views, no copies. */
export function readContainer(bytes: Uint8Array<ArrayBuffer>, warnings: Warning[]): Container {
  if (bytes.byteLength === 0) throw new IsoskinError('FILE_EMPTY', 'The file is empty: export the model again');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 4 || view.getUint32(0, true) !== GLB_MAGIC) return { json: parseJson(bytes), chunks: [] };
  if (bytes.byteLength < 20) throw truncated(`a .glb has at least 20 bytes, this one has ${bytes.byteLength}`);

  const version = view.getUint32(4, true);
  if (version !== 2) {
    throw new IsoskinError(
      'GLB_VERSION',
      `The .glb says version ${version}, only glTF 2.0 is read: export it as glTF 2.0`,
    );
  }
  const length = view.getUint32(8, true);
  if (length > bytes.byteLength) throw truncated(`its header says ${length} bytes, the file has ${bytes.byteLength}`);
  if (length < 20) throw truncated(`its header says ${length} bytes, too few for a .glb`);
  if (length < bytes.byteLength) {
    const message = `${bytes.byteLength - length} bytes after the end of the .glb were ignored`;
    warnings.push({ code: 'GLB_TRAILING_BYTES', message, place: 'GLB header' });
  }

  let json: unknown;
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const chunks: Chunk[] = [];
  for (let at = 12, chunk = 0; at + 8 <= length; chunk++) {
    const size = view.getUint32(at, true);
    const kind = view.getUint32(at + 4, true);
    if (size > length - at - 8) throw truncated(`chunk ${chunk} says ${size} bytes, ${length - at - 8} are left`);
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (chunk === 0) {
      if (kind !== JSON_CHUNK) {
        throw new IsoskinError('GLB_NO_JSON', 'The first chunk of the .glb is not JSON: export the model again');
      }
      json = parseJson(data);
    } else if (kind === BINARY_CHUNK && !binary) binary = data;
    else chunks.push({ kind, data });
    at += 8 + size;
  }
  return binary ? { json, binary, chunks } : { json, chunks };
}

function truncated(what: string): IsoskinError {
  return new IsoskinError('GLB_TRUNCATED', `The .glb is cut off or corrupt, ${what}: fetch or export it again`);
}

function parseJson(bytes: Uint8Array<ArrayBuffer>): unknown {
  if (measureDepth(bytes) > LIMITS.depth) {
    const message = `The JSON of the model is nested more than ${LIMITS.depth} deep: take out such extras, or export it again`;
    throw new IsoskinError('TOO_LARGE', message);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const message = 'The file is neither a .glb nor valid glTF JSON: check that it is a glTF 2.0 model';
    throw new IsoskinError('JSON_INVALID', message, '', { cause });
  }
}

/** How deep brackets are nested outside of texts; whether they match is the parser's business. */
function measureDepth(bytes: Uint8Array): number {
  const [QUOTE, BACKSLASH] = [0x22, 0x5c];
  let [depth, deepest, isText] = [0, 0, false];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) isText = !isText;
    else if (isText) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return deepest;
}
