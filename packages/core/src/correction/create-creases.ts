/**
 * C16. The amounts of creases (plan-creases.ts) for one pose, from its bones: a table over the way in which a joint's bone has swung, whatever its
 * twist.
 *
 *   c_m(θ, ψ),   θ = ∠(P a, Q a),   ψ  direction of Q a around P a       Catmull–Rom in both
 *
 * a  the bone's axis at rest;  P, Q  matrices of the bone before the joint and of the bone itself. O(joints); allocation-free.
 */
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { Twist } from './create-twists.js';
import type { MeasureGiven } from './given-shapes.js';

/** Poses: directions around the axis, and angles; at rest there is nothing, beyond the last a bend is held. */
export const DIRECTIONS = 8;
export const ANGLES = [0, 40, 70, 100, 130].map((degrees) => (degrees * Math.PI) / 180);
/** Angles that are rounding: the rest pose stays as it is, to the bit. */
const STILL = 1e-4;

export interface Crease extends Twist {
  /** Of every shape its amount in every pose: angles but rest, each in all directions. */
  readonly table: readonly Float64Array[];
}

export interface CreasePlan {
  readonly creases: readonly Crease[];
  readonly strength: number;
}

export function createCreases({ creases, strength }: CreasePlan): MeasureGiven {
  return (out, at, bones, first = 0) => {
    let to = at;
    for (let j = 0; j < creases.length; j++) to = measureCrease(out, to, creases[j]!, bones, first, strength);
  };
}

/** Amounts of one joint's shapes from `out[at]` on; the place after them. */
function measureCrease(
  out: Float64Array,
  at: number,
  { bone, parent, frame, table }: Crease,
  bones: ArrayLike<number>,
  first: number,
  strength: number,
): number {
  let [along, u, v] = [0, 0, 0];
  let [p, q] = [0, 0];
  for (let r = 0; r < 3; r++) {
    const a = BONE_STRIDE * (first + parent) + r;
    const b = BONE_STRIDE * (first + bone) + r;
    const child = bones[b]! * frame[0]! + bones[b + 3]! * frame[1]! + bones[b + 6]! * frame[2]!;
    const own = bones[a]! * frame[0]! + bones[a + 3]! * frame[1]! + bones[a + 6]! * frame[2]!;
    along += child * own;
    u += child * (bones[a]! * frame[3]! + bones[a + 3]! * frame[4]! + bones[a + 6]! * frame[5]!);
    v += child * (bones[a]! * frame[6]! + bones[a + 3]! * frame[7]! + bones[a + 6]! * frame[8]!);
    p += child * child;
    q += own * own;
  }
  const angle = p > 0 && q > 0 ? Math.atan2(Math.sqrt(u * u + v * v), along) : 0;
  const around = (Math.atan2(v, u) / (2 * Math.PI) + 1) * DIRECTIONS;
  for (let m = 0; m < table.length; m++) {
    out[at + m] = angle < STILL ? 0 : strength * interpolate(table[m]!, angle, around);
  }
  return at + table.length;
}

/** Catmull–Rom in both: around, where it closes, and in the angle, from 0 at rest to the last, which is held. */
function interpolate(table: Float64Array, angle: number, around: number): number {
  const last = ANGLES.length - 1;
  let i = 0;
  while (i + 1 < last && angle >= ANGLES[i + 1]!) i++;
  const t = Math.min(1, (angle - ANGLES[i]!) / (ANGLES[i + 1]! - ANGLES[i]!));
  const before = sampleAround(table, i - 1, around);
  const from = sampleAround(table, i, around);
  const to = sampleAround(table, i + 1, around);
  const after = sampleAround(table, Math.min(last, i + 2), around);
  const span = ANGLES[i + 1]! - ANGLES[i]!;
  const leave = i === 0 ? 0 : ((to - before) / (ANGLES[i + 1]! - ANGLES[i - 1]!)) * span;
  const arrive = i + 1 === last ? 0 : ((after - from) / (ANGLES[i + 2]! - ANGLES[i]!)) * span;
  const [t2, t3] = [t * t, t * t * t];
  return from * (1 - 3 * t2 + 2 * t3) + to * (3 * t2 - 2 * t3) + leave * (t - 2 * t2 + t3) + arrive * (t3 - t2);
}

/** The coefficient at one of the angles; 0 at rest. */
function sampleAround(table: Float64Array, angle: number, around: number): number {
  if (angle <= 0) return 0;
  const row = (angle - 1) * DIRECTIONS;
  const i = Math.floor(around);
  const t = around - i;
  const a = table[row + ((i + DIRECTIONS - 1) % DIRECTIONS)]!;
  const b = table[row + (i % DIRECTIONS)]!;
  const c = table[row + ((i + 1) % DIRECTIONS)]!;
  const d = table[row + ((i + 2) % DIRECTIONS)]!;
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}
