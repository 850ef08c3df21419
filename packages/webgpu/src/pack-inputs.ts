/** Rows of the bone matrices (x y z t), then the targets, for every instance. Returns the largest change of a linear part. */
export function packInputs(
  out: Float32Array,
  boneMatrices: ArrayLike<number>,
  targets: ArrayLike<number>,
  boneCount: number,
  { regionCount, inputStride }: { readonly regionCount: number; readonly inputStride: number },
  instances: number,
): number {
  let change = 0;
  for (let i = 0; i < instances; i++) {
    const base = 4 * i * inputStride;
    for (let b = 0; b < boneCount; b++) {
      const m = 12 * (i * boneCount + b);
      const to = base + 12 * b;
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          const value = boneMatrices[m + 3 * c + r]!;
          change = Math.max(change, Math.abs(value - out[to + 4 * r + c]!));
          out[to + 4 * r + c] = value;
        }
        out[to + 4 * r + 3] = boneMatrices[m + 9 + r]!;
      }
    }
    for (let s = 0; s < regionCount; s++) out[base + 12 * boneCount + s] = targets[i * regionCount + s]!;
  }
  return change;
}
