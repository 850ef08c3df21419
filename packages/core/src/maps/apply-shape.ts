/**
 * Directional control (beyond the seeds): where, and which way, the flesh of a region gives way; the volume stays exact.
 *
 *   n_k ← Σ_s Ω_sk Σ_i share_si ⟨n_k, e_si⟩ e_si        γ_k ← γ_k Σ_s Ω_sk profile_s(place of k along the bone)
 *
 * e_s1  along the bone;  e_s2  the axis that the joint turns about in the character's clips;  e_s3  across both;
 * Ω_sk  weight of region s at vertex k (a partition of unity that follows the skin weights, so both stay smooth).
 * A flat rubber squash has across = 0; a biceps has a profile that peaks in the middle.
 */

import type { Character } from '../character/character.js';
import { cross } from '../mesh/cross.js';
import { findRegion } from '../regions/find-region.js';
import type { Regions } from '../regions/plan-regions.js';
import { measureSegmentDistance, type SegmentHit } from '../skeleton/plan-bone-segments.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { planRegionWeights } from './plan-region-weights.js';

export interface ShapeOptions {
  /** Name of a region, or `*` for all; later entries win. */
  readonly region: string;
  /** Share of the displacement along the bone, along the joint's axis, and across both. Default 1. */
  readonly along?: number;
  readonly axis?: number;
  readonly across?: number;
  /** [place along the bone 0 … 1, factor] keys; smooth between them. */
  readonly profile?: readonly (readonly [number, number])[];
}

/** Axis that the joint of `bone` turns about (`measureHingeAxis`); zero where it does not turn. */
export type MeasureAxis = (character: Character, bone: number) => readonly number[];

/**
 * Writes the shaped field and map over `directions` (#V×3) and `gamma` (#V).
 *
 * @param measureAxis default: no joint turns, and any axis across the bone will do
 */
export function applyShape(
  directions: Float64Array,
  gamma: Float64Array,
  character: Character,
  regions: Regions,
  volumes: RegionVolumes,
  shapes: readonly ShapeOptions[],
  measureAxis: MeasureAxis = () => [0, 0, 0],
): void {
  const regionOf = shapes.map(({ region }) => (region === '*' ? -1 : findRegion(region, regions, 'shape')));
  const weights = planRegionWeights(character, regions, volumes);
  const frames = regions.names.map((_, s) => {
    const own = shapes.filter((_, n) => regionOf[n] === -1 || regionOf[n] === s);
    return planRegionShape(character, regions, s, own, measureAxis);
  });
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  const { positions } = character.surface;
  const n = new Float64Array(3);
  for (let k = 0; k < gamma.length; k++) {
    const from = weights.offsets[k]!;
    const to = weights.offsets[k + 1]!;
    if (from === to) continue;
    n.fill(0);
    let factor = 0;
    for (let e = from; e < to; e++) {
      const { bone, axes, shares, profile } = frames[weights.values[e]!]!;
      const weight = weights.weights[e]!;
      for (let i = 0; i < 3; i++) {
        let dot = 0;
        for (let r = 0; r < 3; r++) dot += directions[3 * k + r]! * axes[3 * i + r]!;
        for (let r = 0; r < 3; r++) n[r]! += weight * shares[i]! * dot * axes[3 * i + r]!;
      }
      if (profile && bone >= 0) {
        measureSegmentDistance(
          hit,
          regions.segments,
          bone,
          positions[3 * k]!,
          positions[3 * k + 1]!,
          positions[3 * k + 2]!,
        );
        factor += weight * sampleProfile(profile, hit.place);
      } else factor += weight;
    }
    directions.set(n, 3 * k);
    gamma[k]! *= Math.max(0, factor);
  }
}

interface RegionShape {
  bone: number;
  /** Three orthonormal vectors, 9 numbers. */
  axes: Float64Array;
  shares: readonly [number, number, number];
  profile: ShapeOptions['profile'];
}

function planRegionShape(
  character: Character,
  regions: Regions,
  s: number,
  shapes: readonly ShapeOptions[],
  measureAxis: MeasureAxis,
): RegionShape {
  const bone = character.skeleton.boneNodes.indexOf(regions.joints[s]!);
  const wanted: Omit<ShapeOptions, 'region'> = Object.assign({}, ...shapes);
  const { along = 1, axis = 1, across = 1, profile } = wanted;
  const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  if (bone >= 0) {
    const { points, offsets } = regions.segments;
    let longest = offsets[bone]!;
    for (let n = longest; n < offsets[bone + 1]!; n++) if (length(points, n) > length(points, longest)) longest = n;
    const size = length(points, longest);
    const e1 = [0, 1, 2].map((r) =>
      size > 0 ? (points[6 * longest + 3 + r]! - points[6 * longest + r]!) / size : +(r === 0),
    );
    const hinge = perpendicular(measureAxis(character, bone), e1);
    axes.set([...e1, ...hinge, ...cross(e1, hinge)]);
  }
  return { bone, axes, shares: [along, axis, across], profile };
}

/** Smooth (cosine) interpolation of [place, factor] keys. */
function sampleProfile(keys: readonly (readonly [number, number])[], place: number): number {
  const last = keys.length - 1;
  if (last < 0) return 1;
  if (place <= keys[0]![0]) return keys[0]![1];
  for (let i = 1; i <= last; i++) {
    const [p1, f1] = keys[i]!;
    if (place > p1) continue;
    const [p0, f0] = keys[i - 1]!;
    const u = p1 > p0 ? (place - p0) / (p1 - p0) : 1;
    return f0 + (f1 - f0) * 0.5 * (1 - Math.cos(Math.PI * u));
  }
  return keys[last]![1];
}

function length(points: Float64Array, n: number): number {
  return Math.hypot(
    points[6 * n + 3]! - points[6 * n]!,
    points[6 * n + 4]! - points[6 * n + 1]!,
    points[6 * n + 5]! - points[6 * n + 2]!,
  );
}

/** Unit vector across `e`, as near to `v` as possible; any one when v is (almost) parallel to e. */
function perpendicular(v: readonly number[], e: readonly number[]): number[] {
  for (const candidate of [v, [1, 0, 0], [0, 1, 0]]) {
    const dot = candidate[0]! * e[0]! + candidate[1]! * e[1]! + candidate[2]! * e[2]!;
    const rest = candidate.map((c, r) => c - dot * e[r]!);
    const size = Math.hypot(...rest);
    if (size > 0.3) return rest.map((c) => c / size);
  }
  return [0, 0, 1];
}
