/**
 * C11 (planned bases). One smooth bump of displacement per region, computed once at rest.
 *
 *   φ_s = (M/γ + κ LᵀML)⁻¹ M χ_s
 *
 * χ_s  membership of vertex k in region s (share of its triangles, so Σ_s χ_s = 1);  M  vertex areas, mean 1;  γ  correction
 * map (0: the vertex does not take part);  L(v)_k = v_k − mean of the neighbours;  κ  smoothing.
 *
 * The bump fades over about κ^¼ edges, so each system is solved on the region and `RINGS·κ^¼` rings around it only: planning
 * is linear in the vertices. Small entries are dropped; 1.5–3 per vertex remain.
 */
import { createPcgScratch, solvePcg } from '../linear-algebra/solve-pcg.js';
import { type Clusters, planClusters, spreadFromClusters } from '../mesh/plan-clusters.js';
import type { Csr, Surface } from '../mesh/surface.js';
import { listRegionVertices, type RegionVertices } from '../regions/list-region-vertices.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';

export interface BasisOptions {
  /** κ for 2 500 vertices. */
  readonly smoothing: number;
}

/** Vertex → (shape, value), CSR: ρ_k = Σ_s λ_s φ_sk. */
export interface VertexValues {
  readonly offsets: Uint32Array;
  readonly shapes: Uint32Array;
  readonly values: Float64Array;
}

/** A basis reaches this many times its own width beyond the region; what is left there is below the dropped entries. */
const RINGS = 4;
/** Share of a basis's largest entry that is cut off below, so that bases stay local and few. */
const DROP = 2e-2;
/** The bases only span the displacements, the volumes are made exact later: a coarse solve is enough. */
const TOLERANCE = 1e-3;
/** Above this many vertices the bases are planned on clusters. */
const FINE = 7_000;
const SEEDS = 4_000;

/** Clusters that fine surfaces are planned on; undefined where the vertices themselves are few enough. */
export function planBasisClusters(surface: Surface): Clusters | undefined {
  return surface.vertexCount > FINE ? planClusters(surface, SEEDS) : undefined;
}

export function planBases(
  surface: Surface,
  volumes: RegionVolumes,
  gamma: Float64Array,
  options: BasisOptions,
  clusters = planBasisClusters(surface),
): VertexValues {
  if (clusters) return planCoarseBases(surface, volumes, gamma, options, clusters);
  const kappa = scaleSmoothing(options.smoothing, surface.vertexCount);
  const graph = { neighbours: surface.neighbours, areas: measureVertexAreas(surface), gamma };
  const list = listRegionVertices(volumes, surface, countRings(kappa));
  const table = createVertexTable(surface.vertexCount);
  for (let s = 0; s < volumes.regionCount; s++) addBasis(table, s, list(s), graph, kappa);
  return table.finish();
}

/** v smoothed over the width of the bases: (M + κ LᵀML)⁻¹ M v, #V. */
export function smoothValues(
  surface: Surface,
  values: Float64Array,
  options: BasisOptions,
  clusters = planBasisClusters(surface),
): Float64Array {
  const everywhere = (neighbours: Csr, areas: Float64Array, membership: Float64Array): Float64Array => {
    const count = areas.length;
    const vertices = Uint32Array.from({ length: count }, (_, k) => k);
    const support = { vertices, rings: new Uint16Array(count), membership, local: Int32Array.from(vertices) };
    const graph = { neighbours, areas, gamma: new Float64Array(count).fill(1) };
    return solveBasis(graph, support, scaleSmoothing(options.smoothing, count));
  };
  if (!clusters) return everywhere(surface.neighbours, measureVertexAreas(surface), values);
  const seeds = Float64Array.from(clusters.seeds, (k) => values[k]!);
  const coarse = everywhere(clusters.neighbours, new Float64Array(clusters.count).fill(1), seeds);
  return spreadFromClusters(clusters, coarse);
}

/** The same on evenly spread clusters, carried to the vertices: a fine surface needs no more, bases are smooth. */
function planCoarseBases(
  surface: Surface,
  volumes: RegionVolumes,
  gamma: Float64Array,
  options: BasisOptions,
  clusters: Clusters,
): VertexValues {
  const { count, clusterOf, neighbours, weights } = clusters;
  const areas = measureVertexAreas(surface);
  const coarse = { neighbours, areas: new Float64Array(count), gamma: new Float64Array(count) };
  const memberships: Map<number, number>[] = Array.from({ length: volumes.regionCount }, () => new Map());
  for (let k = 0; k < surface.vertexCount; k++) {
    const c = clusterOf[k]!;
    coarse.areas[c]! += areas[k]!;
    coarse.gamma[c]! += areas[k]! * gamma[k]!;
  }
  for (let c = 0; c < count; c++) coarse.gamma[c]! /= coarse.areas[c]!;
  for (let t = 0; t < surface.triangles.length; t++) {
    const k = surface.triangles[t]!;
    if (gamma[k] === 0) continue; // held: a region that is held as a whole has no basis
    const list = memberships[volumes.triangleRegion[(t / 3) | 0]!];
    const corners = surface.corners.offsets[k + 1]! - surface.corners.offsets[k]!;
    const share = areas[k]! / corners / coarse.areas[clusterOf[k]!]!;
    list?.set(clusterOf[k]!, (list.get(clusterOf[k]!) ?? 0) + share);
  }
  const mean = surface.vertexCount / count;
  for (let c = 0; c < count; c++) coarse.areas[c]! /= mean;

  const kappa = scaleSmoothing(options.smoothing, count);
  const table = createVertexTable(count);
  for (let s = 0; s < volumes.regionCount; s++) {
    addBasis(table, s, listAround(memberships[s]!, neighbours, count, countRings(kappa)), coarse, kappa);
  }
  return spreadValues(table.finish(), weights, gamma, volumes.regionCount);
}

