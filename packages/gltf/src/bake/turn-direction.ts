/** Normals of a surface, and directions that are turned with it: a smooth seam stays closed, split normals of a hard edge turn together. */

import type { Surface } from '@isoskin/core';
import { normalise, sumAreaVectors } from '@isoskin/core/frames';

export function measureNormals(out: Float64Array, { triangles, vertexCount }: Surface, positions: Float64Array): void {
  sumAreaVectors(out, positions, triangles, triangles.length / 3, vertexCount);
  normalise(out, out, 0, vertexCount);
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
