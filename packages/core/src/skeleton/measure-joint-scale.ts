import { BONE_STRIDE } from './matrices.js';

/** Determinant of the linear part of every bone matrix, #B: how much each joint scales volumes (negative: mirrored). */
export function measureBoneScales(
  out: Float64Array,
  boneMatrices: ArrayLike<number>,
  boneCount: number,
  first = 0,
): void {
  for (let i = 0; i < boneCount; i++) out[i] = determinant(boneMatrices, (first + i) * BONE_STRIDE);
}

/** The joints' common scale: the median determinant (rest volume = that of the bind shape × the joints' common scale). */
export function measureCommonScale(scales: Float64Array): number {
  if (scales.length === 0) return 1;
  const sorted = Float64Array.from(scales).sort();
  return sorted[sorted.length >> 1]!;
}

function determinant(m: ArrayLike<number>, i: number): number {
  return (
    m[i]! * (m[i + 4]! * m[i + 8]! - m[i + 7]! * m[i + 5]!) -
    m[i + 3]! * (m[i + 1]! * m[i + 8]! - m[i + 7]! * m[i + 2]!) +
    m[i + 6]! * (m[i + 1]! * m[i + 5]! - m[i + 4]! * m[i + 2]!)
  );
}
