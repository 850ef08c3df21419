import type { Character } from '../character/character.js';
import { invertAffine } from './matrices.js';
import { createPose, samplePose } from './pose.js';
import { POSE_STRIDE } from './skeleton.js';

/** Samples of each clip: enough to see which way a joint bends. */
const SAMPLES = 16;
/** 2⁸ = 256 steps of the power iteration. */
const SQUARINGS = 8;

/**
 * The axis (rest space, unit) that a bone's joint mostly turns about in the character's clips: the principal direction of
 * its rotation vectors relative to the default pose. [0, 0, 0] when no clip turns it.
 */
export function measureHingeAxis(character: Character, bone: number): [number, number, number] {
  const { skeleton, clips } = character;
  const node = skeleton.boneNodes[bone]!;
  const q0 = skeleton.locals.subarray(node * POSE_STRIDE + 3, node * POSE_STRIDE + 7);
  const pose = createPose(character);
  const sum = new Float64Array(9);
  for (const clip of clips) {
    const own = { ...clip, channels: clip.channels.filter((c) => c.target === node && c.path === 'rotation') };
    if (own.channels.length === 0) continue;
    for (let n = 0; n < SAMPLES; n++) {
      samplePose(pose, character, own, (clip.duration * n) / (SAMPLES - 1));
      const v = rotationBetween(q0, pose.locals.subarray(node * POSE_STRIDE + 3, node * POSE_STRIDE + 7));
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum[3 * i + j]! += v[i]! * v[j]!;
    }
  }
  const axis = principalDirection(sum);
  const bind = new Float64Array(16);
  if (!axis || !invertAffine(bind, 0, skeleton.inverseBinds, 16 * bone)) return [0, 0, 0];
  const turned = [0, 1, 2].map((r) => bind[r]! * axis[0]! + bind[4 + r]! * axis[1]! + bind[8 + r]! * axis[2]!);
  const size = Math.hypot(...turned);
  return size > 0 ? [turned[0]! / size, turned[1]! / size, turned[2]! / size] : [0, 0, 0];
}

/** Rotation vector of conj(a)·b, in the frame of a. */
function rotationBetween(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] {
  const w = a[3]! * b[3]! + a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const x = a[3]! * b[0]! - a[0]! * b[3]! - (a[1]! * b[2]! - a[2]! * b[1]!);
  const y = a[3]! * b[1]! - a[1]! * b[3]! - (a[2]! * b[0]! - a[0]! * b[2]!);
  const z = a[3]! * b[2]! - a[2]! * b[3]! - (a[0]! * b[1]! - a[1]! * b[0]!);
  const sine = Math.hypot(x, y, z);
  const scale = sine > 1e-12 ? (2 * Math.atan2(sine, Math.abs(w)) * Math.sign(w || 1)) / sine : 0;
  return [x * scale, y * scale, z * scale];
}

/**
 * Eigenvector of the largest eigenvalue of a symmetric 3×3; null for the zero matrix. Squaring the matrix again and again
 * leaves the projection onto it: no start vector that could be orthogonal to the answer.
 */
function principalDirection(m: Float64Array): number[] | null {
  let power = m;
  for (let n = 0; n < SQUARINGS; n++) {
    const trace = power[0]! + power[4]! + power[8]!;
    if (!(trace > 1e-12)) return null;
    power = power.map((_, e) => {
      const [i, j] = [Math.trunc(e / 3), e % 3];
      return (
        (power[3 * i]! * power[j]! + power[3 * i + 1]! * power[3 + j]! + power[3 * i + 2]! * power[6 + j]!) / trace ** 2
      );
    });
  }
  const column = [0, 1, 2].reduce((best, i) => (power[4 * i]! > power[4 * best]! ? i : best));
  const v = [power[column]!, power[3 + column]!, power[6 + column]!];
  const size = Math.hypot(...v);
  return v.map((c) => c / size);
}
