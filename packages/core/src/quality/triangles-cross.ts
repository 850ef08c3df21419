/**
 * Whether two triangles pass through each other (F6): an exact-sign test, no division, no constructed point.
 *
 * Crossing means: each triangle has corners strictly on both sides of the other's plane and the two segments in which
 * they cut the common line share more than a point; or both lie in one plane and their interiors overlap. Touching, in a
 * point, along an edge or face to face without overlap, is not crossing. A triangle without area crosses nothing.
 *
 * orient(a,b,c,d) = (a−d)·((b−d)×(c−d)), > 0 where d lies behind the side from which a, b, c turn to the left. Its sign is 0
 * when |orient| ≤ ε·(sum of the absolute products), ε = 1e−14: 20 times the rounding error of the expression, so a
 * sign that is given is right.
 * Based on: Guigue, Devillers, Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates, 2003.
 */
const SIGN_EPSILON = 1e-14;
/** Twice the area over the longest edge squared below which a triangle has no plane worth the name. */
const AREA_EPSILON = 1e-12;

/** p = positions (#V×3); a0 … a2 and b0 … b2 are the vertices of the two triangles. */
export function trianglesCross(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  const sa0 = orientSign(p, b0, b1, b2, a0);
  const sa1 = orientSign(p, b0, b1, b2, a1);
  const sa2 = orientSign(p, b0, b1, b2, a2);
  const flat = sa0 === 0 && sa1 === 0 && sa2 === 0;
  if (!flat && !straddles(sa0, sa1, sa2)) return false;
  const sb0 = orientSign(p, a0, a1, a2, b0);
  const sb1 = orientSign(p, a0, a1, a2, b1);
  const sb2 = orientSign(p, a0, a1, a2, b2);
  const flatB = sb0 === 0 && sb1 === 0 && sb2 === 0;
  if (!flatB && !straddles(sb0, sb1, sb2)) return false;
  if (!hasArea(p, a0, a1, a2) || !hasArea(p, b0, b1, b2)) return false;
  if (flat && flatB) return overlapInPlane(p, a0, a1, a2, b0, b1, b2);
  if (flat || flatB) return false;

  // Turn each triangle so that its first corner is alone on its side, then swap the other's last two corners if that
  // side is the negative one: now both first corners are on the positive side of the other triangle.
  const ka = loneCorner(sa0, sa1, sa2);
  const kb = loneCorner(sb0, sb1, sb2);
  const pa = ka === 0 ? a0 : ka === 1 ? a1 : a2;
  let qa = ka === 0 ? a1 : ka === 1 ? a2 : a0;
  let ra = ka === 0 ? a2 : ka === 1 ? a0 : a1;
  const pb = kb === 0 ? b0 : kb === 1 ? b1 : b2;
  let qb = kb === 0 ? b1 : kb === 1 ? b2 : b0;
  let rb = kb === 0 ? b2 : kb === 1 ? b0 : b1;
  if ((ka === 0 ? sa0 : ka === 1 ? sa1 : sa2) < 0) {
    const swap = qb;
    qb = rb;
    rb = swap;
  }
  if ((kb === 0 ? sb0 : kb === 1 ? sb1 : sb2) < 0) {
    const swap = qa;
    qa = ra;
    ra = swap;
  }
  return orientSign(p, pa, qa, pb, qb) < 0 && orientSign(p, pa, ra, rb, pb) < 0;
}

function straddles(s0: number, s1: number, s2: number): boolean {
  return (s0 > 0 || s1 > 0 || s2 > 0) && (s0 < 0 || s1 < 0 || s2 < 0);
}

/** The only positive corner, or else the only negative one. */
function loneCorner(s0: number, s1: number, s2: number): number {
  const positive = (s0 > 0 ? 1 : 0) + (s1 > 0 ? 1 : 0) + (s2 > 0 ? 1 : 0);
  const lone = positive === 1 ? 1 : -1;
  return s0 === lone ? 0 : s1 === lone ? 1 : 2;
}

