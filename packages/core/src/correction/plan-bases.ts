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
const FINE = 14_000;

/** @param smoothing κ for 2 500 vertices */
export function planBasisPlanner(
  surface: Surface,
  smoothing: number,
  clusters = planCoarseClusters(surface),
): BasisPlanner {
  const areas = measureVertexAreas(surface);
  if (clusters && surface.vertexCount > FINE) return planCoarsely(surface, areas, smoothing, clusters);
  const graph = { neighbours: surface.neighbours, masses: areas, places: surface.positions };
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
  const { count, clusterOf, seeds, neighbours, weights } = clusters;
  const gather = (amountOf: (k: number) => number): Float64Array => {
    const sums = new Float64Array(count);
    for (let k = 0; k < surface.vertexCount; k++) sums[clusterOf[k]!]! += amountOf(k);
    return sums;
  };
  const total = gather((k) => areas[k]!);
  const mass = total.map((area) => (area * count) / surface.vertexCount);
  const places = Float64Array.from(
    { length: 3 * count },
    (_, i) => surface.positions[3 * seeds[(i / 3) | 0]! + (i % 3)]!,
  );
  const bending = planHubBending({ neighbours, masses: mass, places }, scaleSmoothing(smoothing, count));
  return {
    planBases(volumes, gamma) {
      const coarse = gather((k) => areas[k]! * gamma[k]!).map((sum, c) => sum / total[c]!);
      const memberships = listMemberships(
        surface,
        volumes,
        gamma,
        count,
        (k) => clusterOf[k]!,
        (k) => areas[k]! / total[clusterOf[k]!]!,
      );
      bending.solveAll(coarse, memberships);
      return spreadValues(listBases(memberships), weights, gamma, volumes.regionCount);
    },
    smooth: (values) => spreadFromClusters(clusters, bending.smooth(Float64Array.from(seeds, (k) => values[k]!))),
  };
}

/** χ_s of every region, at every vertex or at places that stand for some; 0 where γ is: a region that is held as a whole has no basis. */
function listMemberships(
  { triangles, corners, vertexCount }: Surface,
  volumes: RegionVolumes,
  gamma: Float64Array,
  count = vertexCount,
  placeOf = (k: number): number => k,
  shareOf = (_: number): number => 1,
): Float64Array[] {
  const out = Array.from({ length: volumes.regionCount }, () => new Float64Array(count));
  for (let t = 0; t < triangles.length; t++) {
    const k = triangles[t]!;
    const membership = out[volumes.triangleRegion[(t / 3) | 0]!];
    if (!membership || !(gamma[k]! > 0)) continue;
    membership[placeOf(k)]! += shareOf(k) / (corners.offsets[k + 1]! - corners.offsets[k]!);
  }
  return out;
}

function listBases(solved: readonly Float64Array[]): VertexValues {
  const table = createVertexTable(solved[0]?.length ?? 0);
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
  const table = createVertexTable(gamma.length);
  const sums = new Float64Array(regionCount);
  const touched: number[] = [];
  for (let k = 0; k < gamma.length; k++) {
    if (!(gamma[k]! > 0)) continue;
    for (let e = weights.offsets[k]!; e < weights.offsets[k + 1]!; e++) {
      const c = weights.values[e]!;
      if (weights.shares[e] === 0) continue;
      for (let n = coarse.offsets[c]!; n < coarse.offsets[c + 1]!; n++) {
        if (sums[coarse.shapes[n]!] === 0) touched.push(coarse.shapes[n]!);
        sums[coarse.shapes[n]!]! += weights.shares[e]! * coarse.values[n]!;
      }
    }
    for (const s of touched) {
      if (sums[s] !== 0) table.add(k, s, sums[s]!);
      sums[s] = 0;
    }
    touched.length = 0;
  }
  return table.finish();
}

/** κ for `count` vertices: a bump of κ^¼ edges keeps its width on the body; regions of a coarse one are a few edges wide. */
function scaleSmoothing(smoothing: number, count: number): number {
  return smoothing * (count > 2500 ? (count / 2500) ** 2 : Math.sqrt(count / 2500));
}

export interface VertexTable {
  add(vertex: number, region: number, value: number): void;
  finish(): VertexValues;
}

/** Collects (vertex, region, value) entries and sorts them by vertex, where they do not come so. */
export function createVertexTable(vertexCount: number): VertexTable {
  let vertices = new Uint32Array(2 * vertexCount + 16);
  let owners = new Uint32Array(vertices.length);
  let numbers = new Float64Array(vertices.length);
  let count = 0;
  let isSorted = true;
  const offsets = new Uint32Array(vertexCount + 1);
  return {
    add(vertex: number, region: number, value: number): void {
      isSorted &&= count === 0 || vertices[count - 1]! <= vertex;
      if (count === vertices.length) [vertices, owners, numbers] = [grow(vertices), grow(owners), grow(numbers)];
      vertices[count] = vertex;
      owners[count] = region;
      numbers[count++] = value;
      offsets[vertex + 1]!++;
    },
    finish(): VertexValues {
      for (let k = 0; k < vertexCount; k++) offsets[k + 1]! += offsets[k]!;
      if (isSorted) return { offsets, shapes: owners.slice(0, count), values: numbers.slice(0, count) };
      const fill = offsets.slice(0, vertexCount);
      const shapes = new Uint32Array(count);
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) {
        const at = fill[vertices[i]!]!++;
        shapes[at] = owners[i]!;
        values[at] = numbers[i]!;
      }
      return { offsets, shapes, values };
    },
  };
}
