import type { Accessor } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core/frames';

/** Numbers of an accessor as floats: the array itself when it holds floats, else unpacked (normalised integers too). */
export function readNumbers(accessor: Accessor, width: number, place: string): Float32Array | Float64Array {
  const array = readArray(accessor, width, place);
  if (array instanceof Float32Array || array instanceof Float64Array) return array;
  const out = new Float32Array(array.length);
  const divisor = accessor.getNormalized() ? 2 ** (8 * array.BYTES_PER_ELEMENT - (isSigned(array) ? 1 : 0)) - 1 : 1;
  // Signed types reach one step below −1, which glTF clamps.
  for (let i = 0; i < out.length; i++) out[i] = divisor === 1 ? array[i]! : Math.max(array[i]! / divisor, -1);
  return out;
}

type NumberArray = NonNullable<ReturnType<Accessor['getArray']>>;

/** The accessor's array as it is stored, after checking its width. */
export function readArray(accessor: Accessor, width: number, place: string): NumberArray {
  const array = accessor.getArray();
  const is = accessor.getElementSize();
  if (array && is === width && array.length % width === 0) return array;
  const message = array ? `Has ${is} numbers per element, not ${width}` : 'Has no data';
  throw new IsoskinError('ACCESSOR_TYPE', `${message}: the file is damaged, export it again`, place);
}

function isSigned(array: NumberArray): boolean {
  return array instanceof Int8Array || array instanceof Int16Array;
}
