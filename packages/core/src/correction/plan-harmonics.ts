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
 * by a/ℓ, and a bone shorter than its flesh is thick has no room for more.
 *
 * a is linear in u, so everything but 1/J is a sparse matrix that is planned here, and the amounts are a function of the bones alone
 * (create-harmonics.ts). The volume step then makes every region exact on top. O(#V).
 */
import { solveDense } from '../linear-algebra/solve-dense.js';
import type { Surface } from '../mesh/surface.js';
import type { GivenShapes } from './given-shapes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { createVertexTable, type VertexValues } from './plan-bases.js';
import { type PatchSmoothing, planPatchSmoothing } from './plan-patch-smoothing.js';
import type { ShapeDraft } from './plan-shapes.js';
import { planSkinPatches, type SkinPatches } from './plan-skin-patches.js';
import type { SolverContext } from './volume-solver.js';

/** What the amounts are measured from, frame by frame. */
export interface HarmonicPlan extends PatchSmoothing {
  readonly regionCount: number;
  readonly boneCount: number;
  readonly patches: Pick<SkinPatches, 'count' | 'offsets' | 'bones' | 'weights' | 'moments' | 'scales'>;
  /** t_p. */
  readonly flesh: Float64Array;
  /** Patch → regions, and three numbers each: what u_p adds to a_s. */
  readonly fit: { readonly offsets: Uint32Array; readonly regions: Uint32Array; readonly values: Float64Array };
  /** |a_s| stays below. */
  readonly ceilings: Float64Array;
}

/** Flesh is a quarter of the way through the limb: half its radius, the other half is bone. */
const FLESH = 0.25;
/** l / t: how far along the skin a column leans on its neighbours, and the size of a patch. */
const LEAN = 0.9;
/** Width of a Gaussian that smooths as far as (M + l²L)⁻¹ M does, in l. */
const WIDTH = Math.SQRT2;
/** Patches beyond this many are not worth their time in a frame, about 0.1 µs each; they grow instead. */
const MOST_PATCHES = 600;
/** Share of a shape's entries that its ceiling looks at: the largest few stand on slivers. */
const PERCENTILE = 0.98;
/** Vertices that a percentile is taken of, about. */
const MANY = 20_000;
/** A region that shows less than this share of its harmonics has none: with fewer than two vertices in l² a bulge is dents of single triangles. */
const LEAST_SHOWN = 1 / 3;
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
  const { bases, thickness } = draft;
  const { surface, skeleton } = character;
  const areas = measureVertexAreas(surface);
  const area = measureArea(surface);
  const patches = planSkinPatches(character, countPatches(area, thickness));
  const flesh = averageFlesh(patches, thickness, areas);
  const sight = measureSights({ character }, draft);
  const fields = measureFields(bases, directions, areas, sight, regionCount);
  const fit = planFit(fields, bases, areas, patches, regionCount, strength);
  if (fit.regions.length === 0) return undefined;
  const widths = flesh.map((t, p) => (fit.offsets[p]! < fit.offsets[p + 1]! ? WIDTH * LEAN * t : 0));
  const { count, offsets, bones, weights, moments, scales } = patches;
  const harmonics: HarmonicPlan = {
    regionCount,
    boneCount: skeleton.boneCount,
    patches: { count, offsets, bones, weights, moments, scales },
    ...planPatchSmoothing(patches, widths),
    flesh,
    fit,
    ceilings: planCeilings(fields, bases, surface, thickness, limit, regionCount),
  };
  const families = regions.names.map((name, region) => ({ name: `${name} bend`, size: 3, region }));
  return { values: listFields(bases, fields, sight), plan: { families, harmonics } };
}

/** How much of a push the mesh can show, #V. */
export function measureSights(
  { character: { surface } }: Pick<SolverContext, 'character'>,
  { thickness, spread }: Pick<ShapeDraft, 'thickness' | 'spread'>,
): Float64Array {
  const area = measureArea(surface);
  return thickness.map((T, k) => measureSight(FLESH * T, (spread[k]! * area) / surface.vertexCount));
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
  const table = createVertexTable(offsets.length - 1);
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

function measureArea({ triangles, positions: x }: Surface): number {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, l] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const [ux, uy, uz] = [x[j]! - x[i]!, x[j + 1]! - x[i + 1]!, x[j + 2]! - x[i + 2]!];
    const [vx, vy, vz] = [x[l]! - x[i]!, x[l + 1]! - x[i + 1]!, x[l + 2]! - x[i + 2]!];
    area += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return area;
}

