/** EXT_meshopt_compression of a packed file, without loss: every buffer view keeps its number and, unpacked, its bytes. */
import type { GLTF } from '@gltf-transform/core';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { ELEMENT_WIDTH } from './gltf-file.js';
import { align } from './lay-out.js';
import type { PackedFile } from './pack-file.js';

const NAME = 'EXT_meshopt_compression';
const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const MAX_STRIDE = 256;

interface Form {
  readonly mode: 'ATTRIBUTES' | 'INDICES';
  readonly stride: number;
}

export async function compressViews({ json: before, binary, chunks }: PackedFile): Promise<PackedFile> {
  await MeshoptEncoder.ready;
  const json: GLTF.IGLTF = { ...before };
  const forms = listForms(json);
  const pieces: Uint8Array[] = [];
  let length = 0;
  let unpacked = 0;
  const append = (bytes: Uint8Array): number => {
    const at = length;
    pieces.push(bytes, new Uint8Array(align(bytes.length) - bytes.length));
    length += align(bytes.length);
    return at;
  };
  const fallback = json.buffers?.length ?? 0;
  const views = json.bufferViews?.map((view, v): GLTF.IBufferView => {
    const packed = view.extensions?.[NAME] ?? view.extensions?.KHR_meshopt_compression;
    if (packed) {
      // Already compressed: its bytes go along.
      const name = view.extensions![NAME] ? NAME : 'KHR_meshopt_compression';
      const own = packed as { byteOffset?: number; byteLength: number };
      const from = own.byteOffset ?? 0;
      const byteOffset = append(binary.subarray(from, from + own.byteLength));
      return { ...view, extensions: { ...view.extensions, [name]: { ...own, byteOffset } } };
    }
    const from = view.byteOffset ?? 0;
    const bytes = binary.subarray(from, from + view.byteLength);
    const form = forms.get(v);
    const count = form ? bytes.length / form.stride : 0;
    const encoded = form && MeshoptEncoder.encodeGltfBuffer(bytes, count, form.stride, form.mode);
    if (!form || !encoded || encoded.length >= bytes.length) return { ...view, byteOffset: append(bytes) };
    const { stride: byteStride, mode } = form;
    const extension = { buffer: 0, byteOffset: append(encoded), byteLength: encoded.length, byteStride, mode, count };
    const place = { buffer: fallback, byteOffset: unpacked };
    unpacked += align(bytes.length);
    return { ...view, ...place, extensions: { ...view.extensions, [NAME]: extension } };
  });
  if (views) json.bufferViews = views;
  const out = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  if (unpacked > 0) {
    const [first, ...others] = json.buffers!;
    const empty = { byteLength: unpacked, extensions: { [NAME]: { fallback: true } } };
    json.buffers = [{ ...first!, byteLength: length }, ...others, empty];
    json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), NAME])];
    json.extensionsRequired = [...new Set([...(json.extensionsRequired ?? []), NAME])];
  } else if (json.buffers?.[0]) json.buffers = [{ ...json.buffers[0], byteLength: length }, ...json.buffers.slice(1)];
  return { json, binary: out, chunks };
}

/** Views that hold nothing but vertices, keys or indices, all of one size. */
function listForms({ accessors, bufferViews, meshes }: GLTF.IGLTF): Map<number, Form> {
  const indices = new Set(meshes?.flatMap(({ primitives }) => primitives.map((primitive) => primitive.indices)));
  const forms = new Map<number, Form | undefined>();
  const add = (view: number, form: Form | undefined): void => {
    const known = forms.get(view);
    const isSame = known && form && known.mode === form.mode && known.stride === form.stride;
    forms.set(view, !forms.has(view) || isSame ? form : undefined);
  };
  accessors?.forEach(({ bufferView, componentType, type, sparse }, a) => {
    if (sparse) for (const part of [sparse.indices, sparse.values]) add(part.bufferView, undefined);
    if (bufferView === undefined) return;
    const element = (COMPONENT_BYTES[componentType] ?? 1) * (ELEMENT_WIDTH[type] ?? 1);
    const stride = bufferViews![bufferView]!.byteStride || element;
    add(bufferView, { mode: indices.has(a) ? 'INDICES' : 'ATTRIBUTES', stride });
  });
  const out = new Map<number, Form>();
  for (const [view, form] of forms) {
    if (!form || bufferViews![view]!.byteLength % form.stride !== 0) continue;
    if (form.mode === 'INDICES' ? form.stride >= 2 : form.stride % 4 === 0 && form.stride <= MAX_STRIDE)
      out.set(view, form);
  }
  return out;
}
