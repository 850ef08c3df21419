/**
 * Sampled poses of a skeleton, from its rest joints alone: at rest, and every bone turned by one angle about an axis across it.
 *
 *   M_i = M_parent(i) · R(joint_i, ±axis, BEND)
 *
 * Two axes, two senses, and every third bone of a chain at a time, so that a joint bends alone: which way the axis of its neighbour points, which a mirror
 * may turn, does not matter. A bone's frame is its own longest segment and the two axes across it.
 */
import { cross } from '../mesh/cross.js';
import { measureLength } from '../mesh/measure-length.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { type BoneSegments, orderParentsFirst } from '../skeleton/plan-bone-segments.js';

/** A strong, ordinary bend: elbows and knees go beyond it, spines and necks do not. */
const BEND = (40 * Math.PI) / 180;

/** Sine of the angle to its parent from which on a bone is bent in the plane of the two. */
const CROOKED = 0.1;

/** Each writes the bone matrices of a pose, #B×12. */
export function createBends(segments: BoneSegments): ((out: Float64Array) => void)[] {
  const order = orderParentsFirst(segments.parents);
  const frames: number[][][] = [];
  for (const i of order) frames[i] = measureFrame(segments, i, frames[segments.parents[i]!]);
  const depths = new Uint32Array(order.length);
  for (const i of order) depths[i] = segments.parents[i]! >= 0 ? depths[segments.parents[i]!]! + 1 : 0;
  const poses = [1, 2].flatMap((axis) =>
    [1, -1].flatMap((sense) => [0, 1, 2].map((third) => ({ axis, sense, third }))),
  );
  return [{ axis: 1, sense: 0, third: 0 }, ...poses].map(({ axis, sense, third }) => (out: Float64Array) => {
    for (const i of order) {
      const angle = depths[i]! % 3 === third ? sense * BEND : 0;
      writeTurn(out, BONE_STRIDE * i, frames[i]![axis]!, angle, segments.joints, 3 * i);
      const parent = segments.parents[i]!;
      if (parent >= 0) multiply(out, BONE_STRIDE * parent, BONE_STRIDE * i);
    }
  });
}

/** Unit vectors along and across a bone: first out of the plane that it makes with its parent, or as the parent's where they are in line. */
function measureFrame({ offsets, points }: BoneSegments, i: number, parent?: number[][]): number[][] {
  let along = [0, 0, 1];
  let longest = 0;
  for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
    const v = [0, 1, 2].map((r) => points[6 * n + 3 + r]! - points[6 * n + r]!);
    const length = measureLength(v[0]!, v[1]!, v[2]!);
    if (!(length > longest)) continue;
    longest = length;
    along = v.map((x) => x / length);
  }
  const least = [0, 1, 2].reduce((a, b) => (Math.abs(along[b]!) < Math.abs(along[a]!) ? b : a));
  const crooked = parent ? cross(parent[0]!, along) : [0, 0, 0];
  let across = crooked;
  if (!(measureLength(crooked[0]!, crooked[1]!, crooked[2]!) > CROOKED)) {
    const like = parent?.[1] ?? [0, 1, 2].map((r) => +(r === least));
    const share = like.reduce((sum, x, r) => sum + x * along[r]!, 0);
    across = like.map((x, r) => x - share * along[r]!);
  }
  const length = measureLength(across[0]!, across[1]!, across[2]!);
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
