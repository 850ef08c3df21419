import type { TriangleMesh } from '@isoskin/demos';
import { addNormals } from '../flat-arrays.js';
import type { PieceSurface } from './piece-surface.js';

/** What is left of a ripple of the length L, and the length that passes, in L. */
const LEFT = 0.1;
const PASSES = 3;
/** λ of the shrinking step. */
const SHRINK = 0.5;

/**
 * Takes the ripples of single particles out of a mesh that lies on their surface, and gives the volume back.
 *
 *   x ← x + λ(x̄ − x),  x ← x + μ(x̄ − x),   x̄ the mean of the neighbours,   1/λ + 1/μ = κ(3L)          (Taubin)
 *   x ← x + n (V⁰ − V)/A                                                    on the free surface, area A
 *
 * κ(l) = (πh/l)² is what a step takes of a ripple of length l on triangles of edge h: ripples longer than 3L stay, those of length L fall to
 * a tenth, whatever the triangles. What touches something stays where it is, and nothing goes into an obstacle.
 */
export function smoothMesh({ positions: x, triangles }: TriangleMesh, length: number, surface: PieceSurface): void {
  const start = measureVolume(x, measureNormals(x, triangles));
  const isHeld = Array.from({ length: x.length / 3 }, (_, v) =>
    surface.isHeld(x[3 * v]!, x[3 * v + 1]!, x[3 * v + 2]!),
  );
  const free = new Uint8Array(isHeld.length);
  for (let t = 0; t < triangles.length; t += 3) {
    // What touches with all its triangles stays; its rim is free, or single vertices would stand out.
    const corners = triangles.subarray(t, t + 3);
    if (!corners.every((v) => isHeld[v])) for (const v of corners) free[v] = 1;
  }
  const kappa = (l: number) => ((Math.PI * measureEdge(x, triangles)) / l) ** 2;
  const [short, long] = [Math.min(1, kappa(length)), Math.min(0.5, kappa(PASSES * length))];
  const grow = 1 / (long - 1 / SHRINK);
  const rounds = Math.ceil(Math.log(LEFT) / Math.log((1 - SHRINK * short) * (1 - grow * short)));
  for (let round = 0; round < rounds; round++) for (const step of [SHRINK, grow]) moveToMean(x, triangles, free, step);
  surface.release(x);
  for (let n = 0; n < 3; n++) restoreVolume(x, triangles, free, start);
}

/** Root mean square. */
function measureEdge(x: Float64Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let h = 0; h < triangles.length; h++) {
    const [a, b] = [3 * triangles[h]!, 3 * triangles[h % 3 === 2 ? h - 2 : h + 1]!];
    for (let axis = 0; axis < 3; axis++) sum += (x[b + axis]! - x[a + axis]!) ** 2;
  }
  return Math.sqrt(sum / triangles.length);
}

function moveToMean(x: Float64Array, triangles: Uint32Array, free: Uint8Array, step: number): void {
  const sums = new Float64Array(x.length);
  const valences = new Uint16Array(free.length);
  // In a closed mesh each neighbour of a vertex follows it in exactly one triangle.
  for (let h = 0; h < triangles.length; h++) {
    const [a, b] = [triangles[h]!, triangles[h % 3 === 2 ? h - 2 : h + 1]!];
    valences[a]!++;
    for (let axis = 0; axis < 3; axis++) sums[3 * a + axis]! += x[3 * b + axis]!;
  }
  for (let i = 0; i < x.length; i++) {
    const v = Math.floor(i / 3);
    if (free[v]) x[i]! += step * (sums[i]! / valences[v]! - x[i]!);
  }
}

/** g = ∂V/∂x of every vertex: along its normal, as long as its share of the area. */
function measureNormals(x: Float64Array, triangles: Uint32Array): Float64Array {
  const normals = new Float64Array(x.length);
  addNormals(normals, x, triangles);
  return normals.map((g) => g / 6);
}

/** V = Σ x·g/3: it grows with the cube of the size. */
function measureVolume(x: Float64Array, normals: Float64Array): number {
  return x.reduce((sum, xi, i) => sum + (xi * normals[i]!) / 3, 0);
}

/** All free vertices along their normals, as far as the volume says. */
function restoreVolume(x: Float64Array, triangles: Uint32Array, free: Uint8Array, wanted: number): void {
  const normals = measureNormals(x, triangles);
  const sizes = new Float64Array(free.length);
  let area = 0;
  for (let v = 0; v < free.length; v++) {
    sizes[v] = Math.hypot(normals[3 * v]!, normals[3 * v + 1]!, normals[3 * v + 2]!);
    if (free[v]) area += sizes[v]!;
  }
  const move = area > 0 ? (wanted - measureVolume(x, normals)) / area : 0;
  for (let i = 0; i < x.length; i++) {
    const size = sizes[Math.floor(i / 3)]!;
    if (free[Math.floor(i / 3)] && size > 0) x[i]! += (move * normals[i]!) / size;
  }
}
