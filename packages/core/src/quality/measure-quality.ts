import { type Bvh, planBvh } from '../contact/bvh.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import type { Surface } from '../mesh/surface.js';
import { countSelfIntersections } from './count-self-intersections.js';

/**
 * How good a corrected surface y is, judged against the skinned surface x of the same frame (Q1–Q7; Q1 is measure-clip.ts).
 *
 * u = y − x. Q2: pairs of triangles that cross, in x and in y. Q3: share of triangles with n_x·n_y < 0. Q4: |e_y|/|e_x| over
 * the edges, 99th percentile and maximum. Q5: RMS |L(u)_k| / RMS |u_k|, L(u)_k = u_k − mean of the neighbours' u.
 * Q7: largest |u_k| in regions whose volume did not change. Lengths are relative to the diagonal of x's bounding box.
 * Shapes: x, y at least #V×3. Complexity: O(#E log #E), plus Q2's; only the answer is allocated.
 */
export interface Quality {
  /** Q2; null when it was not asked for. */
  readonly intersections: { readonly skinned: number; readonly corrected: number } | null;
  /** Q3, share of the triangles, 0 … 1. Triangles without area in x are not counted. */
  readonly flipped: number;
  /** Q4. Edges without length in x are not counted. */
  readonly stretch99: number;
  readonly stretchMax: number;
  /** Q5; 0 where nothing moved. */
  readonly roughness: number;
  /** RMS |u_k|, relative to the box. */
  readonly rms: number;
  /** Q7, relative to the box; null without a mask. */
  readonly locality: number | null;
}

export interface QualityPlan {
  readonly surface: QualitySurface;
  /** Every edge once, #E×2. */
  readonly edges: Uint32Array;
  readonly stretches: Float64Array;
  readonly areas: Float64Array;
  readonly bvh: Bvh | null;
}

export type QualitySurface = Pick<Surface, 'vertexCount' | 'positions' | 'triangles' | 'neighbours'>;

export interface QualityOptions {
  /** Count self-intersections (Q2), by far the slowest part. Default: whether it was planned. */
  readonly intersections?: boolean;
  /** Q7: non-zero at vertices inside regions that kept their volume (`markQuietVertices`), #V. */
  readonly quiet?: Uint8Array;
}

/** A triangle of x with less than this share of the mean area has no direction: single-precision files round more. */
const FLAT_AREA = 1e-5;
/** An edge of x shorter than this share of the box has no stretch. */
const SHORT_EDGE = 1e-9;

export function planQuality(surface: QualitySurface, options: { readonly intersections?: boolean } = {}): QualityPlan {
  const { offsets, values } = surface.neighbours;
  const edges = new Uint32Array(values.length);
  let count = 0;
  for (let k = 0; k < surface.vertexCount; k++) {
    for (let i = offsets[k]!; i < offsets[k + 1]!; i++) {
      if (values[i]! <= k) continue;
      edges[count++] = k;
      edges[count++] = values[i]!;
    }
  }
  return {
    surface,
    edges: edges.slice(0, count),
    stretches: new Float64Array(count / 2),
    areas: new Float64Array(surface.triangles.length / 3),
    bvh: options.intersections ? planBvh(surface.triangles, surface.positions) : null,
  };
}

export function measureQuality(
  plan: QualityPlan,
  skinned: Float64Array,
  corrected: Float64Array,
  options: QualityOptions = {},
): Quality {
  const { bvh } = plan;
  const box = measureDiagonal(skinned);
  const stretchCount = measureStretches(plan, skinned, corrected, SHORT_EDGE * box);
  const ranked = plan.stretches.subarray(0, stretchCount).sort();
  const { rms, roughness, locality } = measureDisplacement(plan, skinned, corrected, options.quiet);
  return {
    intersections:
      bvh && options.intersections !== false
        ? { skinned: countSelfIntersections(bvh, skinned), corrected: countSelfIntersections(bvh, corrected) }
        : null,
    flipped: measureFlipped(plan, skinned, corrected),
    stretch99: stretchCount ? ranked[Math.ceil(0.99 * stretchCount) - 1]! : 1,
    stretchMax: stretchCount ? ranked[stretchCount - 1]! : 1,
    roughness,
    rms: rms / box,
    locality: options.quiet ? locality / box : null,
  };
}

