import type { Bvh } from '../contact/bvh.js';

/**
 * Distance from a point to the nearest triangle of a BVH; the triangle is left in `nearest.triangle`.
 *
 * Boxes further away than the best triangle so far are passed over, the nearer child first. Complexity O(log #T) on ordinary
 * meshes, no allocation.
 */
export interface NearestPoint {
  /** The triangle, or −1 when none is nearer than the limit. */
  triangle: number;
  distance: number;
  /** Its nearest point. */
  x: number;
  y: number;
  z: number;
  /** Shares of the triangle's corners in that point. */
  readonly shares: Float64Array;
}

export function createNearestPoint(): NearestPoint {
  return { triangle: -1, distance: Number.POSITIVE_INFINITY, x: 0, y: 0, z: 0, shares: new Float64Array(3) };
}

/** Writes the nearest triangle within `limit` of (px, py, pz), of those that `accepts` takes (with the shares of its corners in its nearest point), to `out`. */
export function measureNearestPoint(
  out: NearestPoint,
  bvh: Bvh,
  positions: Float64Array,
  px: number,
  py: number,
  pz: number,
  limit = Number.POSITIVE_INFINITY,
  accepts?: (triangle: number, shares: Float64Array) => boolean,
): void {
  const { bounds, first, size, order, triangles, stack, entries } = bvh;
  out.triangle = -1;
  let best = limit * limit;
  let top = 0;
  entries[0] = 0;
  if (bvh.triangleCount > 0) stack[top++] = 0;
  while (top > 0) {
    const node = stack[--top]!;
    if (entries[top]! >= best) continue;
    if (size[node] === 0) {
      const child = first[node]!;
      const a = boxDistance(bounds, 6 * child, px, py, pz);
      const b = boxDistance(bounds, 6 * child + 6, px, py, pz);
      const near = a <= b ? 0 : 1;
      entries[top] = near === 0 ? b : a;
      stack[top++] = child + 1 - near;
      entries[top] = near === 0 ? a : b;
      stack[top++] = child + near;
      continue;
    }
    for (let i = first[node]!; i < first[node]! + size[node]!; i++) {
      const t = order[i]!;
      const square = triangleDistance(positions, triangles, 3 * t, px, py, pz);
      if (square >= best || accepts?.(t, shares) === false) continue;
      best = square;
      out.triangle = t;
      out.x = found[0]!;
      out.y = found[1]!;
      out.z = found[2]!;
      out.shares.set(shares);
    }
  }
  out.distance = Math.sqrt(best);
}
const found = new Float64Array(3);
const shares = new Float64Array(3);

function boxDistance(bounds: Float64Array, o: number, x: number, y: number, z: number): number {
  const dx = Math.max(bounds[o]! - x, 0, x - bounds[o + 3]!);
  const dy = Math.max(bounds[o + 1]! - y, 0, y - bounds[o + 4]!);
  const dz = Math.max(bounds[o + 2]! - z, 0, z - bounds[o + 5]!);
  return dx * dx + dy * dy + dz * dz;
}

/** Squared distance to a triangle, its nearest point into `found`, the corners' shares in it into `shares`. Based on: Ericson, Real-Time Collision Detection, 5.1.5. */
function triangleDistance(p: Float64Array, triangles: Uint32Array, t: number, x: number, y: number, z: number): number {
  const a = 3 * triangles[t]!;
  const b = 3 * triangles[t + 1]!;
  const c = 3 * triangles[t + 2]!;
  const ux = p[b]! - p[a]!;
  const uy = p[b + 1]! - p[a + 1]!;
  const uz = p[b + 2]! - p[a + 2]!;
  const vx = p[c]! - p[a]!;
  const vy = p[c + 1]! - p[a + 1]!;
  const vz = p[c + 2]! - p[a + 2]!;
  const wx = x - p[a]!;
  const wy = y - p[a + 1]!;
  const wz = z - p[a + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const d1 = ux * wx + uy * wy + uz * wz;
  const d2 = vx * wx + vy * wy + vz * wz;
  const d3 = d1 - uu;
  const d4 = d2 - uv;
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  const va = d3 * d6 - d5 * d4;
  const vb = d5 * d2 - d1 * d6;
  const vc = d1 * d4 - d3 * d2;
  let s = 0;
  let r = 0;
  if (d1 <= 0 && d2 <= 0) s = r = 0;
  else if (d3 >= 0 && d4 <= d3) s = 1;
  else if (d6 >= 0 && d5 <= d6) r = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) r = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    r = (d4 - d3) / (d4 - d3 + d5 - d6);
    s = 1 - r;
  } else {
    const sum = va + vb + vc;
    if (sum > 0) {
      s = vb / sum;
      r = vc / sum;
    }
  }
  const dx = s * ux + r * vx;
  const dy = s * uy + r * vy;
  const dz = s * uz + r * vz;
  found[0] = p[a]! + dx;
  found[1] = p[a + 1]! + dy;
  found[2] = p[a + 2]! + dz;
  shares[0] = 1 - s - r;
  shares[1] = s;
  shares[2] = r;
  return (wx - dx) ** 2 + (wy - dy) ** 2 + (wz - dz) ** 2;
}
