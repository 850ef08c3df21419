/**
 * The wrinkles layer over whatever gives the frames, so that wrinkles also fold what WASM or the GPU has computed, and moving
 * one of their sliders plans nothing but the wrinkles.
 */
import {
  type Character,
  type LayerSpec,
  type Pose,
  planWrinkles,
  type RefinedSurface,
  type StackSpec,
  type WrinklesOptions,
} from '@isoskin/core';
import type { Evaluator } from './evaluator.js';
import { copyVectors } from './frame-packer.js';
import type { RefinedArrays } from './protocol.js';

export interface Folds {
  /** Milliseconds of the last `apply`. */
  readonly milliseconds: number;
  /** Folds the evaluator's frame; undefined where nothing is compressed. */
  apply(evaluator: Evaluator, pose: Pose, time: number): RefinedSurface | undefined;
  /** The last answer as arrays for the page, which has the triangles of `topology` already. */
  pack(refined: RefinedSurface, topology: number, values: Float32Array, regions: ArrayLike<number>): RefinedArrays;
}

/** A stack without its wrinkles, and these. */
export function splitWrinkles(stack: StackSpec): { base: StackSpec; wrinkles: WrinklesOptions | undefined } {
  const isWrinkles = (layer: LayerSpec) => layer.layer === 'wrinkles';
  const found = stack.layers.find((layer) => isWrinkles(layer) && layer.enabled !== false);
  const { layer: _, enabled: __, ...wrinkles } = (found ?? {}) as LayerSpec & WrinklesOptions;
  return {
    base: { ...stack, layers: stack.layers.filter((layer) => !isWrinkles(layer)) },
    wrinkles: found && (wrinkles.tools?.length ?? 0) > 0 ? wrinkles : undefined,
  };
}

/** Numbers of triangle lists: one per plan and version, so that the page knows which it has. */
const VERSIONS = 1 << 20;
let plans = 0;

export function createFolds(character: Character, options: WrinklesOptions): Folds {
  const wrinkles = planWrinkles(character, options);
  const { vertexCount } = character.surface;
  const positions = new Float64Array(3 * vertexCount);
  const normals = new Float64Array(3 * vertexCount);
  const own = ++plans * VERSIONS;
  let milliseconds = 0;
  return {
    get milliseconds() {
      return milliseconds;
    },
    apply(evaluator, pose, time) {
      const start = performance.now();
      copyVectors(positions, evaluator.positions, evaluator.stride, vertexCount);
      copyVectors(normals, evaluator.normals, evaluator.stride, vertexCount);
      const refined = wrinkles.apply({ positions, normals, bones: evaluator.bones, time, pose });
      milliseconds = performance.now() - start;
      return refined;
    },
    pack(refined, topology, values, regions) {
      const { parents } = refined.plan;
      /** New vertices stand between two others that come before them. */
      const extend = (from: ArrayLike<number>, mix: (a: number, b: number) => number) => {
        const out = new Float32Array(refined.vertexCount);
        out.set(from);
        for (let k = vertexCount, i = 0; k < out.length; k++, i += 2)
          out[k] = mix(out[parents[i]!]!, out[parents[i + 1]!]!);
        return out;
      };
      const present = own + (refined.version % VERSIONS);
      return {
        topology: present,
        positions: Float32Array.from(refined.positions),
        normals: Float32Array.from(refined.normals),
        values: extend(values, (a, b) => (a + b) / 2),
        ...(present !== topology && {
          triangles: refined.triangles.slice(0, 3 * refined.triangleCount),
          regions: extend(regions, (a) => a),
        }),
      };
    },
  };
}
