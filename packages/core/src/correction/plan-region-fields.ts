/**
 * What the methods with one unknown per region share: which vertices each region may move, and how easily.
 *
 * A vertex on the border of two regions would change both volumes at once, so these methods leave it where it is (a map with
 * D8 goes to 0 there anyway). What remains changes one region only: every region is a problem of its own.
 */
import { flag, number, option } from '../check-json.js';
import { normalise } from '../kernels/reference-kernels.js';
import { packLists } from '../mesh/pack-lists.js';
import type { Csr } from '../mesh/surface.js';
import { createRegionGradients, measureRegionVolumes, type RegionGradients } from '../volume/measure-region-volumes.js';
import { measureRegionError } from '../volume/region-error.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { planLinks } from './plan-links.js';
import type { SolverContext, SolverFrame } from './volume-solver.js';

export interface FieldOptions {
  /** Largest displacement relative to the local thickness. */
  readonly limit?: number;
  /** C9: the norm of the energy is weighted by the 1-ring area, so that the result does not depend on the sampling. */
  readonly areaNorm?: boolean;
}

export const FIELD_DEFAULTS = { limit: 0.5, areaNorm: false } as const satisfies FieldOptions;
export const FIELD_CHECKS = {
  limit: option(number(0, 10), 'largest displacement relative to the local thickness', FIELD_DEFAULTS.limit),
  areaNorm: option(flag, 'weigh vertices by their area', FIELD_DEFAULTS.areaNorm),
};

/** A region whose relative change is below this stays exactly where it is. */
export const IDLE_CHANGE = 1e-12;
/** A region smaller than this share of its component has no volume to keep. */
export const EMPTY_SHARE = 1e-9;
/** Above this relative error a region counts as not exact. */
const EXACT_ERROR = 1e-9;

export interface RegionFields {
  readonly context: SolverContext;
  /** Region → vertices with γ > 0 that belong to it alone. */
  readonly movable: Csr;
  /** γ, or γ divided by the 1-ring area (C9), #V. */
  readonly weights: Float64Array;
  /** Largest displacement, #V. */
  readonly limits: Float64Array;
  /** Volume of the component of each region, at rest. */
  readonly componentVolumes: Float64Array;
  readonly gradients: RegionGradients;
  /** Unit normals of the last measured surface, #V×3. */
  readonly normals: Float64Array;
  /** Pairs whose vertex is in no other region. */
  readonly singlePairs: Uint32Array;
}

export function planRegionFields(context: SolverContext, options: FieldOptions = {}): RegionFields {
  const { limit, areaNorm } = { ...FIELD_DEFAULTS, ...options };
  const { character, regions, volumes, gamma, room } = context;
  const count = character.surface.vertexCount;
  const { singlePairs } = planLinks(volumes);
  const componentVolumes = Float64Array.from(regions.component, (c) =>
    Math.abs(character.surface.components[c]!.volume),
  );
  return {
    context,
    movable: listMovable(context, singlePairs),
    weights: measureWeights(context, areaNorm),
    limits: Float64Array.from({ length: count }, (_, k) => Math.max(0, limit * room[k]! || 0)),
    componentVolumes,
    gradients: createRegionGradients(volumes),
    normals: new Float64Array(gamma.length * 3),
    singlePairs,
  };
}

/** γ, or γ/A (C9). */
function measureWeights({ character, gamma }: SolverContext, areaNorm: boolean): Float64Array {
  if (!areaNorm) return gamma;
  const areas = measureVertexAreas(character.surface);
  return gamma.map((g, k) => g / areas[k]!);
}

function listMovable({ volumes, gamma }: SolverContext, singlePairs: Uint32Array): Csr {
  const { inner, regionCount, pairRegion, pairVertex } = volumes;
  const lists: number[][] = Array.from({ length: regionCount }, () => []);
  for (let s = 0; s < regionCount; s++) {
    for (let n = inner.offsets[s]!; n < inner.offsets[s + 1]!; n++) {
      if (gamma[inner.values[n]!]! > 0) lists[s]!.push(inner.values[n]!);
    }
  }
  for (const p of singlePairs) if (gamma[pairVertex[p]!]! > 0) lists[pairRegion[p]!]!.push(pairVertex[p]!);
  return packLists(lists);
}

/**
 * Volumes of all regions at `positions`, unit normals, and in `gradients.areas` the gradient of the own region's volume at
 * every movable vertex. With `keepNormals` the normals stay those of the surface measured before.
 */
export function measureFields(fields: RegionFields, positions: Float64Array, keepNormals = false): void {
  const { context, gradients, normals, singlePairs } = fields;
  const { volumes } = context;
  measureRegionVolumes(gradients, volumes, positions);
  if (!keepNormals) normalise(normals, gradients.areas, 0, volumes.closed.vertexCount);
  for (const p of singlePairs) {
    const k = 3 * volumes.pairVertex[p]!;
    for (let r = 0; r < 3; r++) gradients.areas[k + r] = gradients.pairs[3 * p + r]!;
  }
}

export function relativeError(fields: RegionFields, targets: Float64Array, s: number): number {
  return Math.abs(measureRegionError(fields.gradients.volumes[s]!, targets[s]!, fields.componentVolumes[s]!));
}

/** V̄_s − V_s, or 0 where there is nothing to do: no change, no volume to keep, nothing that may move. */
export function volumeGap(fields: RegionFields, targets: Float64Array, s: number): number {
  if (fields.movable.offsets[s] === fields.movable.offsets[s + 1]) return 0;
  if (!(Math.abs(targets[s]!) > EMPTY_SHARE * fields.componentVolumes[s]!)) return 0;
  if (!(relativeError(fields, targets, s) > IDLE_CHANGE)) return 0; // also NaN
  return targets[s]! - fields.gradients.volumes[s]!;
}

export function startReport({ report }: SolverFrame): void {
  report.evaluations = 0;
  report.limited = false;
  report.fallback = '';
}

/** Copies the last measured volumes into the report and marks what is not exact. */
export function finishReport(fields: RegionFields, { report, targets }: SolverFrame): void {
  for (let s = 0; s < targets.length; s++) {
    report.volumes[s] = fields.gradients.volumes[s]!;
    const isKnown = Number.isFinite(targets[s]!);
    report.inexact[s] = isKnown && relativeError(fields, targets, s) <= EXACT_ERROR ? 0 : 1;
  }
}
