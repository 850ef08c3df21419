/** Points, segments and triangles: corners #×9 (a point uses three numbers, a segment six) and how many each has. */
export interface Simplices {
  readonly corners: Float64Array;
  readonly shape: Uint8Array;
}

/**
 * Closest point of simplex i to (x, y, z). Writes it to out[0…2] and its barycentric weights of the second and third corner to
 * out[3], out[4]; returns the squared distance.
 */
export function measureClosest(out: Float64Array, of: Simplices, i: number, x: number, y: number, z: number): number {
  const { corners } = of;
  const size = of.shape[i]!;
  const at = 9 * i;
  out[3] = 0;
  out[4] = 0;
  const ax = corners[at]!;
  const ay = corners[at + 1]!;
  const az = corners[at + 2]!;
  if (size === 1) return place(out, ax, ay, az, x, y, z);
  const ux = corners[at + 3]! - ax;
  const uy = corners[at + 4]! - ay;
  const uz = corners[at + 5]! - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  const uu = ux * ux + uy * uy + uz * uz;
  const pu = px * ux + py * uy + pz * uz;
  if (size === 2) {
    const t = share(pu, uu);
    out[3] = t;
    return place(out, ax + t * ux, ay + t * uy, az + t * uz, x, y, z);
  }
  const vx = corners[at + 6]! - ax;
  const vy = corners[at + 7]! - ay;
  const vz = corners[at + 8]! - az;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const pv = px * vx + py * vy + pz * vz;
  const det = uu * vv - uv * uv;
  let s = det > 0 ? (vv * pu - uv * pv) / det : -1;
  let t = det > 0 ? (uu * pv - uv * pu) / det : -1;
  if (s < 0 || t < 0 || s + t > 1) {
    // Outside: the closest of the three edges. |P − sU − tV|² up to the constant |P|².
    const s0 = share(pu, uu);
    const t0 = share(pv, vv);
    const r0 = share(pv - pu + uu - uv, uu + vv - 2 * uv);
    const ab = s0 * (s0 * uu - 2 * pu);
    const ac = t0 * (t0 * vv - 2 * pv);
    const q = 1 - r0;
    const bc = q * q * uu + r0 * r0 * vv + 2 * q * r0 * uv - 2 * (q * pu + r0 * pv);
    const onBC = bc <= ab && bc <= ac;
    s = onBC ? q : ab <= ac ? s0 : 0;
    t = onBC ? r0 : ab <= ac ? 0 : t0;
  }
  out[3] = s;
  out[4] = t;
  return place(out, ax + s * ux + t * vx, ay + s * uy + t * vy, az + s * uz + t * vz, x, y, z);
}

/** part/whole between 0 and 1. */
function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

function place(out: Float64Array, qx: number, qy: number, qz: number, x: number, y: number, z: number): number {
  out[0] = qx;
  out[1] = qy;
  out[2] = qz;
  return (x - qx) * (x - qx) + (y - qy) * (y - qy) + (z - qz) * (z - qz);
}
