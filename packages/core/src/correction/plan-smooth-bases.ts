/**
 * Everything that C11 with planned bases computes once, as plain arrays: what the TypeScript, WASM and WebGPU solvers share.
 *
 *   ρ_k = m_k r_k S(Σ_s λ_s φ_sk / r_k)        m_k = Π_s (1 − (1 − activity_s) ψ_sk)
 */
import { listRegionVertices } from '../regions/list-region-vertices.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import { createVertexTable, planBases, type VertexValues } from './plan-bases.js';
import type { SolverContext } from './volume-solver.js';

export interface SmoothBases {
  /** φ, scaled so that λ_s = 1 adds the region's own volume at rest, to first order. */
  readonly bases: VertexValues;
  /** ψ_s: 1 on region s, fading smoothly over a few rings around it. */
  readonly halo: VertexValues;
  /** r, #V: the largest displacement. */
  readonly room: Float64Array;
  /** Regions of every component: each is a system of its own. */
  readonly blocks: readonly Uint32Array[];
  /** Sweeps that smooth the direction field on every frame. */
  readonly sweeps: number;
}

export interface SmoothBasesOptions {
  /** κ of the planned bases, for a surface of 2 500 vertices; finer surfaces get more, so that bumps keep their width. */
  readonly smoothing?: number;
  /** Largest displacement, as a share of the local thickness. */
  readonly limit?: number;
  /** Sweeps that smooth the direction field on every frame. Default: 1, and 2 on surfaces of less than 1 000 vertices. */
  readonly sweeps?: number;
}

export const SMOOTH_BASES_DEFAULTS = { smoothing: 120, limit: 0.6 };

/** Rings over which displacements fade out around a region at rest, on a surface of up to 2 500 vertices. */
const FADE_RINGS = 4;
/** Surfaces with fewer vertices are coarse: their normals turn by tens of degrees along one edge. */
const COARSE = 1000;

export function planSmoothBases(context: SolverContext, options: SmoothBasesOptions = {}): SmoothBases {
  const { smoothing, limit } = { ...SMOOTH_BASES_DEFAULTS, ...options };
  const { volumes, character, thickness, regions } = context;
  const count = character.surface.vertexCount;
  const bases = planBases(character.surface, volumes, softenThinParts(context), { smoothing });
  scaleBases(bases, context);
  return {
    bases,
    halo: planHalo(context),
    room: thickness.map((t) => limit * t),
    blocks: groupByComponent(regions.component, volumes.regionCount),
    sweeps: options.sweeps ?? (count < COARSE ? 2 : 1),
  };
}

/** γ times the local thickness (up to its median): thin parts move little. */
function softenThinParts({ gamma, thickness }: SolverContext): Float64Array {
  const median = Float64Array.from(thickness).sort()[thickness.length >> 1]! || 1;
  return gamma.map((value, k) => value * Math.min(1, thickness[k]! / median));
}

function scaleBases(bases: VertexValues, { volumes, character, kernels }: SolverContext): void {
  const extended = createExtendedPositions(volumes);
  const rest = createRegionGradients(volumes);
  extended.set(character.surface.positions);
  measureRegionVolumes(rest, volumes, extended, kernels);
  const reach = new Float64Array(volumes.regionCount); // volume that one unit of each basis adds
  for (let k = 0; k < character.surface.vertexCount; k++) {
    const area = Math.hypot(rest.areas[3 * k]!, rest.areas[3 * k + 1]!, rest.areas[3 * k + 2]!);
    for (let e = bases.offsets[k]!; e < bases.offsets[k + 1]!; e++)
      reach[bases.regions[e]!]! += area * bases.values[e]!;
  }
  for (let e = 0; e < bases.values.length; e++) {
    const s = bases.regions[e]!;
    if (reach[s]! > 0) bases.values[e]! *= Math.abs(rest.volumes[s]!) / reach[s]!;
  }
}

function groupByComponent(component: Uint32Array, count: number): Uint32Array[] {
  const lists = new Map<number, number[]>();
  for (let s = 0; s < count; s++) {
    const list = lists.get(component[s]!) ?? [];
    list.push(s);
    lists.set(component[s]!, list);
  }
  return [...lists.values()].map((list) => Uint32Array.from(list));
}

function planHalo({ volumes, character }: SolverContext): VertexValues {
  const { vertexCount } = character.surface;
  const width = Math.round(FADE_RINGS * Math.max(1, Math.sqrt(vertexCount / 2500)));
  const list = listRegionVertices(volumes, character.surface, width - 1);
  const table = createVertexTable(vertexCount);
  for (let s = 0; s < volumes.regionCount; s++) {
    const { vertices, rings } = list(s);
    for (let i = 0; i < vertices.length; i++) {
      const z = rings[i]! / width;
      table.add(vertices[i]!, s, 1 - z * z * (3 - 2 * z));
    }
  }
  return table.finish();
}
