/**
 * C16. How much the skin is stretched, patch by patch, from the bones alone: no vertex is looked at in a frame.
 *
 *   G_p(e) = Σ_k c_pk(e) x_k = Σ_i B_i m_pi(e),   m_pi(e) = Σ_k c_pk(e) w_ik (x̄_k, 1)        J_p = |G_p(e₁) × G_p(e₂)| / at rest
 *
 * x = Σ_i w_ik B_i x̄  linear skinning;  c_pk(e)  the mean over the patch of the derivative along e of a surface through the x_k (hat
 * functions), so that G_p is the patch's mean deformation gradient;  e₁, e₂  unit vectors across its mean normal. Patches that one
 * bone moves keep J = 1. O(#V) at planning time; per frame 24 products per patch and bone.
 */

import type { Character } from '../character/character.js';
import { normalise } from '../kernels/reference-kernels.js';
import { cross, crossEdges, measureTangents } from '../mesh/cross.js';
import { type Clusters, planClusters } from '../mesh/plan-clusters.js';
import type { Surface } from '../mesh/surface.js';

export interface SkinPatches {
  readonly count: number;
  readonly clusters: Clusters;
  /** Rest area, centre (×3). */
  readonly areas: Float64Array;
  readonly centres: Float64Array;
  /** Patch → bones that move it (none: one bone alone does), their mean weights w_pi and 8 numbers each, m_pi(e₁) and m_pi(e₂). */
  readonly offsets: Uint32Array;
  readonly bones: Uint32Array;
  readonly weights: Float64Array;
  readonly moments: Float64Array;
  /** 1 / |G_p(e₁) × G_p(e₂)| at rest. */
  readonly scales: Float64Array;
}

/** Bones with a smaller share of a patch are given to its largest: half a per cent of the stretch at most. */
const SMALL_SHARE = 0.02;

/** @param wanted about how many patches; a patch is one vertex and its triangles at least. */
export function planSkinPatches({ surface, binding }: Character, wanted: number): SkinPatches {
  const { triangles, positions: x, vertexCount } = surface;
  const clusters = planClusters(surface, wanted);
  const { count, clusterOf } = clusters;
  const { areas, centres, normals } = measurePatches(surface, clusters);
  const frames = measureFrames(normals, count);
  const lists: Map<number, Float64Array>[] = Array.from({ length: count }, () => new Map());
  const hats = new Float64Array(9);
  const parts = new Float64Array(3 * vertexCount); // c_pk(e₁), c_pk(e₂) and share of every vertex in its own patch
  const part = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const area = measureHats(hats, x, triangles, t);
    if (!(area > 0)) continue;
    for (let corner = 0; corner < 3; corner++) {
      const p = clusterOf[triangles[t + corner]!]!;
      const share = area / 3 / areas[p]!;
      for (let c = 0; c < 3; c++) {
        const k = triangles[t + c]!;
        const isOwn = clusterOf[k] === p;
        const out = isOwn ? parts : part;
        const at = isOwn ? 3 * k : 0;
        if (!isOwn) part.fill(0);
        for (let r = 0; r < 3; r++) {
          out[at]! += share * hats[3 * c + r]! * frames[6 * p + r]!;
          out[at + 1]! += share * hats[3 * c + r]! * frames[6 * p + 3 + r]!;
        }
        out[at + 2]! += share / 3;
        if (!isOwn) addMoments(lists[p]!, binding, k, x, part, 0);
      }
    }
  }
  for (let k = 0; k < vertexCount; k++) addMoments(lists[clusterOf[k]!]!, binding, k, x, parts, 3 * k);
  return { count, clusters, areas, centres, ...packMoments(lists) };
}

