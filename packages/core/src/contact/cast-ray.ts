import type { Bvh } from './bvh.js';

/**
 * Nearest triangle that a ray meets, origin + t·direction with 0 ≤ t ≤ tMax, through a BVH.
 *
 * Watertight: the ray is sheared onto an axis and three 2-D edge functions decide, edges included, so that no ray slips
 * through between two triangles that share an edge. `direction` need not have length 1; t counts in its length.
 * Complexity: O(log #T) on ordinary meshes, no allocation.
 * Based on: Woop, Benthin, Wald, Watertight Ray/Triangle Intersection, 2013.
 */
export interface RayHit {
  /** The triangle, or −1. */
  triangle: number;
  t: number;
  /** +1 where the ray leaves through the back of the triangle (direction·normal > 0), −1 where it enters. */
  side: number;
}

/** Memory for the answers of `castRay`. */
export function createRayHit(): RayHit {
  return { triangle: -1, t: Number.POSITIVE_INFINITY, side: 0 };
}

/**
 * @param hit written: the nearest hit, or triangle −1 and t = tMax
 * @param bvh fitted to `positions`
 * @param side 0: both sides; 1: only triangles that the ray leaves through; −1: only those that it enters through
 * @param ignoreVertex triangles at this vertex are passed through (a ray that starts on the surface); −1 for none
 * @param component of every triangle, where only those of component `own` count
 * @returns whether anything was hit
 */
export function castRay(
  hit: RayHit,
  bvh: Bvh,
  positions: Float64Array,
  origin: Float64Array,
  direction: Float64Array,
  tMax: number,
  side = 0,
  ignoreVertex = -1,
  component?: ArrayLike<number>,
  own = -1,
): boolean {
  const { bounds, first, size, order, triangles, stack, entries } = bvh;
  hit.triangle = -1;
  hit.t = tMax;
  hit.side = 0;
  if (bvh.triangleCount === 0) return false;
  const ox = origin[0]!;
  const oy = origin[1]!;
  const oz = origin[2]!;
  const dx = direction[0]!;
  const dy = direction[1]!;
  const dz = direction[2]!;
  const ix = 1 / dx;
  const iy = 1 / dy;
  const iz = 1 / dz;

  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  const kz = ax > ay ? (ax > az ? 0 : 2) : ay > az ? 1 : 2;
  const dk = direction[kz]!;
  // Swapping the two other axes for a negative direction keeps the winding.
  const kx = dk < 0 ? (kz + 2) % 3 : (kz + 1) % 3;
  const ky = dk < 0 ? (kz + 1) % 3 : (kz + 2) % 3;
  const sx = direction[kx]! / dk;
  const sy = direction[ky]! / dk;
  const sz = 1 / dk;
  const okx = origin[kx]!;
  const oky = origin[ky]!;
  const okz = origin[kz]!;

  let top = 1;
  entries[0] = 0;
  stack[0] = 0;
  while (top > 0) {
    const node = stack[--top]!;
    if (entries[top]! > hit.t) continue;
    const count = size[node]!;
    if (count === 0) {
      const child = first[node]!;
      const a = enterBox(bounds, 6 * child, ox, oy, oz, ix, iy, iz, hit.t);
      const b = enterBox(bounds, 6 * child + 6, ox, oy, oz, ix, iy, iz, hit.t);
      // The nearer child is pushed last, so that it is looked at first.
      const nearer = b < 0 || (a >= 0 && a <= b) ? 0 : 1;
      const far = nearer === 0 ? b : a;
      const near = nearer === 0 ? a : b;
      if (far >= 0) {
        entries[top] = far;
        stack[top++] = child + 1 - nearer;
      }
      if (near >= 0) {
        entries[top] = near;
        stack[top++] = child + nearer;
      }
      continue;
    }
    const start = first[node]!;
    for (let i = start; i < start + count; i++) {
      const triangle = order[i]!;
      if (component && component[triangle] !== own) continue;
      const va = triangles[3 * triangle]!;
      const vb = triangles[3 * triangle + 1]!;
      const vc = triangles[3 * triangle + 2]!;
      if (va === ignoreVertex || vb === ignoreVertex || vc === ignoreVertex) continue;
      const paz = positions[3 * va + kz]! - okz;
      const pbz = positions[3 * vb + kz]! - okz;
      const pcz = positions[3 * vc + kz]! - okz;
      const pax = positions[3 * va + kx]! - okx - sx * paz;
      const pay = positions[3 * va + ky]! - oky - sy * paz;
      const pbx = positions[3 * vb + kx]! - okx - sx * pbz;
      const pby = positions[3 * vb + ky]! - oky - sy * pbz;
      const pcx = positions[3 * vc + kx]! - okx - sx * pcz;
      const pcy = positions[3 * vc + ky]! - oky - sy * pcz;
      const u = pcx * pby - pcy * pbx;
      const v = pax * pcy - pay * pcx;
      const w = pbx * pay - pby * pax;
      if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
      const det = u + v + w;
      if (det === 0 || (side > 0 && det > 0) || (side < 0 && det < 0)) continue;
      const t = (sz * (u * paz + v * pbz + w * pcz)) / det;
      if (t >= 0 && t <= hit.t && (t < hit.t || hit.triangle < 0)) {
        hit.t = t;
        hit.triangle = triangle;
        hit.side = det > 0 ? -1 : 1;
      }
    }
  }
  return hit.triangle >= 0;
}

/** Where the ray enters a box, at least 0; −1 if it misses it or enters beyond tMax. */
function enterBox(
  bounds: Float64Array,
  at: number,
  ox: number,
  oy: number,
  oz: number,
  ix: number,
  iy: number,
  iz: number,
  tMax: number,
): number {
  let near = 0;
  let far = tMax;
  // The face that is met first is known by the sign. A ray that runs inside a face has 0·∞ = NaN there: both comparisons then leave it out.
  const x = ix < 0 ? 3 : 0;
  const y = iy < 0 ? 4 : 1;
  const z = iz < 0 ? 5 : 2;
  let low = (bounds[at + x]! - ox) * ix;
  let high = (bounds[at + 3 - x]! - ox) * ix;
  if (low > near) near = low;
  if (high < far) far = high;
  low = (bounds[at + y]! - oy) * iy;
  high = (bounds[at + 5 - y]! - oy) * iy;
  if (low > near) near = low;
  if (high < far) far = high;
  low = (bounds[at + z]! - oz) * iz;
  high = (bounds[at + 7 - z]! - oz) * iz;
  if (low > near) near = low;
  if (high < far) far = high;
  // Rounding of the two quotients must not lose a flat box.
  return near <= far * (1 + 4e-16) ? near : -1;
}
