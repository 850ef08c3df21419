/**
 * Matrices of a pose. World and local matrices are column-major 4×4 (16 numbers, as in glTF); bone matrices are affine
 * 3×4 (12 numbers: three columns of the linear part, then the translation), which is what the skinning kernels read.
 */
import { POSE_STRIDE, type Skeleton } from './skeleton.js';

export const BONE_STRIDE = 12;

/** World matrix of every node, #N×16, in one traversal (parents come first). */
export function measureWorldMatrices(out: Float64Array, skeleton: Skeleton, locals: Float64Array): void {
  for (let n = 0; n < skeleton.nodeCount; n++) {
    const fixed = skeleton.fixedMatrices.get(n);
    const parent = skeleton.parents[n]!;
    if (fixed) local.set(fixed);
    else composeMatrix(local, 0, locals, n * POSE_STRIDE);
    if (parent < 0) out.set(local, n * 16);
    else multiplyAffine(out, n * 16, out, parent * 16, local, 0);
  }
}
const local = new Float64Array(16);

/** T_i T̄_i⁻¹ of every bone, #B×12. */
export function measureBoneMatrices(out: Float64Array, skeleton: Skeleton, world: Float64Array): void {
  for (let i = 0; i < skeleton.boneCount; i++) {
    multiplyAffine(product, 0, world, skeleton.boneNodes[i]! * 16, skeleton.inverseBinds, i * 16);
    for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) out[i * BONE_STRIDE + c * 3 + r] = product[c * 4 + r]!;
  }
}
const product = new Float64Array(16);

/** Translation · rotation · scale of ten pose numbers, as a column-major 4×4. */
export function composeMatrix(out: Float64Array, to: number, trs: ArrayLike<number>, from: number): void {
  const x = trs[from + 3]!;
  const y = trs[from + 4]!;
  const z = trs[from + 5]!;
  const w = trs[from + 6]!;
  const sx = trs[from + 7]!;
  const sy = trs[from + 8]!;
  const sz = trs[from + 9]!;
  out[to] = (1 - 2 * (y * y + z * z)) * sx;
  out[to + 1] = 2 * (x * y + w * z) * sx;
  out[to + 2] = 2 * (x * z - w * y) * sx;
  out[to + 3] = 0;
  out[to + 4] = 2 * (x * y - w * z) * sy;
  out[to + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[to + 6] = 2 * (y * z + w * x) * sy;
  out[to + 7] = 0;
  out[to + 8] = 2 * (x * z + w * y) * sz;
  out[to + 9] = 2 * (y * z - w * x) * sz;
  out[to + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[to + 11] = 0;
  out[to + 12] = trs[from]!;
  out[to + 13] = trs[from + 1]!;
  out[to + 14] = trs[from + 2]!;
  out[to + 15] = 1;
}

/** out = a · b for affine column-major 4×4; `out` may not overlap a or b. */
export function multiplyAffine(
  out: Float64Array,
  to: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  for (let c = 0; c < 4; c++) {
    const x = b[j + c * 4]!;
    const y = b[j + c * 4 + 1]!;
    const z = b[j + c * 4 + 2]!;
    const w = c === 3 ? 1 : 0;
    for (let r = 0; r < 3; r++) {
      out[to + c * 4 + r] = a[i + r]! * x + a[i + 4 + r]! * y + a[i + 8 + r]! * z + a[i + 12 + r]! * w;
    }
    out[to + c * 4 + 3] = w;
  }
}

/** Inverse of an affine column-major 4×4; false (and nothing written) when it is singular. */
export function invertAffine(out: Float64Array, to: number, m: ArrayLike<number>, i: number): boolean {
  const a = m[i]!;
  const b = m[i + 4]!;
  const c = m[i + 8]!;
  const d = m[i + 1]!;
  const e = m[i + 5]!;
  const f = m[i + 9]!;
  const g = m[i + 2]!;
  const h = m[i + 6]!;
  const k = m[i + 10]!;
  const det = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g);
  if (!(Math.abs(det) > 0)) return false;
  const s = 1 / det;
  const tx = m[i + 12]!;
  const ty = m[i + 13]!;
  const tz = m[i + 14]!;
  const rows = [
    (e * k - f * h) * s,
    (c * h - b * k) * s,
    (b * f - c * e) * s,
    (f * g - d * k) * s,
    (a * k - c * g) * s,
    (c * d - a * f) * s,
    (d * h - e * g) * s,
    (b * g - a * h) * s,
    (a * e - b * d) * s,
  ];
  for (let r = 0; r < 3; r++) {
    for (let q = 0; q < 3; q++) out[to + q * 4 + r] = rows[r * 3 + q]!;
    out[to + 12 + r] = -(rows[r * 3]! * tx + rows[r * 3 + 1]! * ty + rows[r * 3 + 2]! * tz);
    out[to + r * 4 + 3] = 0;
  }
  out[to + 15] = 1;
  return true;
}
