/** Writes skin weights that sum to 1 where the file's did not: as floats, so that the file says exactly what was computed with. */
import { appendAccessor } from '../patch/append-accessor.js';
import type { GltfFile, NumberArray } from '../patch/gltf-file.js';
import { primitiveOf, setAttribute } from '../patch/own-mesh.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { SourceSkin } from './plan-source-skin.js';

export function writeSkinWeights(file: GltfFile, { sources, character }: ReadResult, source: SourceSkin): void {
  const done = new Set<unknown>();
  sources.forEach(({ primitive: read, meshIndex, primitiveIndex }, p) => {
    const own = source.partWeights[p];
    const primitive = primitiveOf(file, meshIndex, primitiveIndex);
    if (!own?.changed || done.has(primitive)) return;
    done.add(primitive);
    const { vertexCount } = character.parts[p]!;
    for (let set = 0; 4 * set < own.influences; set++) {
      const indices = read.getAttribute(`JOINTS_${set}`)?.getArray();
      if (!indices || !read.getAttribute(`WEIGHTS_${set}`)) continue;
      const replace = (name: string, array: NumberArray, values: ArrayLike<number>): void => {
        for (let v = 0; v < vertexCount; v++) {
          for (let k = 0; k < 4; k++) array[4 * v + k] = values[v * own.influences + 4 * set + k]!;
        }
        setAttribute(primitive, name, appendAccessor(file, { type: 'VEC4', array, usage: 'vertex' }));
      };
      replace(`JOINTS_${set}`, indices.slice() as NumberArray, own.joints);
      replace(`WEIGHTS_${set}`, new Float32Array(4 * vertexCount), own.weights);
    }
  });
}
