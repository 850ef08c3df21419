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
import { crossEdges, tripleProduct } from '../mesh/cross.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface SampleNormals {
  /** n, #S×3, of the samples that were asked for. */
  readonly normals: Float64Array;
  /** A new frame: the skinned surface (#V×3) and its bones. */
  begin(surface: Float64Array, bones: Float64Array): void;
  measure(k: number): void;
}

export function planSampleNormals({ surface, binding }: Character, samples: SkinSamples): SampleNormals {
  const { triangles, corners } = surface;
  const { count, vertices, normals: rest } = samples;
  const { offsets, weights, bones: boneOf } = binding;
  const normals = new Float64Array(3 * count);
  const done = new Uint8Array(count);
  const twice = new Float64Array(3);
  let x = surface.positions;
  let bones = new Float64Array(0) as Float64Array;
  let sign = 1;

  /** a_k into normals. */
  function measureArea(s: number): void {
    const k = vertices[s]!;
    for (let q = 3 * s; q < 3 * s + 3; q++) normals[q] = 0;
    for (let e = corners.offsets[k]!; e < corners.offsets[k + 1]!; e++) {
      const first = corners.values[e]! - (corners.values[e]! % 3);
      crossEdges(twice, 0, x, 3 * triangles[first]!, 3 * triangles[first + 1]!, 3 * triangles[first + 2]!);
      for (let r = 0; r < 3; r++) normals[3 * s + r]! += twice[r]!;
    }
  }
  const scales = Float64Array.from(vertices, (_, s) => {
    measureArea(s);
    return 1 / (Math.hypot(normals[3 * s]!, normals[3 * s + 1]!, normals[3 * s + 2]!) || 1);
  });

  return {
    normals,
    begin(positions, matrices) {
      x = positions;
      bones = matrices;
      sign = tripleProduct(bones, 0, 3, 6) < 0 ? -1 : 1;
      done.fill(0);
    },
    measure(s) {
      if (done[s] === 1) return;
      done[s] = 1;
      measureArea(s);
      const k = vertices[s]!;
      const a = 3 * s;
      const scale = sign * scales[s]!;
      let nx = scale * normals[a]!;
      let ny = scale * normals[a + 1]!;
      let nz = scale * normals[a + 2]!;
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
    },
  };
}
