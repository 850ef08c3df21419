/** Numbers of an accessor, straight from the bytes: stride, sparse, normalised and meshopt-compressed ones too. */
import type { GLTF } from '@gltf-transform/core';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { extension } from '../check-structure.js';
import { COMPONENT_TYPES, ELEMENT_WIDTH, type GltfFile, type NumberArray } from './gltf-file.js';

const ARRAYS = new Map([...COMPONENT_TYPES].map(([type, code]) => [code as number, type as Float32ArrayConstructor]));
const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** Dense, as stored; undefined where the bytes say nothing (Draco), or the type is not one of glTF's. */
export function readAccessor(file: GltfFile, index: number): NumberArray | undefined {
  const entry = file.json.accessors![index]!;
  const width = ELEMENT_WIDTH[entry.type];
  const Type = ARRAYS.get(entry.componentType);
  if (!Type || width === undefined) return undefined;
  const added = file.added.get(index);
  const out = new Type(width * entry.count) as NumberArray;
  if (added) {
    const { array, indices } = added;
    if (indices) for (let i = 0; i < indices.length; i++) copy(out, width * indices[i]!, array, width * i, width);
    else out.set(array);
    return out;
  }
  const { bufferView, byteOffset = 0, sparse } = entry;
  if (bufferView !== undefined) readSpan(out, file, bufferView, byteOffset, width);
  if (!sparse) return out;
  const Index = ARRAYS.get(sparse.indices.componentType);
  if (!Index) return undefined;
  const indices = new Index(sparse.count) as NumberArray;
  const values = new Type(width * sparse.count) as NumberArray;
  readSpan(indices, file, sparse.indices.bufferView, sparse.indices.byteOffset ?? 0, 1);
  readSpan(values, file, sparse.values.bufferView, sparse.values.byteOffset ?? 0, width);
  indices.forEach((at, i) => {
    if (at < entry.count) copy(out, width * at, values, width * i, width);
  });
  return out;
}

/** The same as fractions where the accessor is normalised. */
export function readAccessorNumbers(file: GltfFile, index: number): Float64Array | undefined {
  const array = readAccessor(file, index);
  if (!array) return undefined;
  const { normalized } = file.json.accessors![index]!;
  if (!normalized || array instanceof Float32Array) return Float64Array.from(array);
  const isSigned = array instanceof Int8Array || array instanceof Int16Array;
  const one = 2 ** (8 * array.BYTES_PER_ELEMENT - (isSigned ? 1 : 0)) - 1;
  return Float64Array.from(array, (value) => Math.max(value / one, -1));
}

/** Bytes of a buffer view, decompressed; undefined where there are none. */
export function readView(file: GltfFile, index: number): Uint8Array | undefined {
  const view = file.json.bufferViews![index]!;
  for (const name of MESHOPT) {
    const packed = extension(view, name) as unknown as Packed | undefined;
    if (!packed) continue;
    const from = packed.byteOffset ?? 0;
    const source = file.buffers[packed.buffer]?.subarray(from, from + packed.byteLength);
    if (!source) return undefined;
    const out = new Uint8Array(packed.count * packed.byteStride);
    MeshoptDecoder.decodeGltfBuffer(out, packed.count, packed.byteStride, source, packed.mode, packed.filter);
    return out;
  }
  return readStored(file, view);
}

/** Bytes of a buffer view as they lie in the file. */
export function readStored(file: GltfFile, view: GLTF.IBufferView): Uint8Array | undefined {
  const from = view.byteOffset ?? 0;
  return file.buffers[view.buffer]?.subarray(from, from + view.byteLength);
}

interface Packed {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
  readonly filter?: string;
}

function readSpan(out: NumberArray, file: GltfFile, view: number, offset: number, width: number): void {
  const bytes = readView(file, view);
  if (!bytes) return;
  const size = out.BYTES_PER_ELEMENT;
  const stride = file.json.bufferViews![view]!.byteStride || size * width;
  const target = new Uint8Array(out.buffer);
  const elements = out.length / width;
  if (stride === size * width) target.set(bytes.subarray(offset, offset + target.length));
  else for (let i = 0; i < elements; i++) copy(target, i * size * width, bytes, offset + i * stride, size * width);
}

function copy(out: NumberArray, to: number, from: ArrayLike<number>, at: number, count: number): void {
  for (let k = 0; k < count; k++) out[to + k] = from[at + k]!;
}
