/**
 * C16. First harmonics: a column of flesh between bone and skin keeps its volume, so the inner side of a bend bulges and the outer side
 * thins, from the first degree on. Three shapes more per region carry the part of this that a shift of the flesh across its bone makes.
 *
 *   d_s,r,k = f_sk (n̄_k − n̂_s)_r n̄_k   (r = x, y, z),        f_s = |φ_s| / max |φ_s|
 *   u_p = t_p (1/J_p − 1),      a_s = argmin Σ_k |φ_sk| A_k (u_k − û_s − f_sk a_s·(n̄_k − n̂_s))² + ridge |a_s|²
 *   |a_s| < Λ_s = limit / max(q_k |f_sk (n̄_k − n̂_s)| / T_k,  q_e |∇f_s|)
 *
 * n̄  smoothed directions at rest;  u  what the column at a patch of skin gains in height;  n̂_s, û_s  means over the region, weighted with
 * |φ_s| A, so that a shift changes no volume to first order;  A_k  vertex areas;  J  the patch's area ratio (plan-skin-patches.ts),
 * smoothed over l = 0.9 t;  t  thickness of the flesh, T = 4 t  of the limb;  q  98th percentile. Around a tube n̄ is the first harmonic, cos
 * and sin of the angle; on a wall with two sides both move the same way.
 *
 * Λ: flesh is shifted no further than this share of the limb, and no steeper: what is shifted by a and rests again ℓ further on is sheared
 * by a/ℓ, and a bone shorter than its flesh is thick has no room for more. Where the field is bumpy, Λ falls by min(1, SMOOTH / q_k(|∇²F| T² / max |F|))²,
 * F = f (n̄ − n̂): limbs and fingers have 10 to 25, and around wild weights a plate that looks smooth would crumple.
 *
 * a is linear in u, so everything but 1/J is a sparse matrix that is planned here, and the amounts are a function of the bones alone
 * (create-harmonics.ts). The volume step then makes every region exact on top. O(#V).
 */
import { PercentileLists } from '../linear-algebra/percentile-lists.js';
import { solveDense } from '../linear-algebra/solve-dense.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { measureLength } from '../mesh/measure-length.js';
import type { Surface } from '../mesh/surface.js';
import type { GivenShapes } from './given-shapes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { VertexTable, type VertexValues } from './plan-bases.js';
import type { ShapeDraft } from './plan-shapes.js';
import { measureSights, planSkinColumns, type SkinColumns } from './plan-skin-columns.js';
import type { SolverContext } from './volume-solver.js';

/** What the amounts are measured from, frame by frame. */
export interface HarmonicPlan extends Omit<SkinColumns, 'patchOf'> {
  readonly regionCount: number;
  readonly boneCount: number;
  /** Patch → regions, and three numbers each: what u_p adds to a_s. */
  readonly fit: { readonly offsets: Uint32Array; readonly regions: Uint32Array; readonly values: Float64Array };
  /** |a_s| stays below. */
  readonly ceilings: Float64Array;
}

/** Vertices that a percentile is taken of, about. */
const MANY = 20_000;
/** A region that shows less than this share of its harmonics has none: with fewer than two vertices in l² a bulge is dents of single triangles. */
const LEAST_SHOWN = 1 / 3;
/** Bumps of a bend up to which it is as smooth as flesh is. */
const SMOOTH = 33;
/** Holds amounts back in directions in which a region hardly extends, of its extent in all. */
const RIDGE = 0.02;

export interface HarmonicOptions {
  /** What amounts are multiplied by. */
  readonly strength: number;
  /** Largest push as a share of the local thickness, and steepest. */
  readonly limit: number;
}

