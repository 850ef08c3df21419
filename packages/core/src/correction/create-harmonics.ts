/**
 * C16. The amounts of the first harmonics (plan-harmonics.ts) for one pose, from its bones: the same numbers for every kernel set.
 *
 *   J̃_p = Σ_q S_pq J_q / σ_q²,   u_p = t_p h(J̃_p),   h(J) = 1/J − 1,  below J_c: h(J_c) (J/J_c)²,   a_s = Λ_s S(Σ_p P_sp u_p / Λ_s),   S(z) = z/(1+|z|⁴)^¼
 *
 * σ  scale of the joints that move a patch: a character that grows is not stretched;  Λ  ceilings. O(patches · bones); allocation-free.
 */
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { measureBoneScales } from '../skeleton/measure-joint-scale.js';
import type { MeasureGiven } from './given-shapes.js';
import type { HarmonicPlan } from './plan-harmonics.js';

/**
 * J_c. In the finite-element elbow and finger (C16) the crease closes at 50–55°, where the skin's smoothed area ratio is 0.60–0.63: from
 * there on flesh goes aside, and bulges no further into what it touches.
 */
const CLOSED = 0.6;
/** Skin stretched beyond this thins no more: the flesh rests on its bone. */
const LARGEST_RATIO = 2;
/** Share of a ceiling below which an amount is rounding: the rest pose stays as it is, to the bit. */
const STILL = 1e-9;

export function createHarmonics(plan: HarmonicPlan): MeasureGiven {
  const { regionCount, patches, near, steady, flesh, fit, ceilings, boneCount } = plan;
  const ratios = new Float64Array(patches.count);
  const scales = new Float64Array(boneCount);
  const sums = new Float64Array(3 * regionCount);
  // Patches whose columns push something and whose skin can be stretched, and all that these look at.
  const listOf = (p: number) => near.patches.subarray(near.offsets[p], near.offsets[p + 1]);
  const used = [...flesh.keys()].filter((p) => fit.offsets[p]! < fit.offsets[p + 1]! && listOf(p).length > 0);
  const measured = Uint32Array.from(new Set(used.flatMap((p) => [...listOf(p)])));

  function measureRatio(p: number, bones: ArrayLike<number>, from: number): void {
    const { offsets, moments: m, weights } = patches;
    let ux = 0;
    let uy = 0;
    let uz = 0;
    let vx = 0;
    let vy = 0;
    let vz = 0;
    let size = 0;
    for (let e = offsets[p]!; e < offsets[p + 1]!; e++) {
      const b = from + BONE_STRIDE * patches.bones[e]!;
      const a0 = m[8 * e]!;
      const a1 = m[8 * e + 1]!;
      const a2 = m[8 * e + 2]!;
      const a3 = m[8 * e + 3]!;
      const b0 = m[8 * e + 4]!;
      const b1 = m[8 * e + 5]!;
      const b2 = m[8 * e + 6]!;
      const b3 = m[8 * e + 7]!;
      ux += bones[b]! * a0 + bones[b + 3]! * a1 + bones[b + 6]! * a2 + bones[b + 9]! * a3;
      uy += bones[b + 1]! * a0 + bones[b + 4]! * a1 + bones[b + 7]! * a2 + bones[b + 10]! * a3;
      uz += bones[b + 2]! * a0 + bones[b + 5]! * a1 + bones[b + 8]! * a2 + bones[b + 11]! * a3;
      vx += bones[b]! * b0 + bones[b + 3]! * b1 + bones[b + 6]! * b2 + bones[b + 9]! * b3;
      vy += bones[b + 1]! * b0 + bones[b + 4]! * b1 + bones[b + 7]! * b2 + bones[b + 10]! * b3;
      vz += bones[b + 2]! * b0 + bones[b + 5]! * b1 + bones[b + 8]! * b2 + bones[b + 11]! * b3;
      size += weights[e]! * scales[patches.bones[e]!]!;
    }
    const cx = uy * vz - uz * vy;
    const cy = uz * vx - ux * vz;
    const cz = ux * vy - uy * vx;
    ratios[p] = size > 0 ? (Math.sqrt(cx * cx + cy * cy + cz * cz) * patches.scales[p]!) / size : 1;
  }

  return (out, at, bones, first = 0) => {
    measureBoneScales(scales, bones, boneCount, first);
    for (let i = 0; i < boneCount; i++) scales[i] = scales[i] === 1 ? 1 : Math.cbrt(scales[i]! * scales[i]!);
    for (let n = 0; n < measured.length; n++) measureRatio(measured[n]!, bones, BONE_STRIDE * first);
    sums.fill(0);
    for (let n = 0; n < used.length; n++) {
      const p = used[n]!;
      let ratio = steady[p]!;
      for (let e = near.offsets[p]!; e < near.offsets[p + 1]!; e++)
        ratio += near.weights[e]! * ratios[near.patches[e]!]!;
      const u = flesh[p]! * measureHeight(ratio);
      for (let e = fit.offsets[p]!; e < fit.offsets[p + 1]!; e++) {
        const s = 3 * fit.regions[e]!;
        for (let r = 0; r < 3; r++) sums[s + r]! += fit.values[3 * e + r]! * u;
      }
    }
    for (let s = 0; s < regionCount; s++) squash(out, at + 3 * s, sums, 3 * s, ceilings[s]!);
  };
}

/** h: what a column gains where the skin has J times its area, of its height. */
function measureHeight(ratio: number): number {
  if (ratio < CLOSED) return (1 / CLOSED - 1) * (ratio / CLOSED) ** 2;
  return 1 / Math.min(LARGEST_RATIO, ratio) - 1;
}

/** out = Λ S(|a|/Λ) a/|a|, three numbers; infinite Λ: no ceiling. */
function squash(out: Float64Array, to: number, a: Float64Array, from: number, ceiling: number): void {
  const z = Math.sqrt(a[from]! ** 2 + a[from + 1]! ** 2 + a[from + 2]! ** 2) / ceiling;
  const factor = z < STILL ? 0 : 1 / Math.sqrt(Math.sqrt(1 + z ** 4));
  for (let r = 0; r < 3; r++) out[to + r] = factor > 0 ? a[from + r]! * factor : 0; // also coordinates that overflow
}
