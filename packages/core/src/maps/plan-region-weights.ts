/**
 * Ω_ks: how much of a vertex's weight belongs to each region; Σ_s Ω_ks = 1 at every vertex of a region.
 *
 * Which region a bone belongs to is asked from the triangles, so that merged, ignored and absorbed bones go where they really
 * went. A bone is asked in two halves, near its joint and near its end: regions by bone (E1) claim both, regions by joint (E2)
 * one each, and the weight passes from one to the other along the bone.
 *
 * O(#V · influences · segments per bone).
 */
import type { Character } from '../character/character.js';
import type { Csr } from '../mesh/surface.js';
import type { Regions } from '../regions/plan-regions.js';
import { measureSegmentDistance, type SegmentHit } from '../skeleton/plan-bone-segments.js';
import { NO_REGION, type RegionVolumes } from '../volume/plan-region-volumes.js';

export interface RegionWeights extends Csr {
  /** Vertex → regions (`values`), and Ω of each. */
  readonly weights: Float64Array;
}

/** @param visit told of every share that an influence of a vertex has in a region, in order */
export function planRegionWeights(
  character: Character,
  regions: Regions,
  volumes: RegionVolumes,
  visit?: (vertex: number, influence: number, region: number, share: number) => void,
): RegionWeights {
  const { surface, binding } = character;
  const { segments } = regions;
  const { triangleRegion, closed } = volumes;
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  const locate = (k: number, bone: number): void =>
    measureSegmentDistance(
      hit,
      segments,
      bone,
      surface.positions[3 * k]!,
      surface.positions[3 * k + 1]!,
      surface.positions[3 * k + 2]!,
    );

  // Votes of the triangles' corners for (component, half of a segment) → region.
  const halves = 2 * segments.ends.length;
  const votes = new Map<number, Map<number, number>>();
  const regionOf = new Uint32Array(surface.vertexCount).fill(NO_REGION);
  for (let c = 0; c < 3 * closed.triangleCount; c++) {
    const k = closed.triangles[c]!;
    const s = triangleRegion[(c / 3) | 0]!;
    if (k >= surface.vertexCount || s === NO_REGION) continue;
    regionOf[k] = s;
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
      locate(k, binding.bones[n]!);
      const key = regions.component[s]! * halves + 2 * hit.segment + (hit.place > 0.5 ? 1 : 0);
      let row = votes.get(key);
      if (!row) votes.set(key, (row = new Map()));
      row.set(s, (row.get(s) ?? 0) + binding.weights[n]! ** 2);
    }
  }
  const winner = new Map<number, number>();
  for (const [key, row] of votes) winner.set(key, [...row].reduce((best, one) => (one[1] > best[1] ? one : best))[0]);

  const offsets = new Uint32Array(surface.vertexCount + 1);
  const values: number[] = [];
  const weights: number[] = [];
  const sums = new Map<number, number>();
  for (let k = 0; k < surface.vertexCount; k++) {
    const own = regionOf[k]!;
    sums.clear();
    if (own !== NO_REGION) {
      for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
        locate(k, binding.bones[n]!);
        const near = regions.component[own]! * halves + 2 * hit.segment;
        for (let half = 0; half < 2; half++) {
          const share = binding.weights[n]! * (half === 0 ? 1 - hit.place : hit.place);
          // A half that no vertex lies at goes with the other half.
          const s = winner.get(near + half) ?? winner.get(near + 1 - half) ?? own;
          if (!(share > 0)) continue;
          sums.set(s, (sums.get(s) ?? 0) + share);
          visit?.(k, n, s, share);
        }
      }
    }
    for (const [s, sum] of sums) {
      values.push(s);
      weights.push(sum);
    }
    offsets[k + 1] = values.length;
  }
  return { offsets, values: Uint32Array.from(values), weights: Float64Array.from(weights) };
}
