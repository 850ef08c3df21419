/**
 * C11 (planned bases). One smooth bump of displacement per region, computed once at rest.
 *
 *   φ_s = (M/γ + κ LᵀML)⁻¹ M χ_s
 *
 * χ_s  membership of vertex k in region s (share of its triangles, so Σ_s χ_s = 1);  M  vertex areas, mean 1;  γ  correction
 * map (0: the vertex does not take part);  L(v)_k = v_k − mean of the neighbours;  κ  smoothing.
 *
 * The bump fades over about κ^¼ edges. One factorisation serves all regions (plan-bending.ts); fine surfaces are planned on clusters: bases
 * are smooth, and planning stays linear in the vertices. Small entries are dropped; 1.5–3 per vertex remain.
 */
import { grow } from '../linear-algebra/multiply-sparse.js';
import { type Clusters, planCoarseClusters, spreadFromClusters } from '../mesh/plan-clusters.js';
import type { Surface } from '../mesh/surface.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { planHubBending } from './plan-hub-bending.js';

/** Vertex → (shape, value), CSR: ρ_k = Σ_s λ_s φ_sk. */
export interface VertexValues {
  readonly offsets: Uint32Array;
  readonly shapes: Uint32Array;
  readonly values: Float64Array;
}

export interface BasisPlanner {
  /** φ of every region. */
  planBases(volumes: RegionVolumes, gamma: Float64Array): VertexValues;
  /** v smoothed over the width of the bases: (M + κ LᵀML)⁻¹ M v, #V. */
  smooth(values: Float64Array): Float64Array;
}

/** Share of a basis's largest entry that is cut off below, so that bases stay local and few. */
const DROP = 2e-2;
/** Above this many vertices the bases are planned on clusters. */
export const FINE = 14_000;

/** @param smoothing κ for 2 500 vertices */
export function planBasisPlanner(
  surface: Surface,
  smoothing: number,
  clusters = planCoarseClusters(surface),
): BasisPlanner {
  const areas = measureVertexAreas(surface);
  if (clusters && (clusters.carries || surface.vertexCount > FINE))
    return planCoarsely(surface, areas, smoothing, clusters);
  const { positions, signs, neighbours } = surface;
  const graph = { positions, signs, neighbours, masses: areas };
  const bending = planHubBending(graph, scaleSmoothing(smoothing, surface.vertexCount));
  return {
    planBases(volumes, gamma) {
      const list = listMemberships(surface, volumes, gamma);
      bending.solveAll(gamma, list);
      return listBases(list);
    },
    smooth: bending.smooth,
  };
}

/** The same on evenly spread clusters, carried to the vertices. */
function planCoarsely(surface: Surface, areas: Float64Array, smoothing: number, clusters: Clusters): BasisPlanner {
  const { count, clusterOf, seeds, neighbours, weights, carries } = clusters;
  const total = sumPlaces(areas, clusters);
  const mass = total.map((area) => (area * count) / surface.vertexCount);
  const { positions: x, signs } = surface;
  const positions = Float64Array.from({ length: 3 * count }, (_, i) => x[3 * seeds[(i / 3) | 0]! + (i % 3)]!);
  const bending = planHubBending({ positions, signs, neighbours, masses: mass }, scaleSmoothing(smoothing, count));
  // Riders have no region: χ of a place is the share of what carries in it.
  const carried = carries ? sumPlaces(areas, clusters, Float64Array.from(carries)) : total;
  const shares = areas.map((area, k) => (!carries || carries[k] ? area / carried[clusterOf[k]!]! : 0));
  return {
    planBases(volumes, gamma) {
      const coarse = sumPlaces(areas, clusters, gamma).map((sum, c) => sum / total[c]!);
      const memberships = listMemberships(surface, volumes, gamma, { count, of: clusterOf, shares });
      bending.solveAll(coarse, memberships);
      return spreadValues(listBases(memberships), weights, gamma, volumes.regionCount);
    },
    smooth: (values) => spreadFromClusters(clusters, bending.smooth(Float64Array.from(seeds, (k) => values[k]!))),
  };
}

/** Of every cluster: the sum over its vertices of their areas, or of areas times values. */
function sumPlaces(areas: Float64Array, { count, clusterOf }: Clusters, values?: Float64Array): Float64Array {
  const sums = new Float64Array(count);
  for (let k = 0; k < areas.length; k++) sums[clusterOf[k]!]! += values ? areas[k]! * values[k]! : areas[k]!;
  return sums;
}

/** Vertices that places stand for, and the share of each in its place; without: every vertex its own. */
interface Places {
  readonly count: number;
  readonly of: Uint32Array;
  readonly shares: Float64Array;
}

