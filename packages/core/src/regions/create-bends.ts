/**
 * Sampled poses of a skeleton, from its rest joints alone: at rest, and every bone turned by one angle about an axis across it.
 *
 *   M_i = M_parent(i) · R(joint_i, ±axis, BEND)
 *
 * One pose for each of two axes and two senses. A bone's frame is its own longest segment and the two axes across it.
 */
import { cross } from '../mesh/cross.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { type BoneSegments, orderParentsFirst } from '../skeleton/plan-bone-segments.js';

/** A strong, ordinary bend: elbows and knees go beyond it, spines and necks do not. */
const BEND = (40 * Math.PI) / 180;

/** Each writes the bone matrices of a pose, #B×12. */
export function createBends(segments: BoneSegments): ((out: Float64Array) => void)[] {
  const order = orderParentsFirst(segments.parents);
  const frames = order.map((i) => measureFrame(segments, i));
  const poses = [
    [1, 0],
    [1, 1],
    [1, -1],
    [2, 1],
    [2, -1],
  ] as const;
  return poses.map(([axis, sense]) => (out: Float64Array) => {
    for (const [n, i] of order.entries()) {
      writeTurn(out, BONE_STRIDE * i, frames[n]![axis]!, sense * BEND, segments.joints, 3 * i);
      const parent = segments.parents[i]!;
      if (parent >= 0) multiply(out, BONE_STRIDE * parent, BONE_STRIDE * i);
    }
  });
}

/** Unit vectors along and across a bone. */
function measureFrame({ offsets, points }: BoneSegments, i: number): number[][] {
  let along = [0, 0, 1];
  let longest = 0;
  for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
    const v = [0, 1, 2].map((r) => points[6 * n + 3 + r]! - points[6 * n + r]!);
    const length = Math.hypot(v[0]!, v[1]!, v[2]!);
    if (!(length > longest)) continue;
    longest = length;
    along = v.map((x) => x / length);
  }
  const least = [0, 1, 2].reduce((a, b) => (Math.abs(along[b]!) < Math.abs(along[a]!) ? b : a));
  const across = cross(
    along,
    [0, 1, 2].map((r) => +(r === least)),
  );
  const length = Math.hypot(across[0]!, across[1]!, across[2]!);
  const second = across.map((x) => x / length);
  return [along, second, cross(along, second)];
}

/** Rotation about an axis through a point, as three columns and a translation. */
function writeTurn(
  out: Float64Array,
  at: number,
  [x, y, z]: readonly number[],
  angle: number,
  points: Float64Array,
  p: number,
): void {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const [a, b, d] = [x!, y!, z!];
  out[at] = c + a * a * (1 - c);
  out[at + 1] = a * b * (1 - c) + d * s;
  out[at + 2] = a * d * (1 - c) - b * s;
  out[at + 3] = a * b * (1 - c) - d * s;
  out[at + 4] = c + b * b * (1 - c);
  out[at + 5] = b * d * (1 - c) + a * s;
  out[at + 6] = a * d * (1 - c) + b * s;
  out[at + 7] = b * d * (1 - c) - a * s;
  out[at + 8] = c + d * d * (1 - c);
  for (let r = 0; r < 3; r++) {
    out[at + 9 + r] =
      points[p + r]! -
      (out[at + r]! * points[p]! + out[at + 3 + r]! * points[p + 1]! + out[at + 6 + r]! * points[p + 2]!);
  }
}

/** M_b ← M_a M_b. */
function multiply(out: Float64Array, a: number, b: number): void {
  for (let column = 0; column < 4; column++) {
    const at = b + 3 * column;
    const [x, y, z] = [out[at]!, out[at + 1]!, out[at + 2]!];
    for (let r = 0; r < 3; r++) {
      const moved = out[a + r]! * x + out[a + 3 + r]! * y + out[a + 6 + r]! * z;
      out[at + r] = column === 3 ? moved + out[a + 9 + r]! : moved;
    }
  }
}
