/**
 * G3. Neighbours: a swing that travels through the skin. Flesh hangs on its bones by springs (G1) and on its neighbours by the skin,
 *
 *   A q″ + 2ζω A q′ + ω² (A + w² L) q = −A √s x″,    u = √s q
 *
 * taken apart into modes, each of which is a spring of its own on a target that is linear in the bone matrices:
 *
 *   w² L φ_m = κ_m A φ_m,   φᵀA φ = I,   q_m″ + 2ζω_m q_m′ + ω_m² q_m = −X_m″,   ω_m = ω √(1 + κ_m),   X_m = Σ_k A_k φ_mk √s_k x_k
 *   u_k = s_k e_k + √s_k Σ_m φ_mk (q_m − X_m(E))
 *
 * The modes behind the last one swing as that one does: e, the lag E of the bones on a spring of its frequency, less what of it the modes hold.
 * w → 0 is G1. A wave runs along the skin with the speed ω w; nothing crosses skin that is stiff.
 *
 * x  skinned place;  u  what a vertex moves by;  s  softness;  A  area of a vertex;  L  Laplacian of the edges, ½ each;  w  width;  ω, ζ  of the spring.
 *
 * Modes by iterating a block of vectors, v ← (w² L + εA)⁻¹ A v, and Rayleigh–Ritz: whatever they lack in convergence, the swing is that of the skin held to
 * what they span, so that its energy never grows. O(#V · modes²) once; a frame costs O(#V · modes).
 */
import { measureVertexAreas } from '../correction/measure-vertex-areas.js';
import { findAxes } from '../linear-algebra/find-axes.js';
import { planSparseCholesky } from '../linear-algebra/plan-sparse-cholesky.js';
import type { SparseMatrix } from '../linear-algebra/sparse-matrix.js';
import type { Surface } from '../mesh/surface.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { FleshSkin } from './plan-flesh-skin.js';
import { measurePull } from './smooth-over-skin.js';

export interface FleshModes {
  readonly count: number;
  /** κ_m, ascending; the last entry, behind those of the modes, is that of all others. */
  readonly stiffness: Float64Array;
  /** √s_k φ_mk, #soft vertices × #M. */
  readonly values: Float64Array;
  /** X_m of bone matrices, or of what they lag by, #M×3. */
  measure(out: Float64Array, matrices: Float64Array): void;
}

/** Most modes, and how many more are iterated with them. */
const MOST = 32;
const MORE = 8;
const ROUNDS = 5;
const SHIFT = 0.05;
/** Stiffer modes hardly answer to the motion of bones. */
const STIFFEST = 24;

/** @param width w, in the units of the surface */
export function planFleshModes(surface: Surface, skin: FleshSkin, boneCount: number, width: number): FleshModes {
  const { vertices } = skin;
  const all = measureVertexAreas(surface);
  const areas = Float64Array.from(vertices, (k) => all[k]!);
  const stiff = planStiffness(surface, vertices, width);
  const found = findModes(stiff, areas);
  const isLeft = found.findIndex(({ value }) => value > STIFFEST);
  const count = Math.min(MOST, isLeft < 0 ? found.length : isLeft);
  const stiffness = Float64Array.from(
    { length: count + 1 },
    (_, m) => found[Math.min(m, found.length - 1)]?.value ?? 0,
  );
  const values = new Float64Array(vertices.length * count);
  const moments = new Float64Array(count * boneCount * 4);
  for (let m = 0; m < count; m++) {
    const { vector } = found[m]!;
    for (let v = 0; v < vertices.length; v++) {
      const root = Math.sqrt(skin.softness[v]!);
      values[v * count + m] = root * vector[v]!;
      const pull = (areas[v]! * vector[v]!) / root;
      const k = 3 * vertices[v]!;
      for (let n = skin.offsets[v]!; n < skin.offsets[v + 1]!; n++) {
        const weight = pull * skin.weights[n]!;
        const at = 4 * (m * boneCount + skin.matrices[n]! / BONE_STRIDE);
        for (let c = 0; c < 3; c++) moments[at + c]! += weight * surface.positions[k + c]!;
        moments[at + 3]! += weight;
      }
    }
  }
  return { count, stiffness, values, measure: (out, matrices) => measureMoments(out, moments, matrices, boneCount) };
}