/** Fills plan.stretches and returns how many edges are long enough to count. */
function measureStretches(plan: QualityPlan, x: Float64Array, y: Float64Array, shortest: number): number {
  const { edges, stretches } = plan;
  let count = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const before = distance(x, 3 * edges[e]!, 3 * edges[e + 1]!);
    if (before > shortest) stretches[count++] = distance(y, 3 * edges[e]!, 3 * edges[e + 1]!) / before;
  }
  return count;
}

function measureFlipped(plan: QualityPlan, x: Float64Array, y: Float64Array): number {
  const { triangles } = plan.surface;
  const { areas } = plan;
  let sum = 0;
  for (let t = 0; t < areas.length; t++) {
    areas[t] = Math.sqrt(dotAreaVectors(triangles, t, x, x));
    sum += areas[t]!;
  }
  const smallest = areas.length ? (FLAT_AREA * sum) / areas.length : 0;
  let counted = 0;
  let flipped = 0;
  for (let t = 0; t < areas.length; t++) {
    if (!(areas[t]! > smallest)) continue;
    counted++;
    if (dotAreaVectors(triangles, t, x, y) < 0) flipped++;
  }
  return counted ? flipped / counted : 0;
}

/** RMS of u, its roughness, and its largest length at quiet vertices. Vertices that no triangle uses are not counted. */
function measureDisplacement(
  plan: QualityPlan,
  x: Float64Array,
  y: Float64Array,
  quiet: Uint8Array | undefined,
): { rms: number; roughness: number; locality: number } {
  const { vertexCount, neighbours } = plan.surface;
  const { offsets, values } = neighbours;
  let counted = 0;
  let squares = 0;
  let rough = 0;
  let locality = 0;
  for (let k = 0; k < vertexCount; k++) {
    const begin = offsets[k]!;
    const end = offsets[k + 1]!;
    if (begin === end) continue;
    let square = 0;
    for (let a = 0; a < 3; a++) {
      const u = y[3 * k + a]! - x[3 * k + a]!;
      let mean = 0;
      for (let i = begin; i < end; i++) mean += y[3 * values[i]! + a]! - x[3 * values[i]! + a]!;
      const laplacian = u - mean / (end - begin);
      square += u * u;
      rough += laplacian * laplacian;
    }
    counted++;
    squares += square;
    if (quiet?.[k]) locality = Math.max(locality, Math.sqrt(square));
  }
  return {
    rms: counted ? Math.sqrt(squares / counted) : 0,
    roughness: squares > 0 ? Math.sqrt(rough / squares) : 0,
    locality,
  };
}

/** ⟨area vector of triangle t in x, area vector in y⟩, both doubled. */
function dotAreaVectors(triangles: Uint32Array, t: number, x: Float64Array, y: Float64Array): number {
  const a = 3 * triangles[3 * t]!;
  const b = 3 * triangles[3 * t + 1]!;
  const c = 3 * triangles[3 * t + 2]!;
  let dot = 0;
  for (let i = 0; i < 3; i++) {
    const j = i === 2 ? 0 : i + 1;
    const k = i === 0 ? 2 : i - 1;
    const nx = (x[b + j]! - x[a + j]!) * (x[c + k]! - x[a + k]!) - (x[b + k]! - x[a + k]!) * (x[c + j]! - x[a + j]!);
    const ny = (y[b + j]! - y[a + j]!) * (y[c + k]! - y[a + k]!) - (y[b + k]! - y[a + k]!) * (y[c + j]! - y[a + j]!);
    dot += nx * ny;
  }
  return dot;
}

function distance(p: Float64Array, a: number, b: number): number {
  const x = p[b]! - p[a]!;
  const y = p[b + 1]! - p[a + 1]!;
  const z = p[b + 2]! - p[a + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}