/** A region's clusters and the rings around them. */
function listAround(
  members: ReadonlyMap<number, number>,
  neighbours: Csr,
  count: number,
  rings: number,
): RegionVertices {
  const local = new Int32Array(count).fill(-1);
  const vertices: number[] = [];
  const ring: number[] = [];
  const visit = (c: number, depth: number): void => {
    if (local[c] !== -1) return;
    local[c] = vertices.length;
    vertices.push(c);
    ring.push(depth);
  };
  for (const c of [...members.keys()].sort((a, b) => a - b)) visit(c, 0);
  for (let i = 0; i < vertices.length && ring[i]! < rings; i++) {
    const { offsets, values } = neighbours;
    for (let e = offsets[vertices[i]!]!; e < offsets[vertices[i]! + 1]!; e++) visit(values[e]!, ring[i]! + 1);
  }
  return {
    vertices: Uint32Array.from(vertices),
    rings: Uint16Array.from(ring),
    membership: Float64Array.from(vertices, (c) => members.get(c) ?? 0),
    local,
  };
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

function countRings(kappa: number): number {
  return Math.ceil(RINGS * kappa ** 0.25);
}

interface BasisGraph {
  readonly neighbours: Csr;
  readonly areas: Float64Array;
  readonly gamma: Float64Array;
}

function addBasis(table: VertexTable, s: number, support: RegionVertices, graph: BasisGraph, kappa: number): void {
  const phi = solveBasis(graph, support, kappa);
  let largest = 0;
  for (const value of phi) largest = Math.max(largest, Math.abs(value));
  for (let i = 0; i < phi.length; i++) {
    // Soft threshold: the basis goes to 0 without a step.
    const value = Math.abs(phi[i]!) - DROP * largest;
    if (value > 0) table.add(support.vertices[i]!, s, Math.sign(phi[i]!) * value);
  }
}

/** φ of one region on its support, in the order of `support.vertices`. */
function solveBasis({ neighbours, areas, gamma }: BasisGraph, support: RegionVertices, kappa: number): Float64Array {
  const { vertices, membership, local } = support;
  const n = vertices.length;
  const { offsets, values } = neighbours;
  // Neighbour lists inside the support; vertices outside it (or fixed by γ = 0) count as φ = 0.
  const lists = new Uint32Array(n + 1);
  const inside: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let e = offsets[vertices[i]!]!; e < offsets[vertices[i]! + 1]!; e++) {
      const j = local[values[e]!]!;
      if (j >= 0) inside.push(j);
    }
    lists[i + 1] = inside.length;
  }
  const share = Float64Array.from(vertices, (k) => 1 / Math.max(1, offsets[k + 1]! - offsets[k]!));
  const mass = Float64Array.from(vertices, (k) => areas[k]!);
  const free = Float64Array.from(vertices, (k) => (gamma[k]! > 0 ? 1 : 0));
  const stiff = Float64Array.from(vertices, (k) => (gamma[k]! > 0 ? areas[k]! / gamma[k]! : 1));
  const diagonal = stiff.slice();
  for (let i = 0; i < n; i++) {
    diagonal[i]! += kappa * mass[i]!;
    for (let e = lists[i]!; e < lists[i + 1]!; e++) diagonal[inside[e]!]! += kappa * mass[i]! * share[i]! * share[i]!;
  }
  const bent = new Float64Array(n);
  const multiply = (out: Float64Array, v: Float64Array): void => {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let e = lists[i]!; e < lists[i + 1]!; e++) sum += v[inside[e]!]!;
      bent[i] = kappa * mass[i]! * (v[i]! - share[i]! * sum);
    }
    for (let i = 0; i < n; i++) {
      let sum = bent[i]!;
      for (let e = lists[i]!; e < lists[i + 1]!; e++) sum -= share[inside[e]!]! * bent[inside[e]!]!;
      out[i] = free[i]! * sum + stiff[i]! * v[i]!;
    }
  };
  const precondition = (out: Float64Array, v: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = v[i]! / diagonal[i]!;
  };
  const phi = new Float64Array(n);
  const rhs = membership.map((chi, i) => free[i]! * chi * mass[i]!);
  solvePcg(phi, multiply, precondition, rhs, createPcgScratch(n), TOLERANCE, 20 * Math.ceil(Math.sqrt(kappa)) + 200);
  return phi;
}

export interface VertexTable {
  add(vertex: number, region: number, value: number): void;
  finish(): VertexValues;
}

/** Collects (vertex, region, value) entries region by region and sorts them by vertex. */
export function createVertexTable(vertexCount: number): VertexTable {
  const vertices: number[] = [];
  const owners: number[] = [];
  const numbers: number[] = [];
  return {
    add(vertex: number, region: number, value: number): void {
      vertices.push(vertex);
      owners.push(region);
      numbers.push(value);
    },
    finish(): VertexValues {
      const offsets = new Uint32Array(vertexCount + 1);
      for (const k of vertices) offsets[k + 1]!++;
      for (let k = 0; k < vertexCount; k++) offsets[k + 1]! += offsets[k]!;
      const fill = offsets.slice(0, vertexCount);
      const shapes = new Uint32Array(vertices.length);
      const values = new Float64Array(vertices.length);
      for (let i = 0; i < vertices.length; i++) {
        const at = fill[vertices[i]!]!++;
        shapes[at] = owners[i]!;
        values[at] = numbers[i]!;
      }
      return { offsets, shapes, values };
    },
  };
}