function measureMoments(out: Float64Array, moments: Float64Array, matrices: Float64Array, boneCount: number): void {
  for (let m = 0, at = 0; m < out.length; m += 3) {
    let [x, y, z] = [0, 0, 0];
    for (let b = 0; b < BONE_STRIDE * boneCount; b += 3, at++) {
      const weight = moments[at]!;
      x += weight * matrices[b]!;
      y += weight * matrices[b + 1]!;
      z += weight * matrices[b + 2]!;
    }
    out[m] = x;
    out[m + 1] = y;
    out[m + 2] = z;
  }
}

/** w² L on the soft vertices, in units in which areas have mean 1; what is stiff stands still. */
function planStiffness(surface: Surface, vertices: Uint32Array, width: number): SparseMatrix {
  const { neighbours, vertexCount } = surface;
  const pull = measurePull(surface, width);
  const place = new Int32Array(vertexCount).fill(-1);
  vertices.forEach((k, v) => void (place[k] = v));
  const offsets = [0];
  const columns: number[] = [];
  const values: number[] = [];
  vertices.forEach((k, v) => {
    columns.push(v);
    values.push(pull * (neighbours.offsets[k + 1]! - neighbours.offsets[k]!));
    for (let n = neighbours.offsets[k]!; n < neighbours.offsets[k + 1]!; n++) {
      const other = place[neighbours.values[n]!]!;
      if (other < 0 || other >= v) continue;
      columns.push(other);
      values.push(-pull);
    }
    offsets.push(columns.length);
  });
  return {
    size: vertices.length,
    offsets: Uint32Array.from(offsets),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
}

interface Mode {
  /** κ. */
  readonly value: number;
  /** φ. */
  readonly vector: Float64Array;
}

/** The lowest modes, ascending. Iterated as √A v, in which what stands across each other is orthogonal in the plain sense. */
function findModes(stiff: SparseMatrix, areas: Float64Array): Mode[] {
  const { size } = stiff;
  const roots = areas.map(Math.sqrt);
  const shifted = stiff.values.slice();
  for (let i = 0; i < size; i++) shifted[stiff.offsets[i]!]! += SHIFT * areas[i]!; // the diagonal comes first
  const solver = planSparseCholesky({ ...stiff, values: shifted });
  const block = Array.from({ length: Math.min(size, MOST + MORE) }, (_, m) => scatter(size, m));
  for (let round = 0; round < ROUNDS; round++) {
    for (const vector of block) scale(vector, roots);
    for (let first = 0; first < block.length; first += 4) solver.solveSome(block.slice(first, first + 4));
    for (const vector of block) scale(vector, roots);
    orthonormalise(block, round + 1 < ROUNDS ? 1 : 2);
  }
  for (const vector of block) for (let i = 0; i < size; i++) vector[i]! /= roots[i]!;
  const n = block.length;
  const energy = new Float64Array(n * n);
  const pulled = new Float64Array(size);
  block.forEach((vector, a) => {
    multiply(pulled, stiff, vector);
    for (let b = 0; b < n; b++) energy[n * a + b] = dot(block[b]!, pulled);
  });
  return findAxes(energy, n)
    .reverse()
    .map(({ axis, value }) => {
      const vector = new Float64Array(size);
      for (let b = 0; b < n; b++) add(vector, axis[b]!, block[b]!);
      return { value: Math.max(0, value), vector };
    });
}

/** Numbers without any order, the same everywhere. */
function scatter(size: number, seed: number): Float64Array {
  let state = 2654435761 * (seed + 1);
  return Float64Array.from({ length: size }, () => {
    state = (Math.imul(state | 0, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Gram–Schmidt. */
function orthonormalise(block: readonly Float64Array[], passes: number): void {
  block.forEach((vector, n) => {
    for (let pass = 0; pass < passes; pass++) {
      for (let m = 0; m < n; m++) add(vector, -dot(block[m]!, vector), block[m]!);
    }
    const length = Math.sqrt(dot(vector, vector));
    for (let i = 0; i < vector.length; i++) vector[i]! /= length;
  });
}

function scale(vector: Float64Array, by: Float64Array): void {
  for (let i = 0; i < vector.length; i++) vector[i]! *= by[i]!;
}

function add(vector: Float64Array, factor: number, other: Float64Array): void {
  for (let i = 0; i < vector.length; i++) vector[i]! += factor * other[i]!;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** out = A x, of the lower triangle of A. */
function multiply(out: Float64Array, { size, offsets, columns, values }: SparseMatrix, x: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < size; i++) {
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
      const j = columns[n]!;
      out[i]! += values[n]! * x[j]!;
      if (j !== i) out[j]! += values[n]! * x[i]!;
    }
  }
}
