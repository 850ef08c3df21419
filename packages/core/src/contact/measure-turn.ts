import { BONE_STRIDE } from '../skeleton/matrices.js';

/** Cosine of the angle by which bones i and j are turned against each other; their matrices (#B×12) may be scaled. */
export function measureTurn(boneMatrices: Float64Array, i: number, j: number): number {
  const a = BONE_STRIDE * i;
  const b = BONE_STRIDE * j;
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let r = 0; r < 9; r++) {
    dot += boneMatrices[a + r]! * boneMatrices[b + r]!;
    aa += boneMatrices[a + r]! * boneMatrices[a + r]!;
    bb += boneMatrices[b + r]! * boneMatrices[b + r]!;
  }
  return ((3 * dot) / Math.sqrt(aa * bb || 1) - 1) / 2;
}
