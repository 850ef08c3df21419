/**
 * What a saved plan belongs to: 16 bytes of everything that it was made of — surface, skin, names, morph targets, paint, the volume options and the version of
 * the planner. The scale of the joints, which readers measure in whatever pose they find, is not in it: only whether it mirrors.
 */
import type { CharacterInput, PartInput, SkeletonInput } from '../character/character.js';
import type { Clip } from '../skeleton/clip.js';
import type { VolumeLayerOptions } from '../stack/volume-layer.js';
import { createHash, type Hash } from './create-hash.js';
import { PLAN_VERSION } from './saved-plan.js';

/** @param clips those that the plan was rehearsed on, where plans of other clips are kept beside it */
export function measurePlanKey(
  input: CharacterInput,
  options: VolumeLayerOptions = {},
  clips: readonly Clip[] = [],
): Uint8Array {
  const { parts, skeleton, morphs = [], weldTolerance = 0, borderTolerance = 0 } = input;
  const hash = createHash().text(JSON.stringify([PLAN_VERSION, sortKeys(options)]));
  for (const part of parts) addPart(hash, part);
  addSkeleton(hash, skeleton, parts[0]?.scale ?? 1);
  for (const { name, group } of morphs) hash.text(name).numbers([group]);
  hash.numbers([weldTolerance, borderTolerance]);
  for (const { duration, channels } of clips) {
    hash.numbers([duration]);
    for (const { target, path, times, values } of channels)
      hash.text(path).numbers([target]).numbers(times).numbers(values);
  }
  return hash.finish();
}

function addPart(hash: Hash, part: PartInput): void {
  const { name, group, positions, triangles, bones, weights, influences, scale = 1, morphs, paint } = part;
  hash.text(name).numbers([group, influences, Math.sign(scale)]);
  hash
    .numbers(positions)
    .numbers(triangles ?? [])
    .numbers(bones)
    .numbers(weights);
  for (const deltas of morphs?.deltas ?? []) hash.numbers(deltas ?? []);
  hash.numbers([morphs?.first ?? 0]);
  for (const [channel, values] of paint ?? []) hash.text(channel).numbers(values);
}

function addSkeleton(hash: Hash, { names, parents, boneNodes, inverseBinds }: SkeletonInput, scale: number): void {
  for (const name of names) hash.text(name);
  hash.numbers(parents).numbers(boneNodes);
  // Without the scale, and rounded, so that dividing by it and multiplying again leaves no trace.
  hash.numbers(inverseBinds.map((value, k) => Math.fround(k % 16 < 12 ? value * Math.abs(scale) : value)));
}

/** The same options in the same order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sortKeys(inner)]);
}
