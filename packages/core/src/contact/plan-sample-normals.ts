/**
 * F7. Which way the samples of the skin look in a pose, measured when they are first asked for.
 *
 *   n_k = normalise(± a_k/|ā_k| + M_k n̄_k)
 *
 * a  area vector of the triangles around k on the skinned surface, ā at rest;  M  blend of k's bones;  n̄  normal at rest;  −: mirrored
 * bones. The bones alone do not see skin that folds over (the weights change across it, so that it turns by more than any bone); the surface
 * alone flips where skinning has collapsed it: there a vanishes and the bones decide. O(samples asked for), nothing is allocated.
 */
import type { Character } from '../character/character.js';
import { sumAreaVectors } from '../kernels/reference-kernels.js';
import { tripleProduct } from '../mesh/cross.js';
import type { Csr } from '../mesh/surface.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface SampleNormals {
  /** n, #S×3, of the samples that were asked for. */
  readonly normals: Float64Array;
  /** A new frame: the skinned surface (#V×3) and its bones. */
  begin(surface: Float64Array, bones: Float64Array): void;
  /** Of `count` samples, given by three times their numbers, any of them more than once. */
  measure(list: Uint32Array, count: number): void;
}

export function planSampleNormals({ surface, binding }: Character, samples: SkinSamples): SampleNormals {
  const { count, vertices, normals: rest } = samples;
  const { offsets, weights, bones: boneOf } = binding;
  const { offsets: ringOffsets, values } = listRings(surface, vertices);
  const normals = new Float64Array(3 * count);
  const done = new Uint8Array(count);
  let x = surface.positions;
  let bones = new Float64Array(0) as Float64Array;
  let sign = 1;

  const scales = measureRestScales(surface, vertices);

  function measureNormal(s: number): void {
    const k = vertices[s]!;
    const kx = x[3 * k]!;
    const ky = x[3 * k + 1]!;
    const kz = x[3 * k + 2]!;
    let nx = 0;
    let ny = 0;
    let nz = 0;
    for (let e = ringOffsets[s]!; e < ringOffsets[s + 1]!; e += 2) {
      const b = values[e]!;
      const c = values[e + 1]!;
      const ux = x[b]! - kx;
      const uy = x[b + 1]! - ky;
      const uz = x[b + 2]! - kz;
      const vx = x[c]! - kx;
      const vy = x[c + 1]! - ky;
      const vz = x[c + 2]! - kz;
      nx += uy * vz - uz * vy;
      ny += uz * vx - ux * vz;
      nz += ux * vy - uy * vx;
    }
    const a = 3 * s;
    nx *= sign * scales[s]!;
    ny *= sign * scales[s]!;
    nz *= sign * scales[s]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const b = BONE_STRIDE * boneOf[e]!;
      const u = weights[e]! * rest[a]!;
      const v = weights[e]! * rest[a + 1]!;
      const w = weights[e]! * rest[a + 2]!;
      nx += bones[b]! * u + bones[b + 3]! * v + bones[b + 6]! * w;
      ny += bones[b + 1]! * u + bones[b + 4]! * v + bones[b + 7]! * w;
      nz += bones[b + 2]! * u + bones[b + 5]! * v + bones[b + 8]! * w;
    }
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    normals[a] = nx / length;
    normals[a + 1] = ny / length;
    normals[a + 2] = nz / length;
  }

  return {
    normals,
    begin(positions, matrices) {
      x = positions;
      bones = matrices;
      sign = tripleProduct(bones, 0, 3, 6) < 0 ? -1 : 1;
      done.fill(0);
    },
    measure(list, length) {
      for (let i = 0; i < length; i++) {
        const s = list[i]! / 3;
        if (done[s] === 0) measureNormal(s);
        done[s] = 1;
      }
    },
  };
}

/** 1/|ā| of the samples at `vertices`: a sixth of the crosses. */
export function measureRestScales(surface: Character['surface'], vertices: Uint32Array): Float64Array {
  const areas = new Float64Array(3 * surface.vertexCount);
  sumAreaVectors(areas, surface.positions, surface.triangles, surface.triangles.length / 3, surface.vertexCount);
  return Float64Array.from(vertices, (k) => 1 / (6 * Math.hypot(...areas.subarray(3 * k, 3 * k + 3)) || 1));
}

/** Of every sample the other two corners of its triangles, in their order, three times their numbers. */
function listRings({ triangles, corners }: Character['surface'], vertices: Uint32Array): Csr {
  const offsets = new Uint32Array(vertices.length + 1);
  const values: number[] = [];
  for (const [s, k] of vertices.entries()) {
    for (const corner of corners.values.subarray(corners.offsets[k]!, corners.offsets[k + 1]!)) {
      const first = corner - (corner % 3);
      for (const n of [1, 2]) values.push(3 * triangles[first + ((corner + n) % 3)]!);
    }
    offsets[s + 1] = values.length;
  }
  return { offsets, values: Uint32Array.from(values) };
}
