import type { Binding } from '../character/character.js';

/** The strongest few bones of every vertex, while weights come in one at a time in any order. */
export interface Influences {
  /** Keeps the bone if it is among the strongest of vertex k so far; of equal ones the first to come. */
  add(k: number, bone: number, weight: number): void;
  /** Drops what is below `prune` of its vertex's sum and normalises: ω ≥ 0, Σω = 1, strongest first. */
  finish(prune: number): Binding;
}

export function createInfluences(vertexCount: number, limit: number): Influences {
  const bones = new Uint32Array(vertexCount * limit);
  const weights = new Float64Array(vertexCount * limit);

  const add = (k: number, bone: number, weight: number): void => {
    const first = k * limit;
    let slot = first + limit - 1;
    if (!(weight > weights[slot]!)) return;
    for (; slot > first && weight > weights[slot - 1]!; slot--) {
      weights[slot] = weights[slot - 1]!;
      bones[slot] = bones[slot - 1]!;
    }
    weights[slot] = weight;
    bones[slot] = bone;
  };

  const finish = (prune: number): Binding => {
    const offsets = new Uint32Array(vertexCount + 1);
    let used = 0;
    let maxInfluences = 0;
    for (let k = 0; k < vertexCount; k++) {
      const first = k * limit;
      let sum = 0;
      for (let n = 0; n < limit; n++) sum += weights[first + n]!;
      let kept = 1;
      while (kept < limit && weights[first + kept]! > 0 && weights[first + kept]! >= prune * sum) kept++;
      sum = 0;
      for (let n = 0; n < kept; n++) sum += weights[first + n]!;
      // Lists only move towards the front, so they can be packed in place.
      for (let n = 0; n < kept; n++) {
        bones[used] = bones[first + n]!;
        weights[used++] = weights[first + n]! / sum;
      }
      offsets[k + 1] = used;
      maxInfluences = Math.max(maxInfluences, kept);
    }
    return { offsets, bones: bones.slice(0, used), weights: weights.slice(0, used), maxInfluences, weightSumError: 0 };
  };
  return { add, finish };
}