/** Undefined where the mesh is too coarse to show any. */
export function planHarmonics(
  { character, directions, regions }: SolverContext,
  draft: ShapeDraft,
  regionCount: number,
  { strength, limit }: HarmonicOptions,
): GivenShapes | undefined {
  const { bases, thickness, spread, skin } = draft;
  const { surface, skeleton } = character;
  const areas = measureVertexAreas(surface);
  skin.columns ??= planSkinColumns(character, thickness);
  const { patchOf, ...columns } = skin.columns;
  const sight = measureSights(surface, thickness, spread);
  const fields = measureFields(bases, directions, areas, sight, regionCount);
  const fit = planFit(fields, bases, areas, patchOf, columns.patches.count, regionCount, strength);
  if (fit.regions.length === 0) return undefined;
  const ceilings = planCeilings(fields, bases, surface, thickness, limit, regionCount);
  const harmonics: HarmonicPlan = { ...columns, regionCount, boneCount: skeleton.boneCount, fit, ceilings };
  const families = regions.names.map((name, region) => ({ name: `${name} bend`, size: 3, region }));
  return { values: listFields(bases, fields, sight), plan: { families, harmonics } };
}

/** f (n̄ − n̂) of every entry of φ, ×3; 0 in regions that show too little of it. */
function measureFields(
  { offsets, shapes, values }: VertexValues,
  directions: Float64Array,
  areas: Float64Array,
  sight: Float64Array,
  regionCount: number,
): Float64Array {
  const means = new Float64Array(3 * regionCount);
  const sums = new Float64Array(regionCount);
  const shown = new Float64Array(regionCount);
  const peaks = new Float64Array(regionCount);
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      const weight = Math.abs(values[e]!) * areas[k]!;
      sums[s]! += weight;
      shown[s]! += weight * sight[k]!;
      peaks[s] = Math.max(peaks[s]!, Math.abs(values[e]!));
      for (let r = 0; r < 3; r++) means[3 * s + r]! += weight * directions[3 * k + r]!;
    }
  }
  const out = new Float64Array(3 * values.length);
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      if (!(shown[s]! > LEAST_SHOWN * sums[s]!)) continue;
      const f = Math.abs(values[e]!) / peaks[s]!;
      for (let r = 0; r < 3; r++) out[3 * e + r] = f * (directions[3 * k + r]! - means[3 * s + r]! / sums[s]!);
    }
  }
  return out;
}

/** The shapes: 3s + r. */
function listFields({ offsets, shapes }: VertexValues, fields: Float64Array, sight: Float64Array): VertexValues {
  const table = new VertexTable(offsets.length - 1);
  for (let k = 0; k + 1 < offsets.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      for (let r = 0; r < 3; r++) {
        const value = sight[k]! * fields[3 * e + r]!;
        if (value !== 0) table.add(k, 3 * shapes[e]! + r, value);
      }
    }
  }
  return table.finish();
}

/** The matrix from u of the patches to a of the regions. */
function planFit(
  fields: Float64Array,
  { offsets, shapes, values }: VertexValues,
  areas: Float64Array,
  patchOf: Uint32Array,
  count: number,
  regionCount: number,
  strength: number,
): HarmonicPlan['fit'] {
  const sums = new Float64Array(regionCount);
  const means = new Float64Array(3 * regionCount);
  const normal = new Float64Array(9 * regionCount);
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      const weight = Math.abs(values[e]!) * areas[k]!;
      sums[s]! += weight;
      for (let r = 0; r < 3; r++) {
        means[3 * s + r]! += weight * fields[3 * e + r]!;
        for (let c = 0; c < 3; c++) normal[9 * s + 3 * r + c]! += weight * fields[3 * e + r]! * fields[3 * e + c]!;
      }
    }
  }
  const rows = new Float64Array(3 * count * regionCount); // patch by patch
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      const weight = Math.abs(values[e]!) * areas[k]!;
      const at = 3 * (patchOf[k]! * regionCount + s);
      for (let r = 0; r < 3; r++) rows[at + r]! += weight * (fields[3 * e + r]! - means[3 * s + r]! / sums[s]!);
    }
  }
  const out = { offsets: new Uint32Array(count + 1), regions: [] as number[], values: [] as number[] };
  const matrix = new Float64Array(9);
  const pivots = new Uint32Array(3);
  for (let p = 0; p < count; p++) {
    for (let s = 0; s < regionCount; s++) {
      const row = rows.subarray(3 * (p * regionCount + s), 3 * (p * regionCount + s + 1));
      if (row[0] === 0 && row[1] === 0 && row[2] === 0) continue;
      matrix.set(normal.subarray(9 * s, 9 * s + 9));
      const trace = matrix[0]! + matrix[4]! + matrix[8]!;
      for (let r = 0; r < 3; r++) matrix[4 * r]! += RIDGE * trace;
      if (!solveDense(matrix, row, 3, pivots)) continue; // a region without any extent
      out.regions.push(s);
      for (let r = 0; r < 3; r++) out.values.push(strength * row[r]!);
    }
    out.offsets[p + 1] = out.regions.length;
  }
  return { ...out, regions: Uint32Array.from(out.regions), values: Float64Array.from(out.values) };
}

