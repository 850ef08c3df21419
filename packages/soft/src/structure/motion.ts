/**
 * A keyed rigid motion, p(t) = pivot + R(turn)·(p⁰ − pivot) + move, with move and turn eased between keys (3s² − 2s³, at rest in
 * every key) or, to a `straight` key, linear; constant before the first and after the last.
 */
export interface MotionInput {
  readonly pivot?: ArrayLike<number>;
  readonly keys: readonly {
    readonly time: number;
    readonly move?: ArrayLike<number>;
    /** Axis times angle, degrees. */
    readonly turn?: ArrayLike<number>;
    readonly straight?: boolean;
  }[];
}

export interface Motion {
  /** Sets the moment; writes nothing. */
  sample(time: number): void;
  /** Moves point `from` of rest (#×3) to `to` of out at the moment of the last sample. */
  apply(out: Float64Array, to: number, rest: ArrayLike<number>, from: number): void;
  /** move at the last sample, and the rotation as a quaternion x, y, z, w. */
  readonly move: Float64Array;
  readonly rotation: Float64Array;
}

export function createMotion({ pivot = [0, 0, 0], keys }: MotionInput): Motion {
  const values = new Float64Array(6 * keys.length);
  keys.forEach(({ move, turn }, k) => {
    for (let axis = 0; axis < 3; axis++) {
      values[6 * k + axis] = move?.[axis] ?? 0;
      values[6 * k + 3 + axis] = ((turn?.[axis] ?? 0) * Math.PI) / 180;
    }
  });
  const move = new Float64Array(3);
  const rotation = new Float64Array([0, 0, 0, 1]);
  const now = new Float64Array(6);
  return {
    move,
    rotation,
    sample(time) {
      let k = 0;
      while (k + 1 < keys.length && keys[k + 1]!.time <= time) k++;
      const next = Math.min(k + 1, keys.length - 1);
      const span = keys[next]!.time - keys[k]!.time;
      const s = span > 0 ? Math.min(1, Math.max(0, (time - keys[k]!.time) / span)) : 0;
      const eased = keys[next]!.straight ? s : s * s * (3 - 2 * s);
      for (let i = 0; i < 6; i++) now[i] = values[6 * k + i]! + eased * (values[6 * next + i]! - values[6 * k + i]!);
      move.set(now.subarray(0, 3));
      const angle = Math.hypot(now[3]!, now[4]!, now[5]!);
      const factor = angle > 0 ? Math.sin(angle / 2) / angle : 0;
      for (let axis = 0; axis < 3; axis++) rotation[axis] = factor * now[3 + axis]!;
      rotation[3] = Math.cos(angle / 2);
    },
    apply(out, to, rest, from) {
      const x = rest[from]! - pivot[0]!;
      const y = rest[from + 1]! - pivot[1]!;
      const z = rest[from + 2]! - pivot[2]!;
      rotateVector(out, to, rotation, x, y, z);
      for (let axis = 0; axis < 3; axis++) out[to + axis]! += pivot[axis]! + move[axis]!;
    },
  };
}

/** out = q (x, y, z) q*, q = (x, y, z, w) of length 1. */
export function rotateVector(
  out: Float64Array,
  at: number,
  q: ArrayLike<number>,
  x: number,
  y: number,
  z: number,
): void {
  const [qx, qy, qz, qw] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out[at] = x + qw * tx + qy * tz - qz * ty;
  out[at + 1] = y + qw * ty + qz * tx - qx * tz;
  out[at + 2] = z + qw * tz + qx * ty - qy * tx;
}

/** out = a·b, quaternions x, y, z, w. */
export function multiplyTurns(out: Float64Array | number[], a: ArrayLike<number>, b: ArrayLike<number>): void {
  out[0] = a[3]! * b[0]! + a[0]! * b[3]! + a[1]! * b[2]! - a[2]! * b[1]!;
  out[1] = a[3]! * b[1]! + a[1]! * b[3]! + a[2]! * b[0]! - a[0]! * b[2]!;
  out[2] = a[3]! * b[2]! + a[2]! * b[3]! + a[0]! * b[1]! - a[1]! * b[0]!;
  out[3] = a[3]! * b[3]! - a[0]! * b[0]! - a[1]! * b[1]! - a[2]! * b[2]!;
}

/** Linear between keys [time, value], constant outside. */
export function sampleKeys(keys: readonly (readonly [number, number])[], time: number): number {
  let k = 0;
  while (k + 1 < keys.length && keys[k + 1]![0] <= time) k++;
  const [t0, v0] = keys[k]!;
  const [t1, v1] = keys[Math.min(k + 1, keys.length - 1)]!;
  return t1 > t0 ? v0 + Math.min(1, Math.max(0, (time - t0) / (t1 - t0))) * (v1 - v0) : v0;
}

/** Angular velocity that turns rotation a into b (quaternions x, y, z, w) in dt. */
export function measureSpin(
  out: Float64Array,
  at: number,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  dt: number,
): void {
  // Vector part of b·a*, twice the sine of half the angle along the axis; exact to second order, as the steps are small.
  const sign = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]! < 0 ? -2 / dt : 2 / dt;
  out[at] = sign * (b[0]! * a[3]! - b[3]! * a[0]! - b[1]! * a[2]! + b[2]! * a[1]!);
  out[at + 1] = sign * (b[1]! * a[3]! - b[3]! * a[1]! - b[2]! * a[0]! + b[0]! * a[2]!);
  out[at + 2] = sign * (b[2]! * a[3]! - b[3]! * a[2]! - b[0]! * a[1]! + b[1]! * a[0]!);
}