/** As many patches of size l as the skin holds. */
function countPatches(area: number, thickness: Float64Array): number {
  const median = Float64Array.from(thickness).sort()[thickness.length >> 1] ?? 0;
  const wanted = Math.ceil(area / (LEAN * FLESH * median) ** 2);
  return wanted >= 1 && wanted < MOST_PATCHES ? wanted : MOST_PATCHES;
}

function averageFlesh({ count, clusters }: SkinPatches, thickness: Float64Array, areas: Float64Array): Float64Array {
  const out = new Float64Array(count);
  const sums = new Float64Array(count);
  for (let k = 0; k < thickness.length; k++) {
    const p = clusters.clusterOf[k]!;
    out[p]! += FLESH * areas[k]! * thickness[k]!;
    sums[p]! += areas[k]!;
  }
  return out.map((sum, p) => sum / sums[p]!);
}

/**
 * How much of a column of thickness t the mesh can show: what is l wide takes two samples along l, four vertices in l². On coarser skin
 * a push would be a dent of whole triangles: it fades, and with one vertex in l² there is nothing left.
 */
function measureSight(t: number, area: number): number {
  const count = (LEAN * t) ** 2 / area;
  return count > 1 ? Math.min(1, (count - 1) / 3) : 0;
}

/** The matrix from u of the patches to a of the regions. */
function planFit(
  fields: Float64Array,
  { offsets, shapes, values }: VertexValues,
  areas: Float64Array,
  { clusters: { clusterOf, count } }: SkinPatches,
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
  const rows: Map<number, Float64Array>[] = Array.from({ length: count }, () => new Map());
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      const weight = Math.abs(values[e]!) * areas[k]!;
      const row = rows[clusterOf[k]!]!;
      if (!row.has(s)) row.set(s, new Float64Array(3));
      for (let r = 0; r < 3; r++) row.get(s)![r]! += weight * (fields[3 * e + r]! - means[3 * s + r]! / sums[s]!);
    }
  }
  const out = { offsets: new Uint32Array(count + 1), regions: [] as number[], values: [] as number[] };
  const matrix = new Float64Array(9);
  for (let p = 0; p < count; p++) {
    for (const [s, row] of rows[p]!) {
      matrix.set(normal.subarray(9 * s, 9 * s + 9));
      const trace = matrix[0]! + matrix[4]! + matrix[8]!;
      for (let r = 0; r < 3; r++) matrix[4 * r]! += RIDGE * trace;
      if (!solveDense(matrix, row, 3)) continue; // a region without any extent
      out.regions.push(s);
      for (let r = 0; r < 3; r++) out.values.push(strength * row[r]!);
    }
    out.offsets[p + 1] = out.regions.length;
  }
  return { ...out, regions: Uint32Array.from(out.regions), values: Float64Array.from(out.values) };
}

function planCeilings(
  fields: Float64Array,
  { offsets, shapes, values }: VertexValues,
  { positions: x, neighbours }: Surface,
  thickness: Float64Array,
  limit: number,
  regionCount: number,
): Float64Array {
  const depths: number[][] = Array.from({ length: regionCount }, () => []);
  const slopes: number[][] = Array.from({ length: regionCount }, () => []);
  const peaks = new Float64Array(regionCount);
  for (const [e, s] of shapes.entries()) peaks[s] = Math.max(peaks[s]!, Math.abs(values[e]!));
  const find = (k: number, s: number) => {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (shapes[e] === s) return values[e]!;
    return 0;
  };
  const step = Math.ceil(thickness.length / MANY);
  for (let k = 0; k < thickness.length; k += step) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      if (thickness[k]! > 0)
        depths[s]!.push(Math.hypot(fields[3 * e]!, fields[3 * e + 1]!, fields[3 * e + 2]!) / thickness[k]!);
      for (let n = neighbours.offsets[k]!; n < neighbours.offsets[k + 1]!; n++) {
        const j = neighbours.values[n]!;
        const way = Math.hypot(x[3 * k]! - x[3 * j]!, x[3 * k + 1]! - x[3 * j + 1]!, x[3 * k + 2]! - x[3 * j + 2]!);
        if (way > 0) slopes[s]!.push(Math.abs(values[e]! - find(j, s)) / (way * peaks[s]!));
      }
    }
  }
  return Float64Array.from(depths, (list, s) => {
    const steepest = Math.max(findPercentile(list), findPercentile(slopes[s]!));
    return limit / (steepest || Number.POSITIVE_INFINITY);
  });
}

function findPercentile(list: number[]): number {
  list.sort((a, b) => a - b);
  return list[Math.floor(PERCENTILE * (list.length - 1))] ?? 0;
}
