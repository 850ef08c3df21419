/**
 * H5. The rectangles of a tool over the skin: one per segment of the polyline through its anchors.
 *
 *   X = AB/|AB|,  N = mean of the two normals across X,  S = N × X;   x = ⟨q−A, X⟩,  t = 2⟨q−A, S⟩/width
 */
import type { SurfaceAnchor } from './wrinkle-tool.js';

/** Beyond a joint both rectangles are as near: the first counts, whatever rounding says. */
const TIE = 1e-4;

/** Numbers of a rectangle: A, X, S, N, length, x of A. */
export const STRIDE = 14;

/** A point over the rectangles: x from 0 to the length of all, t −1 … 1, N. */
export interface ToolPlace {
  x: number;
  t: number;
  nx: number;
  ny: number;
  nz: number;
}

export function createToolPlace(): ToolPlace {
  return { x: 0, t: 0, nx: 0, ny: 0, nz: 0 };
}

/** Points (or normals) at the anchors into `out`; returns the length of the polyline through them. */
export function gatherAnchors(
  out: Float64Array,
  values: Float64Array,
  triangles: Uint32Array,
  anchors: readonly SurfaceAnchor[],
): number {
  let length = 0;
  for (let k = 0; k < anchors.length; k++) {
    const { triangle, barycentric } = anchors[k]!;
    const a = 3 * triangles[3 * triangle]!;
    const b = 3 * triangles[3 * triangle + 1]!;
    const c = 3 * triangles[3 * triangle + 2]!;
    let square = 0;
    for (let r = 0; r < 3; r++) {
      const value = barycentric[0] * values[a + r]! + barycentric[1] * values[b + r]! + barycentric[2] * values[c + r]!;
      out[3 * k + r] = value;
      if (k > 0) square += (value - out[3 * k - 3 + r]!) ** 2;
    }
    length += Math.sqrt(square);
  }
  return length;
}

export function placeRectangles(rects: Float64Array, p: Float64Array, n: Float64Array, segments: number): void {
  let before = 0;
  for (let s = 0; s < segments; s++) {
    const r = STRIDE * s;
    const k = 3 * s;
    let length = 0;
    let along = 0;
    for (let i = 0; i < 3; i++) {
      rects[r + i] = p[k + i]!;
      rects[r + 3 + i] = p[k + 3 + i]! - p[k + i]!;
      length += rects[r + 3 + i]! ** 2;
    }
    length = Math.sqrt(length);
    for (let i = 0; i < 3; i++) {
      rects[r + 3 + i] = length > 0 ? rects[r + 3 + i]! / length : 0;
      rects[r + 9 + i] = n[k + i]! + n[k + 3 + i]!;
      along += rects[r + 3 + i]! * rects[r + 9 + i]!;
    }
    let square = 0;
    for (let i = 0; i < 3; i++) {
      rects[r + 9 + i]! -= along * rects[r + 3 + i]!;
      square += rects[r + 9 + i]! ** 2;
    }
    // Normals that run along AB, or away from each other, say nothing: no point faces a zero normal, so nothing is lifted.
    const unit = square > 1e-12 ? 1 / Math.sqrt(square) : 0;
    for (let i = 0; i < 3; i++) rects[r + 9 + i]! *= unit;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const l = (i + 2) % 3;
      rects[r + 6 + i] = rects[r + 9 + j]! * rects[r + 3 + l]! - rects[r + 9 + l]! * rects[r + 3 + j]!;
    }
    rects[r + 12] = length;
    rects[r + 13] = before;
    before += length;
  }
}

/** The place of a point over the nearest rectangle. */
export function projectOnRectangles(
  out: ToolPlace,
  rects: Float64Array,
  width: number,
  px: number,
  py: number,
  pz: number,
): void {
  let nearest = Number.POSITIVE_INFINITY;
  for (let r = 0; r < rects.length; r += STRIDE) {
    const length = rects[r + 12]!;
    const qx = px - rects[r]!;
    const qy = py - rects[r + 1]!;
    const qz = pz - rects[r + 2]!;
    const along = qx * rects[r + 3]! + qy * rects[r + 4]! + qz * rects[r + 5]!;
    const across = qx * rects[r + 6]! + qy * rects[r + 7]! + qz * rects[r + 8]!;
    const up = qx * rects[r + 9]! + qy * rects[r + 10]! + qz * rects[r + 11]!;
    // Beyond the joint of two rectangles the joint itself is nearest; beyond A and B nothing is.
    const open = along < 0 ? r === 0 : r + STRIDE === rects.length;
    const on = along < 0 ? 0 : along > length ? length : along;
    const over = along - on;
    const square = over * over + across * across + up * up;
    if (square >= nearest) continue;
    nearest = square * (1 - TIE);
    out.x = rects[r + 13]! + (open ? along : on);
    out.t = (2 * (open || over === 0 ? across : Math.sign(across) * Math.sqrt(across * across + over * over))) / width;
    out.nx = rects[r + 9]!;
    out.ny = rects[r + 10]!;
    out.nz = rects[r + 11]!;
  }
}
