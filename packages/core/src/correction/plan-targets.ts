/**
 * V̄_s of a frame: the rest volume, scaled as the author scales the joints, times an animated factor (C13).
 *
 *   V̄_s(t) = V̄_s · c · (1 + Σ_i share_si · D(det A_i / c − 1)) · factor_s(t)
 *
 * A_i  linear part of bone i in the pose;  c  median of det A_i: the common scale;  share_si  share of bone i in region s;
 * D  dead zone: joints that scale by less than 2 % mean rounding, not will, and those above 4 % count in full.
 */
import type { Character } from '../character/character.js';
import { checkRegion } from '../regions/check-region.js';
import { measureBoneScales } from '../skeleton/measure-joint-scale.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';

/** Factor over time: [seconds, factor] keys, linear between them, constant outside. */
export type TargetCurve = readonly (readonly [number, number])[];

export interface TargetOptions {
  /** Factor of all regions: a number, or keys over time. */
  readonly all?: number | TargetCurve;
  /** Factor of single regions, by name; multiplies `all`. */
  readonly regions?: Readonly<Record<string, number | TargetCurve>>;
}

const DEAD_ZONE = 0.02;

export interface TargetPlan {
  /** Writes V̄_s at `time` for a pose's bone matrices (#B×12). */
  measure(out: Float64Array, bones: Float64Array, time: number): void;
}

export function planTargets(
  character: Character,
  volumes: RegionVolumes,
  names: readonly string[],
  rest: Float64Array,
  options: TargetOptions = {},
): TargetPlan {
  const { boneCount } = character.skeleton;
  const shares = measureBoneShares(character, volumes);
  const scales = new Float64Array(boneCount);
  const sorted = new Float64Array(boneCount);
  const single = new Map(Object.entries(options.regions ?? {})); // a region may be called “constructor”
  for (const name of single.keys()) checkRegion(name, names, 'target.regions');
  const curves = names.map((name) => [options.all ?? 1, single.get(name) ?? 1] as const);
  return {
    measure(out, bones, time) {
      measureBoneScales(scales, bones, boneCount);
      sorted.set(scales);
      sorted.sort();
      const common = boneCount > 0 ? sorted[boneCount >> 1]! : 1;
      for (let s = 0; s < volumes.regionCount; s++) {
        let own = 0;
        for (const [bone, share] of shares[s]!) own += share * deadZone(scales[bone]! / common - 1);
        const [all, one] = curves[s]!;
        out[s] = rest[s]! * common * (1 + own) * sampleCurve(all, time) * sampleCurve(one, time);
      }
    },
  };
}

/** Share of every bone in every region: its weights over the region's triangles. */
function measureBoneShares(character: Character, volumes: RegionVolumes): [bone: number, share: number][][] {
  const { binding, surface } = character;
  const sums: Map<number, number>[] = Array.from({ length: volumes.regionCount }, () => new Map());
  for (let c = 0; c < surface.triangles.length; c++) {
    const list = sums[volumes.triangleRegion[(c / 3) | 0]!];
    if (!list) continue;
    const k = surface.triangles[c]!;
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
      list.set(binding.bones[n]!, (list.get(binding.bones[n]!) ?? 0) + binding.weights[n]!);
    }
  }
  return sums.map((list) => {
    let total = 0;
    for (const weight of list.values()) total += weight;
    return [...list].map(([bone, weight]): [number, number] => [bone, weight / total]);
  });
}

/** 0 for |d| ≤ 2 %, d from 4 % on, smooth between. Where the common scale is zero nothing can be told: 0. */
function deadZone(d: number): number {
  if (!Number.isFinite(d)) return 0;
  const z = Math.min(1, Math.max(0, Math.abs(d) / DEAD_ZONE - 1));
  return d * z * z * (3 - 2 * z);
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
