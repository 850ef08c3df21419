/** Adds numbers to a file as a new accessor; existing accessors keep their numbers and their places. */
import type { GLTF } from '@gltf-transform/core';
import { type AccessorData, COMPONENT_TYPES, ELEMENT_WIDTH, type GltfFile } from './gltf-file.js';

/** Returns the index of the new accessor. */
export function appendAccessor(file: GltfFile, data: AccessorData): number {
  const accessors = (file.json.accessors ??= []);
  const index = accessors.push(describe(data)) - 1;
  file.added.set(index, data);
  return index;
}

/** Gives an accessor that was added before other numbers. */
export function replaceAccessor(file: GltfFile, index: number, data: AccessorData): void {
  file.json.accessors![index] = describe(data);
  file.added.set(index, data);
}

function describe(data: AccessorData): GLTF.IAccessor {
  const { type, array, indices, normalized, range } = data;
  const width = ELEMENT_WIDTH[type]!;
  const count = indices ? data.count! : array.length / width;
  return {
    componentType: COMPONENT_TYPES.get(array.constructor)!,
    count,
    type,
    ...(normalized && { normalized }),
    ...(range && measureRange(array, width, indices !== undefined && indices.length < count)),
  };
}

function measureRange(array: ArrayLike<number>, width: number, hasZero: boolean): { min: number[]; max: number[] } {
  const min = new Array<number>(width).fill(hasZero || array.length === 0 ? 0 : Number.POSITIVE_INFINITY);
  const max = new Array<number>(width).fill(hasZero || array.length === 0 ? 0 : Number.NEGATIVE_INFINITY);
  for (let i = 0; i < array.length; i++) {
    const k = i % width;
    if (array[i]! < min[k]!) min[k] = array[i]!;
    if (array[i]! > max[k]!) max[k] = array[i]!;
  }
  return { min, max };
}
