import type { BlendGraph } from './blend-graph.js';
import { measureClosest } from './closest-point.js';
import { evaluateDepthPotential, evaluateDepthSlope } from './depth-potential.js';
import type { Skeleton } from './plan-skeleton.js';

/**
 * I1, I2. The field near a place, seen from one primitive: `prepare` its neighbours once, `select` the few that reach the
 * neighbourhood of a point, then `measure` at as many points around it as needed; nothing far away is looked at.
 *
 * Seen from primitive i of strand s:
 *   FIELD  F = max of F_s and of the strands fully linked with s (what i is part of)
 *   RIVAL  the largest F of the strands that s does not blend with (other objects, other pieces, the arm beside the body)
 *   OWN    depth of the point in i, e_i + ε_i − d_i, and OTHER the largest depth in what i blends with: i's territory is where
 *          OWN ≥ OTHER (TOP: the thickness of the deeper of the two). For equal potentials that is f_i ≥ f_j.
 */
export interface Probe {
  readonly result: Float64Array;
  /** The primitives to look at from now on: i (−1: nobody asks) and items[start … end). Selects all of them. */
  prepare(i: number, items: Int32Array, start: number, end: number): void;
  /** Looks only at those that reach within `slack` of the point. */
  select(x: number, y: number, z: number, slack: number): void;
  measure(x: number, y: number, z: number): void;
  /**
   * Share of candidate 0 in the point last measured, borders fading over `fade` thicknesses (sample-territories.ts);
   * SLOPE receives its derivative by i's own offset.
   */
  share(fade: number): number;
  /** Strongest primitive of the rival strand at the point last measured, −1 without rival. */
  rival(): number;
  /** λ between the two strands that meet at the point last measured. */
  rivalLink(): number;
  /** ∇FIELD to out[0…2] and ∇RIVAL to out[3…5] at the point last measured. */
  gradients(out: Float64Array, x: number, y: number, z: number): void;
  /** F of the best strand of the piece, and of the best strand of any other, to FIELD and RIVAL (after prepare with i = −1). */
  measurePiece(piece: number, x: number, y: number, z: number): void;
}

export const FIELD = 0;
export const RIVAL = 1;
export const OWN = 2;
export const OTHER = 3;
export const TOP = 4;
export const SLOPE = 5;

/** Numbers per candidate: x, y, z, reach², ε, e, w, k. */
const PACK = 8;

