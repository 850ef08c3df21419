/**
 * The bones that may move each vertex while its weights are refined: its own, and, up to the limit, the strongest around it.
 *
 * A vertex has `limit` slots of (bone, weight). Free ones take the bones whose weights reach it in a few rounds of averaging with the neighbours,
 * so a weight that changes has neighbours that can follow it. Slots of one bone on neighbouring vertices are linked: that is where
 * smoothness is measured. O(#V · limit · neighbours).
 */
import type { Binding } from '../character/character.js';
import { packLists } from '../mesh/pack-lists.js';
import type { Csr, Surface } from '../mesh/surface.js';

export interface WeightSlots {
  readonly limit: number;
  /** Bone of every slot, #V×limit; of an empty one that of the first, with weight 0 for ever. */
  readonly bones: Uint32Array;
  /** Slots that hold a bone, of every vertex. */
  readonly used: Uint8Array;
  /** ω of the binding, #V×limit, Σ = 1. */
  readonly weights: Float64Array;
  /** Slot → slots of the same bone on the neighbours. */
  readonly links: Csr;
}

/** Rings around a vertex from which a bone may come to it. */
const RINGS = 3;

export function planWeightSlots(surface: Surface, binding: Binding, limit: number): WeightSlots {
  const { vertexCount, neighbours } = surface;
  const around = spreadWeights(surface, binding);
  const bones = new Uint32Array(vertexCount * limit);
  const weights = new Float64Array(vertexCount * limit);
  const used = new Uint8Array(vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    const first = binding.offsets[k]!;
    const own = Math.min(limit, binding.offsets[k + 1]! - first);
    const list = [...binding.bones.subarray(first, first + own)];
    const others = [...around[k]!].filter(([bone]) => !list.includes(bone)).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    for (const [bone] of others.slice(0, limit - own)) list.push(bone);
    let sum = 0;
    for (let n = 0; n < own; n++) sum += binding.weights[first + n]!;
    for (let n = 0; n < limit; n++) {
      bones[k * limit + n] = list[n] ?? list[0]!;
      if (n < own) weights[k * limit + n] = binding.weights[first + n]! / sum;
    }
    used[k] = list.length;
  }
  const links: number[][] = Array.from({ length: bones.length }, () => []);
  for (let k = 0; k < vertexCount; k++) {
    for (let e = neighbours.offsets[k]!; e < neighbours.offsets[k + 1]!; e++) {
      const j = neighbours.values[e]!;
      for (let n = 0; n < used[k]!; n++) {
        for (let m = 0; m < used[j]!; m++) {
          if (bones[k * limit + n] === bones[j * limit + m]) links[k * limit + n]!.push(j * limit + m);
        }
      }
    }
  }
  return { limit, bones, used, weights, links: packLists(links) };
}

/** Bone → weight of every vertex after `RINGS` rounds of averaging. */
function spreadWeights({ vertexCount, neighbours }: Surface, binding: Binding): Map<number, number>[] {
  let now = Array.from({ length: vertexCount }, (_, k) => {
    const own = new Map<number, number>();
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) own.set(binding.bones[n]!, binding.weights[n]!);
    return own;
  });
  for (let ring = 0; ring < RINGS; ring++) {
    now = now.map((own, k) => {
      const out = new Map(own);
      const share = 1 / (neighbours.offsets[k + 1]! - neighbours.offsets[k]! || 1);
      for (let e = neighbours.offsets[k]!; e < neighbours.offsets[k + 1]!; e++) {
        for (const [bone, weight] of now[neighbours.values[e]!]!) out.set(bone, (out.get(bone) ?? 0) + share * weight);
      }
      return out;
    });
  }
  return now;
}
