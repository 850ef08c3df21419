/**
 * The way from the rest pose to given bone transforms: every bone relative to its parent turns about its own joint by slerp,
 * its stretch and the place of its joint go linearly.
 *
 *   B_i(t) = B_parent(t) · R_i(t),   R_i = B_parent⁻¹ B_i,   R_i(0) = identity,   R_i(1) = R_i
 *
 * B_i = T_i T̄_i⁻¹, #B×12 (three columns, then the translation). Allocation-free after planning.
 */
import { BONE_STRIDE, invertAffine, multiplyAffine } from '../skeleton/matrices.js';
import { type BoneSegments, orderParentsFirst } from '../skeleton/plan-bone-segments.js';
import type { Skeleton } from '../skeleton/skeleton.js';
import { splitRigid } from '../skinning/split-rigid.js';

export interface PosePath {
  /** Sets the end of the way. */
  start(bones: Float64Array): void;
  /** Bone transforms at t ∈ [0, 1]. */
  measure(out: Float64Array, t: number): void;
}

export function planPosePath(skeleton: Skeleton, segments: BoneSegments): PosePath {
  const count = skeleton.boneCount;
  const order = orderParentsFirst(segments.parents);
  const quaternions = new Float64Array(8 * count);
  const stretches = new Float64Array(9 * count);
  const relative = new Float64Array(BONE_STRIDE * count);
  const places = new Float64Array(3 * count); // R_i applied to the bone's own joint
  const parent = new Float64Array(16);
  const child = new Float64Array(16);
  const inverse = new Float64Array(16);
  const product = new Float64Array(16);
  const linear = new Float64Array(9);

  const start = (bones: Float64Array): void => {
    for (let i = 0; i < count; i++) {
      unpack(child, bones, i);
      const p = segments.parents[i]!;
      if (p >= 0) unpack(parent, bones, p);
      if (p >= 0 && invertAffine(inverse, 0, parent, 0)) multiplyAffine(product, 0, inverse, 0, child, 0);
      else product.set(child);
      pack(relative, i, product);
      splitRigid(quaternions, stretches, relative, i);
      const m = BONE_STRIDE * i;
      for (let r = 0; r < 3; r++) {
        places[3 * i + r] = relative[m + 9 + r]!;
        for (let c = 0; c < 3; c++) places[3 * i + r]! += relative[m + 3 * c + r]! * segments.joints[3 * i + c]!;
      }
    }
  };

  const measure = (out: Float64Array, t: number): void => {
    for (const i of order) {
      turnAndStretch(linear, quaternions, stretches, i, t);
      for (let r = 0; r < 3; r++) {
        let place = segments.joints[3 * i + r]! + t * (places[3 * i + r]! - segments.joints[3 * i + r]!);
        for (let c = 0; c < 3; c++) {
          child[4 * c + r] = linear[3 * c + r]!;
          place -= linear[3 * c + r]! * segments.joints[3 * i + c]!;
        }
        child[12 + r] = place;
      }
      const p = segments.parents[i]!;
      if (p < 0) pack(out, i, child);
      else {
        unpack(parent, out, p);
        multiplyAffine(product, 0, parent, 0, child, 0);
        pack(out, i, product);
      }
    }
  };
  return { start, measure };
}

/** Q(t) S(t), by columns: Q(t) = slerp(identity, Q, t), S(t) = (1 − t) I + t S. */
function turnAndStretch(
  out: Float64Array,
  quaternions: Float64Array,
  stretches: Float64Array,
  i: number,
  t: number,
): void {
  const q = 8 * i;
  const sign = quaternions[q + 3]! < 0 ? -1 : 1;
  const sine = Math.hypot(quaternions[q]!, quaternions[q + 1]!, quaternions[q + 2]!);
  const half = Math.atan2(sine, sign * quaternions[q + 3]!);
  const scale = sine > 0 ? (sign * Math.sin(t * half)) / sine : 0;
  const x = scale * quaternions[q]!;
  const y = scale * quaternions[q + 1]!;
  const z = scale * quaternions[q + 2]!;
  const w = Math.cos(t * half);
  for (let c = 0; c < 3; c++) {
    const u = t * stretches[9 * i + 3 * c]! + (c === 0 ? 1 - t : 0);
    const v = t * stretches[9 * i + 3 * c + 1]! + (c === 1 ? 1 - t : 0);
    const s = t * stretches[9 * i + 3 * c + 2]! + (c === 2 ? 1 - t : 0);
    out[3 * c] = (1 - 2 * (y * y + z * z)) * u + 2 * (x * y - w * z) * v + 2 * (x * z + w * y) * s;
    out[3 * c + 1] = 2 * (x * y + w * z) * u + (1 - 2 * (x * x + z * z)) * v + 2 * (y * z - w * x) * s;
    out[3 * c + 2] = 2 * (x * z - w * y) * u + 2 * (y * z + w * x) * v + (1 - 2 * (x * x + y * y)) * s;
  }
}

function unpack(out: Float64Array, bones: Float64Array, i: number): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) out[4 * c + r] = bones[BONE_STRIDE * i + 3 * c + r]!;
    out[4 * c + 3] = c === 3 ? 1 : 0;
  }
}

function pack(out: Float64Array, i: number, matrix: Float64Array): void {
  for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) out[BONE_STRIDE * i + 3 * c + r] = matrix[4 * c + r]!;
}
