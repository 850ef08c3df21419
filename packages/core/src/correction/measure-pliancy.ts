/**
 * C17.5. Share of a push that the skin takes: 0 where one bone holds a vertex and everything around it (a skull, a hoof, a plate), 1 where the
 * skin bends.
 *
 *   b_k = max(1 − max_b ω_kb, max_{j ∈ N(k)} ½ Σ_b |ω_kb − ω_jb|)         how much the skin at k bends
 *   p_k = s(max_j (min(1, b_j / FULL) − d_kj / (REACH T_k)))                 s  smooth step
 *
 * Along an edge the bracket falls by MAX_FALL at most. ω  skin weights;  N  neighbours;  d  distance along the edges;  T  thickness. The maximum is taken by sweeps over the edges, so it is exact to
 * one edge. O(#V) per sweep.
 */
import type { Character } from '../character/character.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { type Clusters, spreadFromClusters } from '../mesh/plan-clusters.js';
import type { Surface } from '../mesh/surface.js';
import { measureVertexAreas } from './measure-vertex-areas.js';

/** Thicknesses over which a push fades beside skin that bends. */
const REACH = 0.4;
/** A push falls by this much along one edge at most: no step from one vertex of a coarse mesh to the next. */
const MAX_FALL = 0.55;
/** Bending from which on a push is taken as a whole. */
const FULL = 0.02;
/** Sweeps over the edges, at most: more are needed only where vertices stand in no order at all. */
const MAX_SWEEPS = 40;

export function measurePliancy(
  { surface, binding }: Character,
  thickness: Float64Array,
  clusters?: Clusters,
): Float64Array {
  const { vertexCount, positions, neighbours } = surface;
  const { offsets, values } = neighbours;
  const bending = new Float64Array(vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    let most = 0;
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) most = Math.max(most, binding.weights[n]!);
    bending[k] = most > 0 ? 1 - most : 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      bending[k] = Math.max(bending[k]!, compareWeights(binding, k, values[e]!));
    }
    bending[k] = Math.min(1, bending[k]! / FULL);
  }
  // Forwards and backwards in turn: a way of many edges is followed within a sweep wherever vertices stand in order.
  for (let isMoving = true, sweep = 0; isMoving && sweep < MAX_SWEEPS; sweep++) {
    isMoving = false;
    for (let i = 0; i < vertexCount; i++) {
      const k = sweep % 2 ? vertexCount - 1 - i : i;
      const slope = 1 / (REACH * thickness[k]!);
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
        const fall = Math.min(MAX_FALL, slope * measureDistance(positions, k, values[e]!));
        const near = bending[values[e]!]! - fall;
        if (!(near > bending[k]! + 1e-6)) continue;
        bending[k] = near;
        isMoving = true;
      }
    }
  }
  const out = bending.map(smoothStep);
  return clusters?.carries ? averagePlaces(out, surface, clusters) : out;
}

/** ½ Σ_b |ω_kb − ω_jb|. */
function compareWeights({ offsets, bones, weights }: Character['binding'], k: number, j: number): number {
  let shared = 0;
  for (let n = offsets[k]!; n < offsets[k + 1]!; n++) {
    for (let m = offsets[j]!; m < offsets[j + 1]!; m++) {
      if (bones[n] === bones[m]) shared += Math.min(weights[n]!, weights[m]!);
    }
  }
  return 1 - Math.min(1, shared);
}

/** Layers share the value of what carries in their places. */
function averagePlaces(own: Float64Array, surface: Surface, clusters: Clusters): Float64Array {
  const areas = measureVertexAreas(surface);
  const sums = new Float64Array(clusters.count);
  const all = new Float64Array(clusters.count);
  for (let k = 0; k < own.length; k++) {
    const weight = areas[k]! * (clusters.carries![k] ? 1 : 1e-6);
    sums[clusters.clusterOf[k]!]! += weight * own[k]!;
    all[clusters.clusterOf[k]!]! += weight;
  }
  return spreadFromClusters(
    clusters,
    sums.map((sum, p) => (all[p]! > 0 ? sum / all[p]! : 0)),
  ).map((value) => Math.min(1, Math.max(0, value)));
}

/** A place of the rest shape that takes less of every push. */
export interface CalmPlace {
  readonly at: readonly [number, number, number];
  readonly radius: number;
  /** Share of a push that is left in the inner third of the radius. */
  readonly left: number;
}

/**
 * 1 − ‖c‖₄,   c_i = (1 − left_i) s(3/2 (1 − |x̄ − at_i| / radius_i)): where places overlap the strongest counts, smoothly.
 */
export function measureCalm(places: readonly CalmPlace[], x: Float64Array, k: number): number {
  let sum = 0;
  for (const { at, radius, left } of places) {
    const square = (x[3 * k]! - at[0]) ** 2 + (x[3 * k + 1]! - at[1]) ** 2 + (x[3 * k + 2]! - at[2]) ** 2;
    if (square >= radius * radius) continue;
    const taken = (1 - left) * smoothStep(1.5 * (1 - Math.sqrt(square) / radius));
    sum += taken * taken * taken * taken;
  }
  return Math.max(0, 1 - Math.sqrt(Math.sqrt(sum))); // powers are not the same bits on every engine
}
