/**
 * Smooths numbers of skin patches (plan-skin-patches.ts) with a Gaussian of given width, area by area, along the skin: nothing leaks
 * from one finger to the next.
 *
 *   J̃_p = Σ_q S_pq J_q,   S_pq ∝ A_q exp(−½ (|c_p − c_q|/w_p)²)   within 2 w_p, rows sum to 1
 *
 * A, c  area and centre of a patch.  O(patches · neighbours).
 */
import { measureDistance } from '../mesh/measure-distance.js';
import type { SkinPatches } from './plan-skin-patches.js';

export interface PatchSmoothing {
  /** Patch → patches that can be stretched, and their weights S. */
  readonly near: { readonly offsets: Uint32Array; readonly patches: Uint32Array; readonly weights: Float64Array };
  /** Σ S of the others, #patches: their J stays 1. */
  readonly steady: Float64Array;
}

/** @param widths w, one per patch; 0: not asked for. */
export function planPatchSmoothing(patches: SkinPatches, widths: Float64Array): PatchSmoothing {
  const { count, clusters, centres, areas } = patches;
  const { offsets, values } = clusters.neighbours;
  const out = { offsets: new Uint32Array(count + 1), patches: [] as number[], weights: [] as number[] };
  const steady = new Float64Array(count);
  const seen = new Int32Array(count).fill(-1);
  for (let p = 0; p < count; p++) {
    const width = widths[p]!;
    out.offsets[p + 1] = out.patches.length;
    if (width === 0) continue;
    const queue = [p];
    const weights = new Map<number, number>();
    let sum = 0;
    seen[p] = p;
    for (let head = 0; head < queue.length; head++) {
      const q = queue[head]!;
      const distance = q === p ? 0 : measureDistance(centres, p, q);
      if (distance > 2 * width) continue;
      const weight = Math.max(areas[q]!, Number.MIN_VALUE) * (q === p ? 1 : Math.exp(-0.5 * (distance / width) ** 2));
      weights.set(q, weight);
      sum += weight;
      for (let e = offsets[q]!; e < offsets[q + 1]!; e++) {
        if (seen[values[e]!] === p) continue;
        seen[values[e]!] = p;
        queue.push(values[e]!);
      }
    }
    for (const [q, weight] of weights) {
      if (patches.offsets[q] === patches.offsets[q + 1]) {
        steady[p]! += weight / sum;
        continue;
      }
      out.patches.push(q);
      out.weights.push(weight / sum);
    }
    out.offsets[p + 1] = out.patches.length;
  }
  const near = { ...out, patches: Uint32Array.from(out.patches), weights: Float64Array.from(out.weights) };
  return { near, steady };
}
