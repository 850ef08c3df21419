/**
 * B1, B2. Enclosed volume of a closed triangulated surface and its gradient.
 *
 *   V = 1/6 Σ_T x_i · (x_j × x_l)          ∂V/∂x_k = 1/6 Σ_{T∋k} N_T = one third of the vertex's area vector
 *
 * x  extended positions, #(V + apexes)×3;  N_T  cross product of two edges of triangle T (outward).
 * Evaluated about the first vertex of each component, summed in f64 with compensation. O(#T).
 */
import { sumAreaVectors } from '../kernels/reference-kernels.js';
import { applyApexes, type ClosedSurface } from './plan-closed-surface.js';

/** Volume of every component into `out`; returns their sum. `extended` has room for the apexes, which are set here. */
export function measureVolumes(out: Float64Array, closed: ClosedSurface, extended: Float64Array): number {
  applyApexes(extended, closed.vertexCount, closed.members);
  const { triangles, triangleComponent, triangleCount } = closed;
  out.fill(0);
  const components = out.length;
  if (origins.length < 3 * components) origins = new Float64Array(3 * components);
  if (rests.length < components) rests = new Float64Array(components);
  origins.fill(Number.NaN, 0, 3 * components);
  rests.fill(0, 0, components);
  for (let t = 0; t < triangleCount; t++) {
    const c = triangleComponent[t]!;
    const i = 3 * triangles[3 * t]!;
    if (Number.isNaN(origins[3 * c]!)) for (let r = 0; r < 3; r++) origins[3 * c + r] = extended[i + r]!;
    const term = signedSix(extended, i, 3 * triangles[3 * t + 1]!, 3 * triangles[3 * t + 2]!, 3 * c);
    // Kahan: the rounding of each addition is carried into the next.
    const corrected = term - rests[c]!;
    const sum = out[c]! + corrected;
    rests[c] = sum - out[c]! - corrected;
    out[c] = sum;
  }
  let total = 0;
  for (let c = 0; c < components; c++) total += out[c]! /= 6;
  return total;
}
let origins = new Float64Array(0);
let rests = new Float64Array(0);

/** Total volume only. */
export function measureVolume(closed: ClosedSurface, extended: Float64Array): number {
  const parts = new Float64Array(closed.surface.components.length);
  return measureVolumes(parts, closed, extended);
}

/** ∂V/∂x of the total volume, #V×3 into the front of `out` (which has room for the apexes as well). */
export function measureVolumeGradient(out: Float64Array, closed: ClosedSurface, extended: Float64Array): void {
  const { vertexCount, apexCount, members } = closed;
  applyApexes(extended, vertexCount, members);
  sumAreaVectors(out, extended, closed.triangles, closed.triangleCount, vertexCount + apexCount);
  for (let a = 0; a < apexCount; a++) {
    const from = members.offsets[a]!;
    const to = members.offsets[a + 1]!;
    for (let i = from; i < to; i++) {
      for (let r = 0; r < 3; r++) out[3 * members.values[i]! + r]! += out[3 * (vertexCount + a) + r]! / (to - from);
    }
  }
}

/** (x_i − o) · ((x_j − o) × (x_l − o)), six times the volume of the tetrahedron with apex o. */
function signedSix(x: Float64Array, i: number, j: number, l: number, o: number): number {
  const ax = x[i]! - origins[o]!;
  const ay = x[i + 1]! - origins[o + 1]!;
  const az = x[i + 2]! - origins[o + 2]!;
  const bx = x[j]! - origins[o]!;
  const by = x[j + 1]! - origins[o + 1]!;
  const bz = x[j + 2]! - origins[o + 2]!;
  const cx = x[l]! - origins[o]!;
  const cy = x[l + 1]! - origins[o + 1]!;
  const cz = x[l + 2]! - origins[o + 2]!;
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