/** Λ. */
function planCeilings(
  fields: Float64Array,
  { offsets, shapes, values }: VertexValues,
  { positions: x, neighbours }: Surface,
  thickness: Float64Array,
  limit: number,
  regionCount: number,
): Float64Array {
  const peaks = new Float64Array(regionCount);
  const largest = new Float64Array(regionCount); // of |F|
  const [depths, slopes] = [new PercentileLists(regionCount), new PercentileLists(regionCount)];
  const bumps = new PercentileLists(regionCount);
  const mean = new Float64Array(3);
  for (let e = 0; e < values.length; e++) {
    const s = shapes[e]!;
    peaks[s] = Math.max(peaks[s]!, Math.abs(values[e]!));
    largest[s] = Math.max(largest[s]!, measureLength(fields[3 * e]!, fields[3 * e + 1]!, fields[3 * e + 2]!));
  }
  const step = Math.ceil(thickness.length / MANY);
  for (let k = 0; k < thickness.length; k += step) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (thickness[k]! > 0)
        depths.add(shapes[e]!, measureLength(fields[3 * e]!, fields[3 * e + 1]!, fields[3 * e + 2]!) / thickness[k]!);
    }
    for (let n = neighbours.offsets[k]!; n < neighbours.offsets[k + 1]!; n++) {
      const j = neighbours.values[n]!;
      const way = measureDistance(x, k, j);
      for (let e = offsets[k]!; way > 0 && e < offsets[k + 1]!; e++) {
        const s = shapes[e]!;
        let other = 0;
        for (let o = offsets[j]!; o < offsets[j + 1]!; o++) if (shapes[o] === s) other = values[o]!;
        slopes.add(s, Math.abs(values[e]! - other) / (way * peaks[s]!));
      }
    }
    const [from, to] = [neighbours.offsets[k]!, neighbours.offsets[k + 1]!];
    let square = 0; // of an edge
    for (let n = from; n < to; n++) square += measureDistance(x, k, neighbours.values[n]!) ** 2 / (to - from);
    for (let e = offsets[k]!; square > 0 && e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      if (!(largest[s]! > 0)) continue;
      for (let r = 0; r < 3; r++) mean[r] = -fields[3 * e + r]!;
      for (let n = from; n < to; n++) {
        const j = neighbours.values[n]!;
        for (let o = offsets[j]!; o < offsets[j + 1]!; o++) {
          if (shapes[o] === s) for (let r = 0; r < 3; r++) mean[r]! += fields[3 * o + r]! / (to - from);
        }
      }
      const bump = (4 * measureLength(mean[0]!, mean[1]!, mean[2]!)) / square;
      bumps.add(s, (bump * thickness[k]! ** 2) / largest[s]!);
    }
  }
  return peaks.map((_, s) => {
    const steepest = Math.max(depths.find(s), slopes.find(s));
    return (Math.min(1, SMOOTH / bumps.find(s)) ** 2 * limit) / (steepest || Number.POSITIVE_INFINITY);
  });
}
