import { measureLength } from './measure-length.js';

/** u × v. */
export function cross(u: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] {
  return [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
}

/** (b − a) × (c − a) into `out` from `at` on, twice the area vector of a triangle; a, b, c: places of its corners in `x`. */
export function crossEdges(out: Float64Array, at: number, x: Float64Array, a: number, b: number, c: number): void {
  const ux = x[b]! - x[a]!;
  const uy = x[b + 1]! - x[a + 1]!;
  const uz = x[b + 2]! - x[a + 2]!;
  const vx = x[c]! - x[a]!;
  const vy = x[c + 1]! - x[a + 1]!;
  const vz = x[c + 2]! - x[a + 2]!;
  out[at] = uy * vz - uz * vy;
  out[at + 1] = uz * vx - ux * vz;
  out[at + 2] = ux * vy - uy * vx;
}

const vector = new Float64Array(3);

export function measureTriangleArea(x: Float64Array, a: number, b: number, c: number): number {
  crossEdges(vector, 0, x, a, b, c);
  return 0.5 * Math.sqrt(vector[0]! ** 2 + vector[1]! ** 2 + vector[2]! ** 2);
}

/** ⟨a, b × c⟩, six times the volume between the origin and a triangle. */
export function tripleProduct(x: Float64Array, a: number, b: number, c: number): number {
  return (
    x[a]! * (x[b + 1]! * x[c + 2]! - x[b + 2]! * x[c + 1]!) +
    x[a + 1]! * (x[b + 2]! * x[c]! - x[b]! * x[c + 2]!) +
    x[a + 2]! * (x[b]! * x[c + 1]! - x[b + 1]! * x[c]!)
  );
}

/** Two unit vectors across a unit vector, into out[0…2] and out[3…5]. */
export function measureTangents(out: Float64Array, normal: ArrayLike<number>): void {
  const x = normal[0]!;
  const y = normal[1]!;
  const z = normal[2]!;
  const ax = Math.abs(x) < 0.9 ? 1 : 0;
  const ay = 1 - ax;
  // normal × axis
  const ux = -z * ay;
  const uy = z * ax;
  const uz = x * ay - y * ax;
  const scale = 1 / (measureLength(ux, uy, uz) || 1);
  out[0] = ux * scale;
  out[1] = uy * scale;
  out[2] = uz * scale;
  out[3] = y * out[2]! - z * out[1]!;
  out[4] = z * out[0]! - x * out[2]!;
  out[5] = x * out[1]! - y * out[0]!;
}
