/** A patched file as a .gltf: its own buffers and images stay where they are, what was added is one more. */
import type { GLTF } from '@gltf-transform/core';
import type { GltfFile } from './gltf-file.js';
import { layOut } from './lay-out.js';

export interface WrittenGltf {
  /** The .gltf itself. */
  readonly text: string;
  /** New files that belong beside it, by name. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** @param name of the added buffers' files, without an ending; without it they become data URIs. */
export function writeGltf(file: GltfFile, name?: string): WrittenGltf {
  const { json, block } = layOut(file);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const locate = (data: Uint8Array<ArrayBuffer>, ending: string): string => {
    if (name === undefined) return `data:application/octet-stream;base64,${toBase64(data)}`;
    files.set(`${name}.${ending}`, data);
    return encodeURIComponent(`${name}.${ending}`);
  };
  // The binary chunk of a .glb has no name of its own.
  const buffers = (json.buffers ?? []).map((buffer, i): GLTF.IBuffer => {
    const data = file.buffers[i];
    return buffer.uri === undefined && data ? { ...buffer, uri: locate(data, 'bin') } : buffer;
  });
  if (block.length > 0) buffers.push({ byteLength: block.length, uri: locate(block, 'isoskin.bin') });
  if (buffers.length > 0) json.buffers = buffers;
  return { text: JSON.stringify(json), files };
}

function toBase64(data: Uint8Array): string {
  let text = '';
  for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return btoa(text);
}
