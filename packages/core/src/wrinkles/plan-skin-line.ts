/**
 * The line of skin under a tool: points that belong to the skin, from A to B, and how long it is in a pose.
 *
 *   length = Σ |q_k+1 − q_k|,   q_k = Σ_c w_kc x_c over the corners of the triangle that point k lies in
 *
 * A thread over AB would miss how the skin between its ends bends; folds are to give the skin its own length back. The same points exist on the
 * refined mesh, in the small triangles that they lie in there.
 *
 * Shapes: corners and weights #points×3. O(#points) per measurement.
 */
import { type Bvh, planBvh } from '../contact/bvh.js';
import type { Surface } from '../mesh/surface.js';
import { findAnchor, placeAnchor, resample } from './plan-geodesic.js';
import { levelOffset, type RefinementPlan } from './plan-refinement.js';
import type { SurfaceAnchor } from './wrinkle-tool.js';

export interface SkinLine {
  readonly corners: Uint32Array;
  readonly weights: Float64Array;
}

/** Points per step of the finest curve, and of the whole line: corners of folds that are cut count as lost. */
const POINTS_PER_STEP = 6;
const LEAST_POINTS = 192;
const MOST_POINTS = 384;

/** A tree over the rest shape is planned once per surface: several tools are placed on it. */
const trees = new WeakMap<Surface, Bvh>();

export function planSurfaceTree(surface: Surface): Bvh {
  const tree = trees.get(surface) ?? planBvh(surface.triangles, surface.positions);
  trees.set(surface, tree);
  return tree;
}

/** Points of the skin nearest to the polyline through the anchors of a tool. */
export function planSkinAnchors(surface: Surface, anchors: readonly SurfaceAnchor[], steps: number): SurfaceAnchor[] {
  const bvh = planSurfaceTree(surface);
  const polyline = anchors.map((anchor) => placeAnchor(surface, anchor));
  const points = resample(polyline, Math.max(LEAST_POINTS, Math.min(MOST_POINTS, POINTS_PER_STEP * steps)));
  const between = points.slice(1, -1).map((point) => findAnchor(surface, bvh, point));
  return [anchors[0]!, ...between, anchors.at(-1)!];
}

/** The line on the old triangles. */
export function planSkinLine({ triangles }: Surface, anchors: readonly SurfaceAnchor[]): SkinLine {
  return {
    corners: Uint32Array.from(anchors.flatMap(({ triangle }) => [0, 1, 2].map((c) => triangles[3 * triangle + c]!))),
    weights: Float64Array.from(anchors.flatMap(({ barycentric }) => [...barycentric])),
  };
}

/** The line on the small triangles of the patches at these levels. */
export function refineSkinLine(
  surface: Surface,
  anchors: readonly SurfaceAnchor[],
  { patches }: RefinementPlan,
  levels: Uint8Array,
): SkinLine {
  const line = planSkinLine(surface, anchors);
  const patchOf = new Map(Array.from(patches.triangles, (t, p) => [t, p]));
  anchors.forEach(({ triangle, barycentric }, k) => {
    const p = patchOf.get(triangle);
    if (p === undefined) return;
    let [u, v, w] = barycentric;
    let small = 0;
    // As `pushChildren` orders them: three at the corners, one in the middle.
    for (let level = 0; level < levels[p]!; level++) {
      const child = u >= 0.5 ? 0 : v >= 0.5 ? 1 : w >= 0.5 ? 2 : 3;
      small = 4 * small + child;
      if (child === 3) [u, v, w] = [1 - 2 * w, 1 - 2 * u, 1 - 2 * v];
      else [u, v, w] = [2 * u - (child === 0 ? 1 : 0), 2 * v - (child === 1 ? 1 : 0), 2 * w - (child === 2 ? 1 : 0)];
    }
    const first = 3 * (patches.first[p]! + levelOffset(levels[p]!) + small);
    line.corners.set(patches.corners.subarray(first, first + 3), 3 * k);
    line.weights.set([u, v, w], 3 * k);
  });
  return line;
}

/** Length of the line at `positions` (#vertices×3). */
export function measureSkinLine({ corners, weights }: SkinLine, positions: Float64Array): number {
  let length = 0;
  let px = 0;
  let py = 0;
  let pz = 0;
  for (let k = 0; k < corners.length; k += 3) {
    const a = 3 * corners[k]!;
    const b = 3 * corners[k + 1]!;
    const c = 3 * corners[k + 2]!;
    const u = weights[k]!;
    const v = weights[k + 1]!;
    const w = weights[k + 2]!;
    const x = u * positions[a]! + v * positions[b]! + w * positions[c]!;
    const y = u * positions[a + 1]! + v * positions[b + 1]! + w * positions[c + 1]!;
    const z = u * positions[a + 2]! + v * positions[b + 2]! + w * positions[c + 2]!;
    if (k > 0) length += Math.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2);
    px = x;
    py = y;
    pz = z;
  }
  return length;
}
