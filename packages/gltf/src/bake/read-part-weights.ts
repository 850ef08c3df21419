/** Skin weights of a primitive as the file should have them: possible, normalised, none missing. */
import type { Primitive } from '@gltf-transform/core';
import { readNumbers } from '../read-numbers.js';

export interface PartWeights {
  readonly influences: number;
  /** #×influences, joints of the skin. */
  readonly joints: Uint32Array;
  readonly weights: Float64Array;
  /** Some vertex of the file had other weights than these. */
  readonly changed: boolean;
}

/** Weight sums off by less are rounding of the file's own numbers. */
const SUM_ROUNDING = 1e-5;

/** All sets side by side: impossible weights are 0, sums are 1; `boneOf` names the joint of a vertex that has none. */
export function readPartWeights(
  primitive: Primitive,
  welded: Uint32Array,
  boneOf: (welded: number) => number,
): PartWeights {
  const sets: { joints: ArrayLike<number>; weights: ArrayLike<number> }[] = [];
  for (let n = 0; ; n++) {
    const [joints, weights] = [primitive.getAttribute(`JOINTS_${n}`), primitive.getAttribute(`WEIGHTS_${n}`)];
    if (!joints && !weights) break;
    if (joints && weights) sets.push({ joints: joints.getArray()!, weights: readNumbers(weights, 4, `WEIGHTS_${n}`) });
  }
  const influences = Math.max(4, 4 * sets.length);
  const joints = new Uint32Array(welded.length * influences);
  const weights = new Float64Array(welded.length * influences);
  let changed = sets.length === 0;
  for (let v = 0; v < welded.length; v++) {
    let sum = 0;
    sets.forEach((set, s) => {
      for (let k = 0; k < 4; k++) {
        const weight = set.weights[4 * v + k]!;
        const to = v * influences + 4 * s + k;
        const isPossible = weight > 0 && weight < Number.POSITIVE_INFINITY;
        if (!isPossible && weight !== 0) changed = true;
        if (!isPossible) continue;
        joints[to] = set.joints[4 * v + k]!;
        weights[to] = weight;
        sum += weight;
      }
    });
    if (Math.abs(sum - 1) > SUM_ROUNDING) changed = true;
    if (sum > 0) for (let k = 0; k < influences; k++) weights[v * influences + k]! /= sum;
    else {
      joints[v * influences] = boneOf(welded[v]!);
      weights[v * influences] = 1;
    }
  }
  return { influences, joints, weights, changed };
}

/** L1 distance of two vertices' weights. */
export function compareWeights(a: PartWeights, v: number, b: PartWeights, w: number): number {
  const weight = ({ influences, joints, weights }: PartWeights, vertex: number, joint: number): number => {
    let sum = 0;
    for (let i = vertex * influences; i < (vertex + 1) * influences; i++) if (joints[i] === joint) sum += weights[i]!;
    return sum;
  };
  let sum = 0;
  for (let i = v * a.influences; i < (v + 1) * a.influences; i++) {
    if (a.weights[i]! > 0) sum += Math.abs(a.weights[i]! - weight(b, w, a.joints[i]!));
  }
  for (let i = w * b.influences; i < (w + 1) * b.influences; i++) {
    if (b.weights[i]! > 0 && weight(a, v, b.joints[i]!) === 0) sum += b.weights[i]!;
  }
  return sum;
}
