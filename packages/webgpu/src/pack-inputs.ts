export interface InputChange {
  /** Largest change of the linear part of a bone matrix since the last frame: about an angle. */
  readonly jump: number;
  /** Largest second difference of bone matrices (translations by the extent) and targets (relative). */
  readonly surprise: number;
}

const found = { jump: 0, surprise: 0 };

/**
 * Rows of the bone matrices (x y z t), then the targets, for every instance. `out` holds the last frame and `before` the change
 * that led to it; both move on.
 */
export function packInputs(
  out: Float32Array,
  before: Float32Array,
  boneMatrices: ArrayLike<number>,
  targets: ArrayLike<number>,
  extent: number,
  {
    regionCount,
    boneVectors,
    inputStride,
  }: { readonly regionCount: number; readonly boneVectors: number; readonly inputStride: number },
  instances: number,
): InputChange {
  found.jump = 0;
  found.surprise = 0;
  const boneCount = boneVectors / 3;
  for (let i = 0; i < instances; i++) {
    const base = 4 * i * inputStride;
    for (let b = 0; b < boneCount; b++) {
      const m = 12 * (i * boneCount + b);
      const to = base + 12 * b;
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          found.jump = Math.max(found.jump, put(out, before, to + 4 * r + c, boneMatrices[m + 3 * c + r]!, 1));
        }
        put(out, before, to + 4 * r + 3, boneMatrices[m + 9 + r]!, extent);
      }
    }
    for (let s = 0; s < regionCount; s++) {
      const target = targets[i * regionCount + s]!;
      put(out, before, base + 12 * boneCount + s, target, Math.abs(target));
    }
  }
  return found;
}

/** Returns the size of the change; its own change, in units of `scale`, counts as a surprise. */
function put(out: Float32Array, before: Float32Array, at: number, value: number, scale: number): number {
  const change = value - out[at]!;
  found.surprise = Math.max(found.surprise, Math.abs(change - before[at]!) / (scale || 1));
  before[at] = change;
  out[at] = value;
  return Math.abs(change);
}

/** The longest side of the box around points #V×3. */
export function measureExtent(positions: Float64Array): number {
  let longest = 0;
  for (let r = 0; r < 3; r++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = r; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]!);
      high = Math.max(high, positions[i]!);
    }
    longest = Math.max(longest, high - low);
  }
  return longest;
}