/** Sign of orient(a,b,c,d), 0 when it is within rounding. */
function orientSign(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const dx = p[3 * d]!;
  const dy = p[3 * d + 1]!;
  const dz = p[3 * d + 2]!;
  const ax = p[3 * a]! - dx;
  const ay = p[3 * a + 1]! - dy;
  const az = p[3 * a + 2]! - dz;
  const bx = p[3 * b]! - dx;
  const by = p[3 * b + 1]! - dy;
  const bz = p[3 * b + 2]! - dz;
  const cx = p[3 * c]! - dx;
  const cy = p[3 * c + 1]! - dy;
  const cz = p[3 * c + 2]! - dz;
  const bycz = by * cz;
  const bzcy = bz * cy;
  const bzcx = bz * cx;
  const bxcz = bx * cz;
  const bxcy = bx * cy;
  const bycx = by * cx;
  const value = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx);
  const size =
    Math.abs(ax) * (Math.abs(bycz) + Math.abs(bzcy)) +
    Math.abs(ay) * (Math.abs(bzcx) + Math.abs(bxcz)) +
    Math.abs(az) * (Math.abs(bxcy) + Math.abs(bycx));
  const bound = SIGN_EPSILON * size;
  return value > bound ? 1 : value < -bound ? -1 : 0;
}

function hasArea(p: Float64Array, a: number, b: number, c: number): boolean {
  const ux = p[3 * b]! - p[3 * a]!;
  const uy = p[3 * b + 1]! - p[3 * a + 1]!;
  const uz = p[3 * b + 2]! - p[3 * a + 2]!;
  const vx = p[3 * c]! - p[3 * a]!;
  const vy = p[3 * c + 1]! - p[3 * a + 1]!;
  const vz = p[3 * c + 2]! - p[3 * a + 2]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const wx = vx - ux;
  const wy = vy - uy;
  const wz = vz - uz;
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz);
  return nx * nx + ny * ny + nz * nz > AREA_EPSILON * AREA_EPSILON * longest * longest;
}

/** Two triangles of one plane, seen along its largest normal component: no edge line of either keeps them apart. */
function overlapInPlane(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  const ux = p[3 * a1]! - p[3 * a0]!;
  const uy = p[3 * a1 + 1]! - p[3 * a0 + 1]!;
  const uz = p[3 * a1 + 2]! - p[3 * a0 + 2]!;
  const vx = p[3 * a2]! - p[3 * a0]!;
  const vy = p[3 * a2 + 1]! - p[3 * a0 + 1]!;
  const vz = p[3 * a2 + 2]! - p[3 * a0 + 2]!;
  const nx = Math.abs(uy * vz - uz * vy);
  const ny = Math.abs(uz * vx - ux * vz);
  const nz = Math.abs(ux * vy - uy * vx);
  const i = nx >= ny && nx >= nz ? 1 : 0;
  const j = nz >= nx && nz >= ny ? 1 : 2;
  return !(
    separates(p, i, j, a0, a1, a2, b0, b1, b2) ||
    separates(p, i, j, a1, a2, a0, b0, b1, b2) ||
    separates(p, i, j, a2, a0, a1, b0, b1, b2) ||
    separates(p, i, j, b0, b1, b2, a0, a1, a2) ||
    separates(p, i, j, b1, b2, b0, a0, a1, a2) ||
    separates(p, i, j, b2, b0, b1, a0, a1, a2)
  );
}

/** Whether none of c0 … c2 is on the same side of the line a b as `inner`, the triangle's own third corner. */
function separates(
  p: Float64Array,
  i: number,
  j: number,
  a: number,
  b: number,
  inner: number,
  c0: number,
  c1: number,
  c2: number,
): boolean {
  const side = turn(p, i, j, a, b, inner);
  return turn(p, i, j, a, b, c0) !== side && turn(p, i, j, a, b, c1) !== side && turn(p, i, j, a, b, c2) !== side;
}

function turn(p: Float64Array, i: number, j: number, a: number, b: number, c: number): number {
  const left = (p[3 * a + i]! - p[3 * c + i]!) * (p[3 * b + j]! - p[3 * c + j]!);
  const right = (p[3 * a + j]! - p[3 * c + j]!) * (p[3 * b + i]! - p[3 * c + i]!);
  const bound = SIGN_EPSILON * (Math.abs(left) + Math.abs(right));
  return left - right > bound ? 1 : left - right < -bound ? -1 : 0;
}
