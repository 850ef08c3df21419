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
  // Segment that every influence of a vertex is nearest to, and where along it.
  const { positions } = surface;
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  const nearest = new Uint32Array(binding.bones.length);
  const places = new Float64Array(binding.bones.length);
  const rows = new Uint32Array(binding.bones.length); // of the half that it is nearest to, in the votes
  for (let k = 0; k < surface.vertexCount; k++) {
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
      const bone = binding.bones[n]!;
      measureSegmentDistance(hit, segments, bone, positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!);
      nearest[n] = hit.segment;
      places[n] = hit.place;
      rows[n] = (2 * hit.segment + (hit.place > 0.5 ? 1 : 0)) * regions.count;
    }
  }

  // Votes of the triangles' corners for (component, half of a segment) → region.
  const halves = 2 * segments.ends.length;
  const votes = new Float64Array(halves * regions.count); // a region has one component
  const regionOf = new Uint32Array(surface.vertexCount).fill(NO_REGION);
  for (let t = 0; t < closed.triangleCount; t++) {
    const s = triangleRegion[t]!;
    if (s === NO_REGION) continue;
    for (let c = 3 * t; c < 3 * t + 3; c++) {
      const k = closed.triangles[c]!;
      if (k >= surface.vertexCount) continue;
      regionOf[k] = s;
      for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++)
        votes[rows[n]! + s]! += binding.weights[n]! * binding.weights[n]!;
    }
  }
  /** Half of a segment, and a component (by the first of its regions) → the region with the most votes. */
  const firsts = regions.component.map((component) => regions.component.indexOf(component));
  const winners = new Uint32Array(votes.length).fill(NO_REGION);
  for (let half = 0; half < halves; half++) {
    const row = half * regions.count;
    for (let s = 0; s < regions.count; s++) {
      const leader = winners[row + firsts[s]!]!;
      if (votes[row + s]! > (leader === NO_REGION ? 0 : votes[row + leader]!)) winners[row + firsts[s]!] = s;
    }
  }

  const offsets = new Uint32Array(surface.vertexCount + 1);
  const values = new Uint32Array(2 * binding.bones.length);
  const weights = new Float64Array(values.length);
  let end = 0;
  for (let k = 0; k < surface.vertexCount; k++) {
    const own = regionOf[k]!;
    const start = end;
    if (own !== NO_REGION) {
      for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
        const near = 2 * nearest[n]! * regions.count + firsts[own]!;
        for (let half = 0; half < 2; half++) {
          const share = binding.weights[n]! * (half === 0 ? 1 - places[n]! : places[n]!);
          if (!(share > 0)) continue;
          // A half that no vertex lies at goes with the other half.
          let s = winners[near + half * regions.count]!;
          if (s === NO_REGION) s = winners[near + (1 - half) * regions.count]!;
          if (s === NO_REGION) s = own;
          let at = start;
          while (at < end && values[at] !== s) at++;
          if (at === end) values[end++] = s;
          weights[at]! += share;
          visit?.(k, n, s, share);
        }
      }
    }
    offsets[k + 1] = end;
  }
  return { offsets, values: values.slice(0, end), weights: weights.slice(0, end) };
}