/** Area vectors give the mean normal of a patch; every corner brings a third of its triangle. */
function measurePatches({ triangles, positions: x }: Surface, { count, clusterOf }: Clusters) {
  const areas = new Float64Array(count);
  const centres = new Float64Array(3 * count);
  const normals = new Float64Array(3 * count);
  const hats = new Float64Array(9);
  for (let t = 0; t < triangles.length; t += 3) {
    const area = measureHats(hats, x, triangles, t);
    const [i, j, l] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    for (let corner = 0; corner < 3; corner++) {
      const p = clusterOf[triangles[t + corner]!]!;
      areas[p]! += area / 3;
      for (let r = 0; r < 3; r++) {
        centres[3 * p + r]! += ((x[i + r]! + x[j + r]! + x[l + r]!) * area) / 9;
        normals[3 * p + r]! += normal[r]!;
      }
    }
  }
  for (let p = 0; p < count; p++) for (let r = 0; r < 3; r++) centres[3 * p + r]! /= areas[p]! || 1;
  return { areas, centres, normals };
}

/** ∇ of the hat functions of a triangle's corners, N × edge / |N|², 3×3; returns its area. */
function measureHats(out: Float64Array, x: Float64Array, triangles: ArrayLike<number>, t: number): number {
  const [i, j, l] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
  crossEdges(normal, 0, x, i, j, l);
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  const square = nx * nx + ny * ny + nz * nz;
  for (let c = 0; c < 3; c++) {
    const [a, b] = [c === 0 ? j : c === 1 ? l : i, c === 0 ? l : c === 1 ? i : j];
    const [ex, ey, ez] = [x[b]! - x[a]!, x[b + 1]! - x[a + 1]!, x[b + 2]! - x[a + 2]!];
    const scale = square > 0 ? 1 / square : 0;
    out[3 * c] = (ny * ez - nz * ey) * scale;
    out[3 * c + 1] = (nz * ex - nx * ez) * scale;
    out[3 * c + 2] = (nx * ey - ny * ex) * scale;
  }
  return Math.sqrt(square) / 2;
}
const normal = new Float64Array(3);

/** e₁ and e₂ of every patch, 6 numbers each. */
function measureFrames(normals: Float64Array, count: number): Float64Array {
  const out = new Float64Array(6 * count);
  normalise(normals, normals, 0, count);
  for (let p = 0; p < count; p++) measureTangents(out.subarray(6 * p, 6 * p + 6), normals.subarray(3 * p, 3 * p + 3));
  return out;
}

/** Vertex k's part of m_pi, all its bones; the ninth number is the bone's weight. */
function addMoments(
  list: Map<number, Float64Array>,
  { offsets, bones, weights }: Character['binding'],
  k: number,
  x: Float64Array,
  parts: Float64Array,
  at: number,
): void {
  for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
    const w = weights[e]!;
    if (w === 0) continue;
    let m = list.get(bones[e]!);
    if (!m) list.set(bones[e]!, (m = new Float64Array(9)));
    for (let r = 0; r < 4; r++) {
      const value = r < 3 ? x[3 * k + r]! : 1;
      m[r]! += parts[at]! * w * value;
      m[4 + r]! += parts[at + 1]! * w * value;
    }
    m[8]! += parts[at + 2]! * w;
  }
}

function packMoments(lists: readonly Map<number, Float64Array>[]) {
  const offsets = new Uint32Array(lists.length + 1);
  const bones: number[] = [];
  const weights: number[] = [];
  const moments: number[] = [];
  const scales = new Float64Array(lists.length);
  for (const [p, list] of lists.entries()) {
    const sorted = [...list].sort((a, b) => b[1][8]! - a[1][8]! || a[0] - b[0]);
    const kept = sorted.filter(([, m], n) => n === 0 || m[8]! >= SMALL_SHARE);
    for (const [, m] of sorted.slice(kept.length)) for (let r = 0; r < 9; r++) kept[0]![1][r]! += m[r]!;
    const rest = new Float64Array(8);
    for (const [, m] of kept) for (let r = 0; r < 8; r++) rest[r]! += m[r]!;
    const area = Math.hypot(...cross(rest.subarray(0, 3), rest.subarray(4, 7)));
    scales[p] = area > 0 ? 1 / area : 0;
    if (kept.length > 1 && area > 0) {
      for (const [bone, m] of kept) {
        bones.push(bone);
        weights.push(m[8]!);
        moments.push(...m.subarray(0, 8));
      }
    }
    offsets[p + 1] = bones.length;
  }
  return {
    offsets,
    bones: Uint32Array.from(bones),
    weights: Float64Array.from(weights),
    moments: Float64Array.from(moments),
    scales,
  };
}
