/**
 * The weights of a skin that can be painted: the same number of bones for every vertex, in places that may be empty.
 *
 *   row k:   bones[K k … K k + K − 1],   weights[…],   Σ weights = 1,   0: an empty place
 *
 * Painted weights are never written in place: a stroke works on a copy.
 */
import type { Binding } from '@isoskin/core/mesh';

export interface SkinWeights {
  /** K: most bones per vertex. */
  readonly influences: number;
  /** #V×K. */
  readonly bones: Uint32Array;
  readonly weights: Float32Array;
}

/** What glTF readers take without a second set of attributes. */
const LEAST_PLACES = 4;

export function packWeights({ offsets, bones, weights }: Pick<Binding, 'offsets' | 'bones' | 'weights'>): SkinWeights {
  const count = offsets.length - 1;
  let influences = LEAST_PLACES;
  for (let k = 0; k < count; k++) influences = Math.max(influences, offsets[k + 1]! - offsets[k]!);
  const out = {
    influences,
    bones: new Uint32Array(count * influences),
    weights: new Float32Array(count * influences),
  };
  for (let k = 0; k < count; k++) {
    out.bones.set(bones.subarray(offsets[k]!, offsets[k + 1]!), k * influences);
    out.weights.set(weights.subarray(offsets[k]!, offsets[k + 1]!), k * influences);
  }
  return out;
}

export function unpackWeights({ influences, bones, weights }: SkinWeights): Binding {
  const count = weights.length / influences;
  const offsets = new Uint32Array(count + 1);
  const used = Array.from(weights.keys()).filter((n) => weights[n]! > 0);
  for (const n of used) offsets[Math.trunc(n / influences) + 1]!++;
  for (let k = 0; k < count; k++) offsets[k + 1]! += offsets[k]!;
  const sums = new Float64Array(count);
  for (const n of used) sums[Math.trunc(n / influences)]! += weights[n]!;
  return {
    offsets,
    bones: Uint32Array.from(used, (n) => bones[n]!),
    weights: Float64Array.from(used, (n) => weights[n]! / sums[Math.trunc(n / influences)]!),
    maxInfluences: influences,
    weightSumError: 0,
  };
}

export function isSameWeights(a: SkinWeights | undefined, b: SkinWeights | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.weights.length === b.weights.length &&
    a.weights.every((weight, n) => weight === b.weights[n] && (weight === 0 || a.bones[n] === b.bones[n]))
  );
}

/** Bone → weight of one vertex. */
export function readRow({ influences, bones, weights }: SkinWeights, k: number): Map<number, number> {
  const row = new Map<number, number>();
  for (let n = k * influences; n < (k + 1) * influences; n++) {
    if (weights[n]! > 0) row.set(bones[n]!, (row.get(bones[n]!) ?? 0) + weights[n]!);
  }
  return row;
}

/** The strongest of a row, their sum 1. */
export function writeRow(
  { influences, bones, weights }: SkinWeights,
  k: number,
  row: ReadonlyMap<number, number>,
): void {
  const kept = [...row].filter(([, weight]) => weight > LEAST_WEIGHT).sort((a, b) => b[1] - a[1]);
  kept.length = Math.min(kept.length, influences);
  const sum = kept.reduce((all, [, weight]) => all + weight, 0);
  if (!(sum > 0)) return;
  for (let n = 0; n < influences; n++) {
    bones[k * influences + n] = kept[n]?.[0] ?? 0;
    weights[k * influences + n] = (kept[n]?.[1] ?? 0) / sum;
  }
}

/** A brush that comes ever nearer to nothing gets there. */
const LEAST_WEIGHT = 1e-3;

/** Row ← (1 − t) row + t target. */
export function mixRows(row: ReadonlyMap<number, number>, target: ReadonlyMap<number, number>, t: number) {
  const out = new Map(Array.from(row, ([bone, weight]) => [bone, (1 - t) * weight]));
  for (const [bone, weight] of target) out.set(bone, (out.get(bone) ?? 0) + t * weight);
  return out;
}

/** Weight of the bones of a joint, #V. */
export function readJoint({ influences, bones, weights }: SkinWeights, boneNodes: Uint32Array, joint: number) {
  const out = new Float32Array(weights.length / influences);
  for (let n = 0; n < weights.length; n++) {
    if (weights[n]! > 0 && boneNodes[bones[n]!] === joint) out[Math.trunc(n / influences)]! += weights[n]!;
  }
  return out;
}
