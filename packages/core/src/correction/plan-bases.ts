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
import type { Surface } from '../mesh/surface.js';
import { listRegionVertices, type RegionVertices } from '../regions/list-region-vertices.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';

export interface BasisOptions {
  /** κ. */
  readonly smoothing: number;
}

/** Vertex → (region, value), CSR: ρ_k = Σ_s λ_s φ_sk. */
export interface VertexValues {
  readonly offsets: Uint32Array;
  readonly regions: Uint32Array;
  readonly values: Float64Array;
}

/** A basis reaches this many times its own width beyond the region; what is left there is below the dropped entries. */
const RINGS = 4;
/** Share of a basis's largest entry that is cut off below, so that bases stay local and few. */
const DROP = 2e-2;
/** The bases only span the displacements, the volumes are made exact later: a coarse solve is enough. */
const TOLERANCE = 1e-5;

export function planBases(
  surface: Surface,
  volumes: RegionVolumes,
  gamma: Float64Array,
  options: BasisOptions,
): VertexValues {
  const areas = measureVertexAreas(surface);
  const rings = Math.ceil(RINGS * options.smoothing ** 0.25);
  const table = createVertexTable(surface.vertexCount);
  const regions = listRegionVertices(volumes, surface, rings);
  for (let s = 0; s < volumes.regionCount; s++) {
    const support = regions(s);
    const phi = solveBasis(surface, support, areas, gamma, options.smoothing);
    let largest = 0;
    for (const value of phi) largest = Math.max(largest, Math.abs(value));
    for (let i = 0; i < phi.length; i++) {
      // Soft threshold: the basis goes to 0 without a step.
      const value = Math.abs(phi[i]!) - DROP * largest;
      if (value > 0) table.add(support.vertices[i]!, s, Math.sign(phi[i]!) * value);
    }
  }
  return table.finish();
}

/** φ of one region on its support, in the order of `support.vertices`. */
function solveBasis(
  surface: Surface,
  support: RegionVertices,
  areas: Float64Array,
  gamma: Float64Array,
  kappa: number,
): Float64Array {
  const { vertices, membership, local } = support;
  const n = vertices.length;
  const { offsets, values } = surface.neighbours;
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

/** Collects (vertex, region, value) entries region by region and sorts them by vertex. */
export function createVertexTable(vertexCount: number) {
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
      const regions = new Uint32Array(vertices.length);
      const values = new Float64Array(vertices.length);
      for (let i = 0; i < vertices.length; i++) {
        const at = fill[vertices[i]!]!++;
        regions[at] = owners[i]!;
        values[at] = numbers[i]!;
      }
      return { offsets, regions, values };
    },
  };
}
