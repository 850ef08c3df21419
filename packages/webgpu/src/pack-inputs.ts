/** Sizes of what a frame uploads, in vectors of four numbers. */
export interface InputShape {
  readonly regionCount: number;
  readonly boneVectors: number;
  readonly givenVectors: number;
  readonly inputStride: number;
}

/**
 * Rows of the bone matrices (x y z t), then the targets, for every instance; given amounts are written by `packGiven`. `out` holds
 * the last frame. Returns the largest change since then: of the linear part of a bone matrix (about an angle) or of a target
 * (relative). The one loop over a crowd that runs on the CPU: plain numbers, no calls.
 */
export function packInputs(
  out: Float32Array,
  boneMatrices: ArrayLike<number>,
  targets: ArrayLike<number>,
  { regionCount, boneVectors, inputStride }: InputShape,
  instances: number,
): number {
  let jump = 0;
  const stride = 4 * boneVectors;
  for (let i = 0; i < instances; i++) {
    let to = 4 * i * inputStride;
    for (let bone = i * stride; bone < (i + 1) * stride; bone += 12) {
      for (let m = bone; m < bone + 3; m++, to += 4) {
        const x = boneMatrices[m]!;
        const y = boneMatrices[m + 3]!;
        const z = boneMatrices[m + 6]!;
        const dx = Math.abs(x - out[to]!);
        const dy = Math.abs(y - out[to + 1]!);
        const dz = Math.abs(z - out[to + 2]!);
        // Comparisons are faster than Math.max, which must know about NaN and −0.
        if (dx > jump) jump = dx;
        if (dy > jump) jump = dy;
        if (dz > jump) jump = dz;
        out[to] = x;
        out[to + 1] = y;
        out[to + 2] = z;
        out[to + 3] = boneMatrices[m + 9]!;
      }
    }
    for (let s = i * regionCount; s < (i + 1) * regionCount; s++, to++) {
      const target = targets[s]!;
      const change = Math.abs(target - out[to]!) / (Math.abs(target) || 1);
      if (change > jump) jump = change;
      out[to] = target;
    }
  }
  return jump;
}

/** Amounts of the shapes that are given, #instances×count, or 0. */
export function packGiven(
  out: Float32Array,
  amounts: ArrayLike<number> | undefined,
  count: number,
  { givenVectors, inputStride }: InputShape,
  instances: number,
): void {
  for (let i = 0; i < instances; i++) {
    const to = 4 * (i * inputStride + givenVectors);
    for (let s = 0; s < count; s++) out[to + s] = amounts?.[i * count + s] ?? 0;
  }
}
