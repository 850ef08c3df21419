/**
 * A patched file as one JSON and one block of binary data. What the file's own binary chunk held stays where it was; added
 * numbers come after it, then buffers and images that lay in files of their own.
 */
import type { GLTF } from '@gltf-transform/core';
import type { Chunk, GltfFile } from './gltf-file.js';
import { align, layOut } from './lay-out.js';

export interface PackedFile {
  readonly json: GLTF.IGLTF;
  /** Buffer 0. */
  readonly binary: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly Chunk[];
}

export function packFile(file: GltfFile): PackedFile {
  const { json, block } = layOut(file);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const append = (bytes: Uint8Array): number => {
    const at = align(length);
    if (at > length) pieces.push(new Uint8Array(at - length));
    pieces.push(bytes);
    length = at + bytes.length;
    return at;
  };
  // Buffers with data become one; those without (fallbacks of compression) stay behind it.
  const buffers: GLTF.IBuffer[] = [];
  const moved = [...file.buffers, block].map((data, i) => {
    if (data) return { buffer: 0, offset: data.length > 0 ? append(data) : 0 };
    return { buffer: buffers.push(json.buffers![i]!), offset: 0 };
  });
  const views = (json.bufferViews ?? []).map((view) => moveView(view, moved));
  const images = json.images?.map((image) => embed(image, file, views, append));
  const { uri: _, ...first } = file.buffers[0] ? json.buffers![0]! : ({} as GLTF.IBuffer);
  const hasData = length > 0 || file.buffers.some((data) => data);
  const binary = new Uint8Array(align(length));
  let at = 0;
  for (const piece of pieces) {
    binary.set(piece, at);
    at += piece.length;
  }
  if (views.length > 0) json.bufferViews = views;
  if (images) json.images = images;
  if (hasData) json.buffers = [{ ...first, byteLength: keepLength(file, length) }, ...buffers];
  return { json, binary, chunks: file.chunks };
}

/** The padding of a chunk that nothing was added to is no part of its buffer. */
function keepLength({ buffers, json }: GltfFile, length: number): number {
  return buffers.length === 1 && length === buffers[0]?.length ? json.buffers![0]!.byteLength : length;
}

type Moves = readonly { readonly buffer: number; readonly offset: number }[];

function moveView(view: GLTF.IBufferView, moves: Moves): GLTF.IBufferView {
  const out = { ...view };
  move(out);
  for (const name of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
    const packed = view.extensions?.[name] as { buffer: number; byteOffset?: number } | undefined;
    if (!packed) continue;
    const copy = { ...packed };
    move(copy);
    out.extensions = { ...out.extensions, [name]: copy };
  }
  return out;

  function move(place: { buffer: number; byteOffset?: number }): void {
    const { buffer, offset } = moves[place.buffer]!;
    if (place.buffer !== buffer) place.buffer = buffer;
    if (offset > 0) place.byteOffset = (place.byteOffset ?? 0) + offset;
  }
}

const MIME: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  ktx2: 'image/ktx2',
  dds: 'image/vnd-ms.dds',
};

/** A .glb stands alone: images beside the model come with it. */
function embed(
  image: GLTF.IImage,
  { images }: GltfFile,
  views: GLTF.IBufferView[],
  append: (bytes: Uint8Array) => number,
): GLTF.IImage {
  const data = image.uri === undefined ? undefined : images.get(image.uri);
  if (!data) return image;
  const { uri, ...rest } = image;
  const mimeType = rest.mimeType ?? sniff(data) ?? MIME[uri!.split('.').at(-1)!.toLowerCase()] ?? 'image/png';
  const byteOffset = append(data);
  const bufferView = views.push({ buffer: 0, byteOffset, byteLength: data.length } as GLTF.IBufferView) - 1;
  return { ...rest, mimeType, bufferView };
}

function sniff(data: Uint8Array): string | undefined {
  if (data[0] === 0xff && data[1] === 0xd8) return 'image/jpeg';
  if (data[0] === 0x89 && data[1] === 0x50) return 'image/png';
  return undefined;
}