export function createProbe(skeleton: Skeleton, graph: BlendGraph): Probe {
  const { corners, shape, thickness, width, stiffness, bits, offsets, chain, chainSize } = skeleton;
  const { strands, labels } = graph;
  const capacity = skeleton.count + 1;
  const result = new Float64Array(6);
  // All candidates that were prepared …
  const ids = new Int32Array(capacity);
  const packed = new Float64Array(PACK * capacity);
  const kinds = new Uint8Array(capacity);
  const strandOf = new Int32Array(capacity);
  // … and the selected ones, in the same order: their number, potential, depth and closest point.
  const chosen = new Int32Array(capacity);
  const values = new Float64Array(capacity);
  const depths = new Float64Array(capacity);
  const feet = new Float64Array(3 * capacity);
  /** Selected place of the strongest so far of each chain (by its number). */
  const chainBest = new Int32Array(skeleton.count).fill(-1);
  const local = new Int32Array(capacity);
  const sums = new Float64Array(capacity);
  const totals = new Float64Array(capacity);
  let weights = new Float64Array(16);
  const closest = new Float64Array(5);
  let prepared = 0;
  let count = 0;
  let strandCount = 0;
  let fieldStrand = 0;
  let rivalStrand = -1;

  const push = (j: number): void => {
    const n = prepared++;
    ids[n] = j;
    const at = PACK * n;
    const reach = thickness[j]! + width[j]! + offsets[j]!;
    packed[at] = corners[9 * j]!;
    packed[at + 1] = corners[9 * j + 1]!;
    packed[at + 2] = corners[9 * j + 2]!;
    packed[at + 3] = reach > 0 ? reach * reach : 0;
    packed[at + 4] = offsets[j]!;
    packed[at + 5] = thickness[j]!;
    packed[at + 6] = width[j]!;
    packed[at + 7] = stiffness[j]!;
    kinds[n] = bits[j]!;
    chosen[n] = n;
    const strand = strands[j]!;
    let s = 0;
    while (s < strandCount && local[s] !== strand) s++;
    if (s === strandCount) local[strandCount++] = strand;
    strandOf[n] = s;
  };

  /** λ of all pairs of local strands. */
  const readLinks = (): void => {
    if (strandCount * strandCount > weights.length) weights = new Float64Array(2 * strandCount * strandCount);
    for (let a = 0; a < strandCount; a++) {
      for (let b = 0; b < strandCount; b++) weights[a * strandCount + b] = graph.link(local[a]!, local[b]!);
    }
  };

  /** Potentials of all selected (chains count once) and the totals F_s. */
  const measureStrands = (x: number, y: number, z: number): void => {
    for (let s = 0; s < strandCount; s++) sums[s] = 0;
    for (let n = 0; n < count; n++) {
      const c = chosen[n]!;
      const j = ids[c]!;
      const at = PACK * c;
      const squared = measureClosest(closest, corners, 9 * j, shape[j]!, x, y, z);
      feet[3 * n] = closest[0]!;
      feet[3 * n + 1] = closest[1]!;
      feet[3 * n + 2] = closest[2]!;
      let f = 0;
      depths[n] = -packed[at + 6]!;
      if (squared < packed[at + 3]!) {
        const distance = Math.sqrt(squared) - packed[at + 4]!;
        f = evaluateDepthPotential(distance, packed[at + 5]!, packed[at + 6]!, packed[at + 7]!, kinds[c]!);
        depths[n] = packed[at + 5]! - distance;
      }
      values[n] = f;
      if (chainSize[j] === 1) sums[strandOf[c]!]! += f;
      else {
        const best = chainBest[chain[j]!]!;
        if (best < 0) sums[strandOf[c]!]! += f;
        else if (f > values[best]!) sums[strandOf[c]!]! += f - values[best]!;
        if (best < 0 || f > values[best]!) chainBest[chain[j]!] = n;
      }
    }
    for (let a = 0; a < strandCount; a++) {
      let total = sums[a]!;
      if (total > 0) {
        for (let b = 0; b < strandCount; b++) {
          if (b !== a) total += weights[a * strandCount + b]! * Math.min(sums[a]!, sums[b]!);
        }
      }
      totals[a] = total;
    }
  };
  const forgetChains = (): void => {
    for (let n = 0; n < count; n++) chainBest[chain[ids[chosen[n]!]!]!] = -1;
  };

  const measure = (x: number, y: number, z: number): void => {
    measureStrands(x, y, z);
    forgetChains();
    let other = -Infinity;
    let top = 0;
    for (let n = 1; n < count; n++) {
      if (values[n]! > 0 && depths[n]! > other && weights[strandOf[chosen[n]!]!] === 1) {
        other = depths[n]!;
        top = PACK * chosen[n]!;
      }
    }
    let field = totals[0]!;
    let rival = 0;
    fieldStrand = 0;
    rivalStrand = -1;
    for (let s = 1; s < strandCount; s++) {
      if (weights[s] === 1) {
        if (totals[s]! > field) {
          field = totals[s]!;
          fieldStrand = s;
        }
      } else if (totals[s]! > rival) {
        rival = totals[s]!;
        rivalStrand = s;
      }
    }
    result[FIELD] = field;
    result[RIVAL] = rival;
    result[OWN] = depths[0]!;
    result[OTHER] = other;
    result[TOP] = other > depths[0]! ? packed[top + 5]! : packed[5]!;
  };

  const share = (fade: number): number => {
    const own = result[OWN]!;
    const other = result[OTHER]!;
    const floor = Math.max(own, other) - fade * result[TOP]!;
    result[SLOPE] = 0;
    if (own <= floor) return 0;
    if (other <= floor) return 1;
    let sum = 0;
    let others = -1;
    for (let n = 0; n < count; n++) {
      if (depths[n]! <= floor || weights[strandOf[chosen[n]!]!] !== 1) continue;
      sum += depths[n]! - floor;
      others++;
    }
    const part = (own - floor) / sum;
    // Raising the deepest lifts the floor under the others; raising another one lifts only itself.
    result[SLOPE] = own >= other ? (part * others) / sum : (1 - part) / sum;
    return part;
  };

  const addStrandGradient = (out: Float64Array, at: number, s: number, x: number, y: number, z: number): void => {
    for (let n = 0; n < count; n++) {
      const c = chosen[n]!;
      const t = strandOf[c]!;
      if (values[n]! <= 0) continue;
      // In F_s the strand itself counts fully, and again for every linked strand that is stronger than it.
      let factor = 0;
      if (t === s) {
        factor = 1;
        for (let b = 0; b < strandCount; b++) {
          if (b !== s && sums[b]! > sums[s]!) factor += weights[s * strandCount + b]!;
        }
      } else if (sums[t]! <= sums[s]!) factor = weights[s * strandCount + t]!;
      if (factor === 0 || (chainSize[ids[c]!]! > 1 && chainBest[chain[ids[c]!]!] !== n)) continue;
      const p = PACK * c;
      const dx = x - feet[3 * n]!;
      const dy = y - feet[3 * n + 1]!;
      const dz = z - feet[3 * n + 2]!;
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (d === 0) continue;
      factor *= evaluateDepthSlope(d - packed[p + 4]!, packed[p + 5]!, packed[p + 6]!, packed[p + 7]!, kinds[c]!) / d;
      out[at]! += factor * dx;
      out[at + 1]! += factor * dy;
      out[at + 2]! += factor * dz;
    }
  };

  return {
    result,
    prepare(i, items, start, end) {
      prepared = 0;
      strandCount = 0;
      if (i >= 0) push(i);
      for (let n = start; n < end; n++) push(items[n]!);
      count = prepared;
      readLinks();
    },
    select(x, y, z, slack) {
      count = 1;
      chosen[0] = 0;
      for (let c = 1; c < prepared; c++) {
        const at = PACK * c;
        const squared = measureClosest(closest, corners, 9 * ids[c]!, shape[ids[c]!]!, x, y, z);
        const limit = packed[at + 4]! + packed[at + 5]! + packed[at + 6]! + slack;
        if (squared < limit * limit) chosen[count++] = c;
      }
    },
    measure,
    share,
    rival() {
      if (rivalStrand < 0) return -1;
      let best = -1;
      for (let n = 0; n < count; n++) {
        if (strandOf[chosen[n]!] === rivalStrand && (best < 0 || values[n]! > values[best]!)) best = n;
      }
      return ids[chosen[best]!]!;
    },
    rivalLink: () => (rivalStrand < 0 ? 0 : weights[fieldStrand * strandCount + rivalStrand]!),
    gradients(out, x, y, z) {
      measureStrands(x, y, z);
      out.fill(0);
      if (fieldStrand >= 0) addStrandGradient(out, 0, fieldStrand, x, y, z);
      if (rivalStrand >= 0) addStrandGradient(out, 3, rivalStrand, x, y, z);
      forgetChains();
    },
    measurePiece(piece, x, y, z) {
      measureStrands(x, y, z);
      forgetChains();
      let field = 0;
      let rival = 0;
      fieldStrand = -1;
      rivalStrand = -1;
      for (let s = 0; s < strandCount; s++) {
        if (labels[local[s]!] === piece) {
          if (totals[s]! > field) {
            field = totals[s]!;
            fieldStrand = s;
          }
        } else if (totals[s]! > rival) {
          rival = totals[s]!;
          rivalStrand = s;
        }
      }
      result[FIELD] = field;
      result[RIVAL] = rival;
    },
  };
}
