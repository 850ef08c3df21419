/**
 * V̄_s of a frame: the rest volume, scaled as the author scales the joints, times an animated factor (C13).
 *
 *   V̄_s(t) = V̄_s(m) · c · (1 + Σ_i share_si · D(det A_i / c − 1)) · factor_s(t)
 *
 * V̄_s(m)  volume of the rest shape under the morph targets of the pose: a fat morph means to be fat. Correctives mean to keep it.
 * A_i  linear part of bone i in the pose;  c  median of det A_i: the common scale;  share_si  share of bone i in region s;
 * D  dead zone: joints that scale by less than 2 % mean rounding, not will, and those above 4 % count in full.
 */

import type { Character } from '../character/character.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { listByRegion, type RegionNames } from '../regions/find-region.js';
import { measureBoneScales } from '../skeleton/measure-joint-scale.js';
import { applyMorphs } from '../skinning/apply-morphs.js';
import { createExtendedPositions, measureTetrahedra } from '../volume/measure-region-volumes.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';

/** Factor over time: [seconds, factor] keys, linear between them, constant outside. */
export type TargetCurve = readonly (readonly [number, number])[];

export interface TargetOptions {
  /** Factor of all regions: a number, or keys over time. */
  readonly all?: number | TargetCurve;
  /** Whether morph targets change the volume that is kept: `follow` them (default), or `keep` that of the plain rest shape. */
  readonly morphs?: MorphTargets;
  /** Factor of single regions, by name; multiplies `all`. */
  readonly regions?: Readonly<Record<string, number | TargetCurve>>;
}

export const MORPH_TARGETS = ['follow', 'keep'] as const;
export type MorphTargets = (typeof MORPH_TARGETS)[number];

const DEAD_ZONE = 0.02;

/** Region → its bones, and the share of each in it. */
export interface BoneShares {
  readonly offsets: Uint32Array;
  readonly bones: Uint32Array;
  readonly shares: Float64Array;
}

export interface TargetPlan {
  readonly shares: BoneShares;
  /** Other factors and ways to take morph targets, from the next `measure` on. */
  set(options?: TargetOptions): void;
  /** Writes V̄_s at `time` for a pose's bone matrices (#B×12) and morph weights. */
  measure(out: Float64Array, bones: Float64Array, time: number, morphWeights?: Float64Array): void;
}

/** Whether regions are asked for other volumes than those at rest. */
export function asksVolumes({ target }: { readonly target?: TargetOptions }): boolean {
  return target?.all !== undefined || target?.regions !== undefined;
}

/** @param shares where they are known */
export function planTargetVolumes(
  character: Character,
  volumes: RegionVolumes,
  regions: RegionNames,
  rest: Float64Array,
  options: TargetOptions = {},
  shares = measureBoneShares(character, volumes),
): TargetPlan {
  const { boneCount } = character.skeleton;
  const scales = new Float64Array(boneCount);
  const sorted = new Float64Array(boneCount);
  const morphed = planMorphedRest(character, volumes, rest);
  let measureMorphed = morphed;
  let curves: (readonly [number | TargetCurve, number | TargetCurve])[] = [];
  function set({ all = 1, morphs, regions: own }: TargetOptions = {}): void {
    curves = listByRegion(own, regions, 'target.regions').map((one) => [all, one ?? 1]);
    measureMorphed = morphs === 'keep' ? () => rest : morphed;
  }
  set(options);
  return {
    shares,
    set,
    measure(out, bones, time, morphWeights) {
      const base = morphWeights ? measureMorphed(morphWeights) : rest;
      measureBoneScales(scales, bones, boneCount);
      sorted.set(scales);
      sorted.sort();
      const common = boneCount > 0 ? sorted[boneCount >> 1]! : 1;
      for (let s = 0; s < volumes.regionCount; s++) {
        let own = 0;
        for (let e = shares.offsets[s]!; e < shares.offsets[s + 1]!; e++)
          own += shares.shares[e]! * deadZone(scales[shares.bones[e]!]! / common - 1);
        const [all, one] = curves[s]!;
        out[s] = base[s]! * common * (1 + own) * sampleCurve(all, time) * sampleCurve(one, time);
      }
    },
  };
}

/** V̄_s(m), measured again only when a morph weight has changed. */
function planMorphedRest(
  character: Character,
  volumes: RegionVolumes,
  rest: Float64Array,
): (weights: Float64Array) => Float64Array {
  const { morphs, surface } = character;
  const meaning = morphs.map(({ corrects }) => !corrects);
  if (!meaning.includes(true)) return () => rest;
  const extended = createExtendedPositions(volumes);
  const out = rest.slice();
  const known = new Float64Array(morphs.length);
  const used = new Float64Array(morphs.length);
  return (weights) => {
    let changed = false;
    for (let m = 0; m < used.length; m++) {
      used[m] = meaning[m] ? weights[m]! : 0;
      changed ||= used[m] !== known[m];
    }
    if (!changed) return out;
    known.set(used);
    applyMorphs(extended.subarray(0, 3 * surface.vertexCount), character, used);
    measureTetrahedra(out, volumes, extended);
    return out;
  };
}

/** Share of every bone in every region: its weights over the region's triangles. */
function measureBoneShares({ binding, surface, skeleton }: Character, volumes: RegionVolumes): BoneShares {
  const { boneCount } = skeleton;
  const sums = new Float64Array(volumes.regionCount * boneCount);
  for (let c = 0; c < surface.triangles.length; c++) {
    const s = volumes.triangleRegion[(c / 3) | 0]!;
    if (s >= volumes.regionCount) continue;
    const k = surface.triangles[c]!;
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++)
      sums[s * boneCount + binding.bones[n]!]! += binding.weights[n]!;
  }
  const offsets = new Uint32Array(volumes.regionCount + 1);
  const bones: number[] = [];
  const shares: number[] = [];
  for (let s = 0; s < volumes.regionCount; s++) {
    const row = sums.subarray(s * boneCount, (s + 1) * boneCount);
    const total = row.reduce((sum, weight) => sum + weight, 0);
    for (const [bone, weight] of row.entries()) {
      if (weight === 0) continue;
      bones.push(bone);
      shares.push(weight / total);
    }
    offsets[s + 1] = bones.length;
  }
  return { offsets, bones: Uint32Array.from(bones), shares: Float64Array.from(shares) };
}

/** 0 for |d| ≤ 2 %, d from 4 % on, smooth between. Where the common scale is zero nothing can be told: 0. */
function deadZone(d: number): number {
  if (!Number.isFinite(d)) return 0;
  return d * smoothStep(Math.abs(d) / DEAD_ZONE - 1);
}

export function sampleCurve(curve: number | TargetCurve, time: number): number {
  if (typeof curve === 'number') return curve;
  const last = curve.length - 1;
  if (last < 0) return 1;
  if (time <= curve[0]![0]) return curve[0]![1];
  for (let i = 1; i <= last; i++) {
    const [t1, f1] = curve[i]!;
    if (time > t1) continue;
    const [t0, f0] = curve[i - 1]!;
    return t1 > t0 ? f0 + ((f1 - f0) * (time - t0)) / (t1 - t0) : f1;
  }
  return curve[last]![1];
}
