/**
 * B4. Volumes of all regions and their gradients at given positions, from one pass over the triangles.
 *
 *   V_s = 1/3 Σ_k (x_k − o_s)·g_sk
 *
 * Gradients of inner vertices are the area vectors themselves; those of the (region, vertex) pairs stand beside them.
 * O(#T) for the area vectors and O(#V) for the sums; allocation-free.
 */
import { type RegionSumInput, sumAreaVectors, sumTetrahedra, sumVolume } from '../kernels/reference-kernels.js';
import { applyApexes } from './plan-closed-surface.js';
import type { RegionVolumes } from './plan-region-volumes.js';

export interface RegionGradients {
  /** Area vectors / 3 of all vertices and apexes of the closed surface, extended ×3. */
  readonly areas: Float64Array;
  /** Gradients of the (region, vertex) pairs and, after them, of the apex pairs, ×3. */
  readonly pairs: Float64Array;
  /** V_s. */
  readonly volumes: Float64Array;
  /** What the kernel sums over: inner vertices, and pairs. */
  readonly own: RegionSumInput;
  readonly border: RegionSumInput;
}

export function createRegionGradients(plan: RegionVolumes): RegionGradients {
  const areas = new Float64Array(3 * (plan.closed.vertexCount + plan.closed.apexCount));
  const pairs = new Float64Array(3 * plan.pairRegion.length);
  const positions = areas; // set by every measurement
  return {
    areas,
    pairs,
    volumes: new Float64Array(plan.regionCount),
    own: { positions, anchor: 0, vertices: plan.inner.values, gradients: areas, byEntry: false },
    border: { positions, anchor: 0, vertices: plan.pairVertex, gradients: pairs, byEntry: true },
  };
}

/** Room for positions of all vertices and apexes of the plan. */
export function createExtendedPositions(plan: RegionVolumes): Float64Array {
  return new Float64Array(3 * (plan.closed.vertexCount + plan.apexCount));
}

export function measureRegionVolumes(out: RegionGradients, plan: RegionVolumes, extended: Float64Array): void {
  const { closed, members, inner, pairsOfRegion } = plan;
  applyApexes(extended, closed.vertexCount, members);
  sumAreaVectors(out.areas, extended, closed.triangles, closed.triangleCount, closed.vertexCount + closed.apexCount);
  measurePairGradients(out.pairs, plan, extended);
  const { own, border } = out;
  own.positions = border.positions = extended;
  for (let s = 0; s < plan.regionCount; s++) {
    own.anchor = border.anchor = plan.anchors[s]!;
    const sum = sumVolume(own, inner.offsets[s]!, inner.offsets[s + 1]!);
    out.volumes[s] = (sum + sumVolume(border, pairsOfRegion.offsets[s]!, pairsOfRegion.offsets[s + 1]!)) / 3;
  }
}

/** V_s alone, half the price: the apexes of `extended` are written on the way. */
export function measureTetrahedra(
  out: Float64Array,
  { closed, members, tetrahedra, tetrahedronRegion }: RegionVolumes,
  extended: Float64Array,
): void {
  applyApexes(extended, closed.vertexCount, members);
  out.fill(0);
  sumTetrahedra(out, extended, tetrahedra, tetrahedronRegion, 0, tetrahedronRegion.length);
  for (let s = 0; s < out.length; s++) out[s]! /= 6;
}

/** g of every pair: opposite edges first, then the apexes' gradients handed down to the vertices they rest on. */
function measurePairGradients(out: Float64Array, plan: RegionVolumes, x: Float64Array): void {
  const { pairVertex, pairCount, pairEdges, pairApexes, pairShares } = plan;
  for (let p = 0; p < pairVertex.length; p++) {
    const k = 3 * pairVertex[p]!;
    const ox = x[k]!;
    const oy = x[k + 1]!;
    const oz = x[k + 2]!;
    let gx = 0;
    let gy = 0;
    let gz = 0;
    for (let e = pairEdges.offsets[p]!; e < pairEdges.offsets[p + 1]!; e++) {
      const i = 3 * pairEdges.values[2 * e]!;
      const j = 3 * pairEdges.values[2 * e + 1]!;
      const ax = x[i]! - ox;
      const ay = x[i + 1]! - oy;
      const az = x[i + 2]! - oz;
      const bx = x[j]! - ox;
      const by = x[j + 1]! - oy;
      const bz = x[j + 2]! - oz;
      gx += ay * bz - az * by;
      gy += az * bx - ax * bz;
      gz += ax * by - ay * bx;
    }
    out[3 * p] = gx / 6;
    out[3 * p + 1] = gy / 6;
    out[3 * p + 2] = gz / 6;
  }
  for (let p = 0; p < pairCount; p++) {
    for (let n = pairApexes.offsets[p]!; n < pairApexes.offsets[p + 1]!; n++) {
      const a = 3 * pairApexes.values[n]!;
      const share = pairShares[n]!;
      out[3 * p]! += share * out[a]!;
      out[3 * p + 1]! += share * out[a + 1]!;
      out[3 * p + 2]! += share * out[a + 2]!;
    }
  }
}
