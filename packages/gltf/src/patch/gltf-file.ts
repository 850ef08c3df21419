/** A glTF file as it is: its JSON, the bytes of its buffers, and the accessors that a patch adds to it. Nothing else changes. */
import type { GLTF } from '@gltf-transform/core';

export type NumberArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>;

export type ElementType = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4';

/** What an added accessor is for: its numbers lie beside others of the same use. */
export type Usage = 'vertex' | 'index' | 'times' | 'values' | 'bind';

/** Numbers of an added accessor. */
export interface AccessorData {
  readonly type: ElementType;
  /** Dense: count × width. With `indices`: those elements alone, the others are 0. */
  readonly array: NumberArray;
  readonly usage: Usage;
  /** Sparse: elements that are not 0, ascending, of `count`. None at all: an accessor without bytes. */
  readonly indices?: ArrayLike<number>;
  readonly count?: number;
  readonly normalized?: boolean;
  /** Write min and max (positions and times need them). */
  readonly range?: boolean;
}

/** A chunk of a .glb that is neither its JSON nor its first binary one. */
export interface Chunk {
  readonly kind: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

export interface GltfFile {
  /** The file's own JSON. Added accessors have no place in a buffer before the file is written. */
  readonly json: GLTF.IGLTF;
  /** Data of each buffer; undefined for one without (meshopt fallback). Never changed. */
  readonly buffers: readonly (Uint8Array<ArrayBuffer> | undefined)[];
  /** Files that images name, by their uri. */
  readonly images: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly chunks: readonly Chunk[];
  /** Accessor → its numbers, of those that were added. */
  readonly added: Map<number, AccessorData>;
}

/** A file without anything in it. */
export function createFile(generator: string): GltfFile {
  const json: GLTF.IGLTF = { asset: { version: '2.0', generator } } as GLTF.IGLTF;
  return { json, buffers: [], images: new Map(), chunks: [], added: new Map() };
}

/** The same file, to be patched without changing the first; bytes are shared. */
export function copyFile(file: GltfFile): GltfFile {
  return { ...file, json: structuredClone(file.json), added: new Map(file.added) };
}

export const COMPONENT_TYPES = new Map<unknown, GLTF.AccessorComponentType>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);

export const ELEMENT_WIDTH: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Declares an extension, and as required where a reader without it would show something else. */
export function declareExtension({ json }: GltfFile, name: string, required: boolean): void {
  const used = (json.extensionsUsed ??= []);
  if (!used.includes(name)) used.push(name);
  if (!required) return;
  const needed = (json.extensionsRequired ??= []);
  if (!needed.includes(name)) needed.push(name);
}
