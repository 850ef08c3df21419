/** Gives the added accessors their places: one block of bytes to be put behind what the file has, and the views into it. */
import type { GLTF } from '@gltf-transform/core';
import { type AccessorData, ELEMENT_WIDTH, type GltfFile, type NumberArray } from './gltf-file.js';

export interface LaidOut {
  /** The JSON with every accessor in its place; new views name the buffer after the file's own. */
  readonly json: GLTF.IGLTF;
  readonly block: Uint8Array<ArrayBuffer>;
}

const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;

interface Region {
  readonly target?: number;
  readonly stride?: number;
  length: number;
  readonly pieces: { readonly at: number; readonly bytes: Uint8Array; readonly element: number }[];
  readonly view: number;
}

export function layOut(file: GltfFile): LaidOut {
  const json: GLTF.IGLTF = { ...file.json };
  if (file.added.size === 0) return { json, block: new Uint8Array(0) };
  const views = [...(json.bufferViews ?? [])];
  const accessors = [...json.accessors!];
  const regions = new Map<string, Region>();
  const lists = new Map<ArrayLike<number>, object>();
  const place = (kind: string, array: NumberArray, shape: Pick<Region, 'target' | 'stride'>, element: number) => {
    let region = regions.get(kind);
    if (!region) {
      region = { ...shape, length: 0, pieces: [], view: views.push({} as GLTF.IBufferView) - 1 };
      regions.set(kind, region);
    }
    const size = array.BYTES_PER_ELEMENT;
    const at = Math.ceil(region.length / Math.max(size, shape.stride ? 4 : 1)) * Math.max(size, shape.stride ? 4 : 1);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    region.pieces.push({ at, bytes, element });
    region.length = at + (region.stride ? (bytes.length / element) * region.stride : bytes.length);
    return { bufferView: region.view, ...(at > 0 && { byteOffset: at }) };
  };
  for (const [index, data] of file.added) {
    accessors[index] = { ...accessors[index]!, ...placeNumbers(data, place, lists) } as GLTF.IAccessor;
  }
  const buffer = file.buffers.length;
  let length = 0;
  for (const { view, target, stride, length: own } of regions.values()) {
    views[view] = {
      buffer,
      ...(length > 0 && { byteOffset: length }),
      byteLength: own,
      ...(stride !== undefined && { byteStride: stride }),
      ...(target !== undefined && { target }),
    } as GLTF.IBufferView;
    length = align(length + own);
  }
  const block = new Uint8Array(length);
  for (const { view, stride, pieces } of regions.values()) {
    for (const { at, bytes, element } of pieces) {
      const from = (views[view]!.byteOffset ?? 0) + at;
      if (stride === undefined || stride === element) block.set(bytes, from);
      else
        for (let i = 0; i * element < bytes.length; i++)
          block.set(bytes.subarray(i * element, (i + 1) * element), from + i * stride);
    }
  }
  if (views.length > 0) json.bufferViews = views;
  json.accessors = accessors;
  return { json, block };
}

type Place = (
  kind: string,
  array: NumberArray,
  shape: Pick<Region, 'target' | 'stride'>,
  element: number,
) => { bufferView: number; byteOffset?: number };

/** @param lists those of indices that have their place: accessors that name the same one share it. */
function placeNumbers(
  { type, array, indices, usage }: AccessorData,
  place: Place,
  lists: Map<ArrayLike<number>, object>,
): object {
  const element = array.BYTES_PER_ELEMENT * ELEMENT_WIDTH[type]!;
  if (indices) {
    if (indices.length === 0) return {};
    const last = indices[indices.length - 1]!;
    const [Type, code] = last < 256 ? [Uint8Array, 5121] : last < 65536 ? [Uint16Array, 5123] : [Uint32Array, 5125];
    const own = lists.get(indices) ?? {
      ...place('sparse', new (Type as Uint32ArrayConstructor)(indices), {}, 1),
      componentType: code,
    };
    lists.set(indices, own);
    return { sparse: { count: indices.length, indices: own, values: place('sparse', array, {}, element) } };
  }
  if (usage === 'vertex') {
    const stride = align(element);
    return place(`vertex ${stride}`, array, { target: ARRAY_BUFFER, stride }, element);
  }
  return place(usage, array, usage === 'index' ? { target: ELEMENT_ARRAY_BUFFER } : {}, element);
}

export function align(length: number): number {
  return Math.ceil(length / 4) * 4;
}
