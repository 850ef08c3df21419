/**
 * Length of the segment in which two triangles pass through each other, 0 when they do not (F6 as a number).
 *
 * It starts from 0 in the moment two triangles begin to cross, whichever way they do, so what depends on it does not pop.
 * Based on: Möller, A Fast Triangle-Triangle Intersection Test, 1997. Triangles in one plane count as apart.
 */
export function measureCrossing(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): number {
  measurePlane(planeA, p, a0, a1, a2);
  measurePlane(planeB, p, b0, b1, b2);
  const ux = planeA[1]! * planeB[2]! - planeA[2]! * planeB[1]!;
  const uy = planeA[2]! * planeB[0]! - planeA[0]! * planeB[2]!;
  const uz = planeA[0]! * planeB[1]! - planeA[1]! * planeB[0]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  if (!(length > 0)) return 0;
  if (!measureInterval(intervalA, p, a0, a1, a2, planeB, ux / length, uy / length, uz / length)) return 0;
  if (!measureInterval(intervalB, p, b0, b1, b2, planeA, ux / length, uy / length, uz / length)) return 0;
  return Math.max(0, Math.min(intervalA[1]!, intervalB[1]!) - Math.max(intervalA[0]!, intervalB[0]!));
}
const planeA = new Float64Array(4);
const planeB = new Float64Array(4);
const intervalA = new Float64Array(2);
const intervalB = new Float64Array(2);

function measurePlane(out: Float64Array, p: Float64Array, a: number, b: number, c: number): void {
  const x = p[3 * a]!;
  const y = p[3 * a + 1]!;
  const z = p[3 * a + 2]!;
  const ux = p[3 * b]! - x;
  const uy = p[3 * b + 1]! - y;
  const uz = p[3 * b + 2]! - z;
  const vx = p[3 * c]! - x;
  const vy = p[3 * c + 1]! - y;
  const vz = p[3 * c + 2]! - z;
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  out[3] = out[0] * x + out[1] * y + out[2] * z;
}

/** Where the triangle meets the plane, as an interval along u; false when it stays on one side. */
function measureInterval(
  out: Float64Array,
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  plane: Float64Array,
  ux: number,
  uy: number,
  uz: number,
): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let side = 0; side < 3; side++) {
    const v = 3 * (side === 0 ? a : side === 1 ? b : c);
    const w = 3 * (side === 0 ? b : side === 1 ? c : a);
    const dv = plane[0]! * p[v]! + plane[1]! * p[v + 1]! + plane[2]! * p[v + 2]! - plane[3]!;
    const dw = plane[0]! * p[w]! + plane[1]! * p[w + 1]! + plane[2]! * p[w + 2]! - plane[3]!;
    if (dv < 0 === dw < 0) continue;
    const t = dv / (dv - dw);
    const along =
      ux * (p[v]! + t * (p[w]! - p[v]!)) +
      uy * (p[v + 1]! + t * (p[w + 1]! - p[v + 1]!)) +
      uz * (p[v + 2]! + t * (p[w + 2]! - p[v + 2]!));
    if (along < low) low = along;
    if (along > high) high = along;
  }
  out[0] = low;
  out[1] = high;
  return high > low;
}
