export interface InputChange {
  /** Largest change of the linear part of a bone matrix since the last frame: about an angle. */
  readonly jump: number;
  /** Largest second difference of bone matrices (translations by the extent) and targets (relative). */
  readonly surprise: number;
}

const found = { jump: 0, surprise: 0 };

/**
 * Rows of the bone matrices (x y z t), then the targets, for every instance. `out` holds the last frame and `before` the change
 * that led to it; both move on. The one loop over a crowd that runs on the CPU: plain numbers, no calls.
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
  let jump = 0;
  let surprise = 0;
  let drift = 0; // the same of translations, in units of length
  const stride = 4 * boneVectors;
  for (let i = 0; i < instances; i++) {
    let to = 4 * i * inputStride;
    for (let bone = i * stride; bone < (i + 1) * stride; bone += 12) {
      for (let m = bone; m < bone + 3; m++, to += 4) {
        const x = boneMatrices[m]!;
        const y = boneMatrices[m + 3]!;
        const z = boneMatrices[m + 6]!;
        const t = boneMatrices[m + 9]!;
        const dx = x - out[to]!;
        const dy = y - out[to + 1]!;
        const dz = z - out[to + 2]!;
        const dt = t - out[to + 3]!;
        jump = largest(jump, Math.abs(dx), Math.abs(dy), Math.abs(dz));
        const a = Math.abs(dx - before[to]!);
        const b = Math.abs(dy - before[to + 1]!);
        const c = Math.abs(dz - before[to + 2]!);
        surprise = largest(surprise, a, b, c);
        drift = largest(drift, Math.abs(dt - before[to + 3]!), 0, 0);
        before[to] = dx;
        before[to + 1] = dy;
        before[to + 2] = dz;
        before[to + 3] = dt;
        out[to] = x;
        out[to + 1] = y;
        out[to + 2] = z;
        out[to + 3] = t;
      }
    }
    for (let s = i * regionCount; s < (i + 1) * regionCount; s++, to++) {
      const target = targets[s]!;
      const change = target - out[to]!;
      const turn = Math.abs(change - before[to]!) / (Math.abs(target) || 1);
      if (turn > surprise) surprise = turn;
      before[to] = change;
      out[to] = target;
    }
  }
  found.jump = jump;
  found.surprise = Math.max(surprise, drift / (extent || 1));
  return found;
}

/** Comparisons are faster than Math.max, which must know about NaN and −0. */
function largest(most: number, a: number, b: number, c: number): number {
  let found = most;
  if (a > found) found = a;
  if (b > found) found = b;
  return c > found ? c : found;
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