/** χ_s of every region, at every vertex or at places that stand for some; 0 where γ is: a region that is held as a whole has no basis. */
function listMemberships(
  { triangles, corners, vertexCount }: Surface,
  volumes: RegionVolumes,
  gamma: Float64Array,
  places?: Places,
): Float64Array[] {
  const out = Array.from({ length: volumes.regionCount }, () => new Float64Array(places?.count ?? vertexCount));
  for (let t = 0; t < triangles.length; t++) {
    const k = triangles[t]!;
    const membership = out[volumes.triangleRegion[(t / 3) | 0]!];
    if (!membership || !(gamma[k]! > 0)) continue;
    const share = places ? places.shares[k]! : 1;
    membership[places ? places.of[k]! : k]! += share / (corners.offsets[k + 1]! - corners.offsets[k]!);
  }
  return out;
}

function listBases(solved: readonly Float64Array[]): VertexValues {
  const table = new VertexTable(solved[0]?.length ?? 0);
  for (const [s, phi] of solved.entries()) {
    let largest = 0;
    for (let k = 0; k < phi.length; k++) largest = Math.max(largest, Math.abs(phi[k]!));
    for (let k = 0; k < phi.length; k++) {
      // Soft threshold: the basis goes to 0 without a step.
      const value = Math.abs(phi[k]!) - DROP * largest;
      if (value > 0) table.add(k, s, Math.sign(phi[k]!) * value);
    }
  }
  return table.finish();
}

/** Values of the clusters carried to the vertices; 0 where γ = 0. */
function spreadValues(
  coarse: VertexValues,
  weights: Clusters['weights'],
  gamma: Float64Array,
  regionCount: number,
): VertexValues {
  const table = new VertexTable(gamma.length);
  const sums = new Float64Array(regionCount);
  const touched = new Uint32Array(regionCount);
  const seenBy = new Uint32Array(regionCount); // the last vertex that touched it, and 1
  for (let k = 0; k < gamma.length; k++) {
    if (!(gamma[k]! > 0)) continue;
    let count = 0;
    for (let e = weights.offsets[k]!; e < weights.offsets[k + 1]!; e++) {
      const c = weights.values[e]!;
      if (weights.shares[e] === 0) continue;
      for (let n = coarse.offsets[c]!; n < coarse.offsets[c + 1]!; n++) {
        const s = coarse.shapes[n]!;
        if (seenBy[s] !== k + 1) touched[count++] = s;
        seenBy[s] = k + 1;
        sums[s]! += weights.shares[e]! * coarse.values[n]!;
      }
    }
    for (let i = 0; i < count; i++) {
      const s = touched[i]!;
      if (sums[s] !== 0) table.add(k, s, sums[s]!);
      sums[s] = 0;
    }
  }
  return table.finish();
}

/** κ for `count` vertices: a bump of κ^¼ edges keeps its width on the body; regions of a coarse one are a few edges wide. */
function scaleSmoothing(smoothing: number, count: number): number {
  return smoothing * (count > 2500 ? (count / 2500) ** 2 : Math.sqrt(count / 2500));
}

/** Collects (vertex, region, value) entries and sorts them by vertex, where they do not come so. A class, as engines compile closures anew for every plan. */
export class VertexTable {
  private vertices: Uint32Array;
  private owners: Uint32Array;
  private numbers: Float64Array;
  private count = 0;
  private isSorted = true;
  private readonly offsets: Uint32Array;

  constructor(vertexCount: number) {
    this.vertices = new Uint32Array(2 * vertexCount + 16);
    this.owners = new Uint32Array(this.vertices.length);
    this.numbers = new Float64Array(this.vertices.length);
    this.offsets = new Uint32Array(vertexCount + 1);
  }

  add(vertex: number, region: number, value: number): void {
    const at = this.count++;
    if (at > 0 && this.vertices[at - 1]! > vertex) this.isSorted = false;
    if (at === this.vertices.length) {
      this.vertices = grow(this.vertices);
      this.owners = grow(this.owners);
      this.numbers = grow(this.numbers);
    }
    this.vertices[at] = vertex;
    this.owners[at] = region;
    this.numbers[at] = value;
    this.offsets[vertex + 1]!++;
  }

  finish(): VertexValues {
    const { vertices, owners, numbers, count, offsets } = this;
    for (let k = 1; k < offsets.length; k++) offsets[k]! += offsets[k - 1]!;
    if (this.isSorted) return { offsets, shapes: owners.slice(0, count), values: numbers.slice(0, count) };
    const fill = offsets.slice(0, -1);
    const shapes = new Uint32Array(count);
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const at = fill[vertices[i]!]!++;
      shapes[at] = owners[i]!;
      values[at] = numbers[i]!;
    }
    return { offsets, shapes, values };
  }
}
