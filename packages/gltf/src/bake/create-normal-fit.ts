/**
 * NORMAL and TANGENT deltas that go with the position targets: least squares over a number of frames, on the same weights.
 *
 *   minimise Σ_f ‖Σ_k w_fk d_k − δn_f‖²,   δn_f = B⁻¹ R_f B n̄ − n̄
 *
 * R_f turns the normal of the skinned surface at the welded vertex into that of the corrected one (the shortest rotation),
 * so split normals of a hard edge turn together and a smooth seam stays closed. n̄ #×3 of a part; d_k #×3. O(frames · #).
 */
import { normalise, type Surface, sumAreaVectors } from '@isoskin/core';
import { invertGram } from './invert-gram.js';
import { solveBlend } from './solve-blend.js';

/** Directions of one part, NORMAL or TANGENT. */
export interface DirectionSource {
  /** Source vertex → point. */
  readonly points: Uint32Array;
  /** Numbers per vertex: 3, or 4 for TANGENT. */
  readonly width: number;
  readonly directions: ArrayLike<number>;
}

export interface NormalFit {
  /** Adds a frame: weights of the targets, skinned and corrected welded positions (#V×3), blends of the points (#U×9). */
  add(weights: ArrayLike<number>, skinned: Float64Array, corrected: Float64Array, blends: Float64Array): void;
  /** Source → target → deltas, #×3. */
  solve(): Float64Array[][];
}

export function createNormalFit(
  surface: Surface,
  welded: Uint32Array,
  sources: readonly DirectionSource[],
  targetCount: number,
): NormalFit {
  const count = surface.vertexCount;
  const before = new Float64Array(3 * count);
  const after = new Float64Array(3 * count);
  const gram = new Float64Array(targetCount * targetCount);
  const sums = sources.map(({ points }) =>
    Array.from({ length: targetCount }, () => new Float64Array(3 * points.length)),
  );
  const turned = new Float64Array(3);
  return {
    add(weights, skinned, corrected, blends) {
      measureNormals(before, surface, skinned);
      measureNormals(after, surface, corrected);
      for (let k = 0; k < targetCount; k++) {
        for (let l = 0; l < targetCount; l++) gram[k * targetCount + l]! += weights[k]! * weights[l]!;
      }
      sources.forEach(({ points, width, directions }, s) => {
        for (let v = 0; v < points.length; v++) {
          const u = points[v]!;
          const at = 3 * welded[u]!;
          if (!turns(before, after, at)) continue;
          changeDirection(turned, directions, width * v, blends, 9 * u, before, after, at);
          for (let k = 0; k < targetCount; k++) {
            const weight = weights[k]!;
            if (weight === 0) continue;
            const sum = sums[s]![k]!;
            sum[3 * v]! += weight * turned[0]!;
            sum[3 * v + 1]! += weight * turned[1]!;
            sum[3 * v + 2]! += weight * turned[2]!;
          }
        }
      });
    },
    solve() {
      const inverse = invertGram(gram, targetCount, 1e-6);
      return sums.map((columns) =>
        columns.map((_, k) => {
          const out = new Float64Array(columns[0]!.length);
          columns.forEach((column, l) => {
            const c = inverse[k * targetCount + l]!;
            if (c !== 0) for (let i = 0; i < out.length; i++) out[i]! += c * column[i]!;
          });
          return out;
        }),
      );
    },
  };
}

export function measureNormals(out: Float64Array, { triangles, vertexCount }: Surface, positions: Float64Array): void {
  sumAreaVectors(out, positions, triangles, triangles.length / 3, vertexCount);
  normalise(out, out, 0, vertexCount);
}

function turns(before: Float64Array, after: Float64Array, at: number): boolean {
  const dot = before[at]! * after[at]! + before[at + 1]! * after[at + 1]! + before[at + 2]! * after[at + 2]!;
  return dot < 1 - 1e-9 && dot > -0.99;
}

/** B⁻¹ R B n − n. */
function changeDirection(
  out: Float64Array,
  n: ArrayLike<number>,
  from: number,
  blends: Float64Array,
  at: number,
  a: Float64Array,
  b: Float64Array,
  i: number,
): void {
  blendDirection(out, n, from, blends, at);
  const [x, y, z] = [out[0]!, out[1]!, out[2]!];
  turnDirection(out, a, b, i);
  solveBlend(out, 0, blends, at, out[0]! - x, out[1]! - y, out[2]! - z);
}

/** B n. */
export function blendDirection(
  out: Float64Array,
  n: ArrayLike<number>,
  from: number,
  blends: Float64Array,
  at: number,
): void {
  const x = n[from]!;
  const y = n[from + 1]!;
  const z = n[from + 2]!;
  for (let r = 0; r < 3; r++) out[r] = blends[at + r]! * x + blends[at + 3 + r]! * y + blends[at + 6 + r]! * z;
}

/** p ← R p with R the shortest rotation from unit vector a to unit vector b (both at i); opposite ones turn nothing. */
export function turnDirection(p: Float64Array, a: Float64Array, b: Float64Array, i: number): void {
  const cosine = a[i]! * b[i]! + a[i + 1]! * b[i + 1]! + a[i + 2]! * b[i + 2]!;
  if (!(cosine > -0.99)) return;
  // R p = p + c × p + (c × (c × p)) / (1 + a·b), c = a × b.
  const cx = a[i + 1]! * b[i + 2]! - a[i + 2]! * b[i + 1]!;
  const cy = a[i + 2]! * b[i]! - a[i]! * b[i + 2]!;
  const cz = a[i]! * b[i + 1]! - a[i + 1]! * b[i]!;
  const f = 1 / (1 + cosine);
  const dx = cy * p[2]! - cz * p[1]!;
  const dy = cz * p[0]! - cx * p[2]!;
  const dz = cx * p[1]! - cy * p[0]!;
  p[0]! += dx + f * (cy * dz - cz * dy);
  p[1]! += dy + f * (cz * dx - cx * dz);
  p[2]! += dz + f * (cx * dy - cy * dx);
}
