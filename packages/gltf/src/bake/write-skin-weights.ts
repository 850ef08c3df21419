/** Writes skin weights that sum to 1 where the file's did not, in the type that the file has. */
import type { Accessor } from '@gltf-transform/core';
import { appendAccessor } from '../patch/append-accessor.js';
import type { GltfFile, NumberArray } from '../patch/gltf-file.js';
import { primitiveOf, setAttribute } from '../patch/own-mesh.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { SourceSkin } from './plan-source-skin.js';
import type { PartWeights } from './read-part-weights.js';

export function writeSkinWeights(file: GltfFile, { sources }: ReadResult, source: SourceSkin): void {
  const done = new Set<unknown>();
  sources.forEach(({ primitive: read, meshIndex, primitiveIndex }, p) => {
    const own = source.partWeights[p];
    const primitive = primitiveOf(file, meshIndex, primitiveIndex);
    if (!own?.changed || done.has(primitive)) return;
    done.add(primitive);
    for (let set = 0; 4 * set < own.influences; set++) {
      const joints = read.getAttribute(`JOINTS_${set}`);
      const weights = read.getAttribute(`WEIGHTS_${set}`);
      if (!joints || !weights) continue;
      const replace = (name: string, accessor: Accessor, fill: (array: NumberArray) => void): void => {
        const array = accessor.getArray()!.slice() as NumberArray;
        fill(array);
        const normalized = accessor.getNormalized();
        const index = appendAccessor(file, { type: 'VEC4', array, usage: 'vertex', normalized });
        setAttribute(primitive, name, index);
      };
      replace(`JOINTS_${set}`, joints, (array) => pickSet(array, own, own.joints, set));
      replace(`WEIGHTS_${set}`, weights, (array) => fillWeights(array, own, set));
    }
  });
}
function pickSet(out: NumberArray, { influences }: PartWeights, values: ArrayLike<number>, set: number): void {
  for (let v = 0; 4 * v < out.length; v++) {
    for (let k = 0; k < 4; k++) out[4 * v + k] = values[v * influences + 4 * set + k]!;
  }
}

/** Integers are rounded so that their sum over all sets is exact: the largest weight takes what is left over. */
function fillWeights(out: NumberArray, own: PartWeights, set: number): void {
  if (out instanceof Float32Array) return pickSet(out, own, own.weights, set);
  const one = 2 ** (8 * out.BYTES_PER_ELEMENT) - 1;
  const { influences, weights } = own;
  for (let v = 0; 4 * v < out.length; v++) {
    let left = one;
    let largest = 0;
    for (let k = 0; k < influences; k++) {
      left -= Math.round(one * weights[v * influences + k]!);
      if (weights[v * influences + k]! > weights[v * influences + largest]!) largest = k;
    }
    for (let k = 0; k < 4; k++) {
      const i = 4 * set + k;
      out[4 * v + k] = Math.round(one * weights[v * influences + i]!) + (i === largest ? left : 0);
    }
  }
}
