/**
 * I1. Scaled distance to a simplex whose thickness e varies linearly: s(P) = min_q |P − q| / e(q).
 *
 * {s ≤ 1} is the union of the balls B(q, e(q)): a tapered capsule, or the slab of a triangle with three thicknesses. The ratio
 * is quasi-convex in q, so the unconstrained minimum, clamped, is the minimum. With h the distance of P to the line (plane), E
 * the thickness extended to its foot point, the minimum lies at foot + ∇e·h²/E. By the envelope theorem ∇s = (P − q)/(s e²):
 * no derivative of q is needed, and the field is C¹ where q slides from the side of a segment onto its end.
 *
 * Simplices are flat records of SIMPLEX_STRIDE numbers:
 *   0–2 corner A, 3 e_A, 4–6 edge B−A, 7 e_B−e_A, 8 1/|B−A|² (0 for a point), 9 smallest thickness,
 *   and for triangles 10–12 edge C−A, 13 e_C−e_A, 14–16 inverse Gram matrix (g11, g12, g22), 17–18 ∇e in edge coordinates,
 *   19 1/|C−A|², 20 1/|C−B|².
 */
export const SIMPLEX_STRIDE = 21;

/** Writes the record of one simplex with 1, 2 or 3 corners (x, y, z, e). */
export function writeSimplex(out: Float64Array, at: number, corners: readonly ArrayLike<number>[]): void {
  const a = corners[0]!;
  const b = corners[1] ?? a;
  for (let i = 0; i < 4; i++) {
    out[at + i] = a[i]!;
    out[at + 4 + i] = b[i]! - a[i]!;
  }
  const l1 = out[at + 4]! ** 2 + out[at + 5]! ** 2 + out[at + 6]! ** 2;
  out[at + 8] = l1 > 0 ? 1 / l1 : 0;
  out[at + 9] = Math.min(...corners.map((c) => c[3]!));
  const c = corners[2];
  if (!c) return;
  let dot = 0;
  for (let i = 0; i < 4; i++) out[at + 10 + i] = c[i]! - a[i]!;
  for (let i = 0; i < 3; i++) dot += out[at + 4 + i]! * out[at + 10 + i]!;
  const l2 = out[at + 10]! ** 2 + out[at + 11]! ** 2 + out[at + 12]! ** 2;
  const det = l1 * l2 - dot * dot;
  out[at + 14] = l2 / det;
  out[at + 15] = -dot / det;
  out[at + 16] = l1 / det;
  out[at + 17] = out[at + 14]! * out[at + 7]! + out[at + 15]! * out[at + 13]!;
  out[at + 18] = out[at + 15]! * out[at + 7]! + out[at + 16]! * out[at + 13]!;
  out[at + 19] = l2 > 0 ? 1 / l2 : 0;
  const l3 = l1 + l2 - 2 * dot;
  out[at + 20] = l3 > 0 ? 1 / l3 : 0;
}

/** Closest point of the last measurement: q (0–2) and e(q) (3). */
export type Closest = Float64Array;

/** s² of the point to a segment (or point) record; `closest` receives q and e(q). */
export function measureSegment(closest: Closest, r: Float64Array, at: number, x: number, y: number, z: number): number {
  const px = x - r[at]!;
  const py = y - r[at + 1]!;
  const pz = z - r[at + 2]!;
  const t = clampedFoot(
    px * r[at + 4]! + py * r[at + 5]! + pz * r[at + 6]!,
    px * px + py * py + pz * pz,
    r[at + 8]!,
    r[at + 3]!,
    r[at + 7]!,
  );
  const ux = px - t * r[at + 4]!;
  const uy = py - t * r[at + 5]!;
  const uz = pz - t * r[at + 6]!;
  const e = r[at + 3]! + t * r[at + 7]!;
  closest[0] = x - ux;
  closest[1] = y - uy;
  closest[2] = z - uz;
  closest[3] = e;
  return (ux * ux + uy * uy + uz * uz) / (e * e);
}

/** Parameter in [0, 1] of the minimum along one edge, from dot = ⟨P−A, B−A⟩ and |P−A|². */
function clampedFoot(dot: number, squared: number, inverseLength2: number, e: number, slope: number): number {
  const foot = dot * inverseLength2;
  const thickness = e + slope * foot;
  // Beyond the apex of the cone the larger end is the closest in thicknesses.
  if (thickness <= 0) return slope > 0 ? 1 : 0;
  const t = foot + (slope * inverseLength2 * Math.max(0, squared - dot * foot)) / thickness;
  return Math.min(1, Math.max(0, t));
}

/** s² of the point to a triangle record; `closest` receives q and e(q). */
export function measureTriangle(
  closest: Closest,
  r: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
): number {
  const px = x - r[at]!;
  const py = y - r[at + 1]!;
  const pz = z - r[at + 2]!;
  const d1 = px * r[at + 4]! + py * r[at + 5]! + pz * r[at + 6]!;
  const d2 = px * r[at + 10]! + py * r[at + 11]! + pz * r[at + 12]!;
  const squared = px * px + py * py + pz * pz;
  const f1 = r[at + 14]! * d1 + r[at + 15]! * d2;
  const f2 = r[at + 15]! * d1 + r[at + 16]! * d2;
  const thickness = r[at + 3]! + f1 * r[at + 7]! + f2 * r[at + 13]!;
  if (thickness > 0) {
    const lift = Math.max(0, squared - f1 * d1 - f2 * d2) / thickness;
    const t1 = f1 + r[at + 17]! * lift;
    const t2 = f2 + r[at + 18]! * lift;
    if (t1 >= 0 && t2 >= 0 && t1 + t2 <= 1) return place(closest, r, at, px, py, pz, t1, t2);
  }
  // Outside: the minimum lies on one of the three edges AB, AC, BC.
  const ab = clampedFoot(d1, squared, r[at + 8]!, r[at + 3]!, r[at + 7]!);
  const ac = clampedFoot(d2, squared, r[at + 19]!, r[at + 3]!, r[at + 13]!);
  const bx = px - r[at + 4]!;
  const by = py - r[at + 5]!;
  const bz = pz - r[at + 6]!;
  const along = bx * (r[at + 10]! - r[at + 4]!) + by * (r[at + 11]! - r[at + 5]!) + bz * (r[at + 12]! - r[at + 6]!);
  const slope = r[at + 13]! - r[at + 7]!;
  const bc = clampedFoot(along, bx * bx + by * by + bz * bz, r[at + 20]!, r[at + 3]! + r[at + 7]!, slope);
  const sab = place(closest, r, at, px, py, pz, ab, 0);
  const sac = place(closest, r, at, px, py, pz, 0, ac);
  const sbc = place(closest, r, at, px, py, pz, 1 - bc, bc);
  if (sbc <= sab && sbc <= sac) return sbc;
  return sab <= sac ? place(closest, r, at, px, py, pz, ab, 0) : place(closest, r, at, px, py, pz, 0, ac);
}

function place(
  closest: Closest,
  r: Float64Array,
  at: number,
  px: number,
  py: number,
  pz: number,
  t1: number,
  t2: number,
): number {
  const qx = t1 * r[at + 4]! + t2 * r[at + 10]!;
  const qy = t1 * r[at + 5]! + t2 * r[at + 11]!;
  const qz = t1 * r[at + 6]! + t2 * r[at + 12]!;
  const e = r[at + 3]! + t1 * r[at + 7]! + t2 * r[at + 13]!;
  closest[0] = r[at]! + qx;
  closest[1] = r[at + 1]! + qy;
  closest[2] = r[at + 2]! + qz;
  closest[3] = e;
  return ((px - qx) ** 2 + (py - qy) ** 2 + (pz - qz) ** 2) / (e * e);
}
