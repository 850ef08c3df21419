/**
 * A box that holds what is drawn, from the bones and amounts alone: for culling, and the first test of a ray.
 *
 *   |y − T c_i| ≤ |T| h_i + ‖T‖ (Σ_s |λ_s| q_is + Σ_m |w_m| p_m)   in every coordinate, T = T_i T̄_i⁻¹
 *
 * A skinned vertex is a weighted mean of what its bones make of it, so the boxes around each bone's vertices, moved with the bones and grown by
 * what is pushed, hold it.  c, h  middle and half size of a bone's box at rest;  q_is  furthest that shape s pushes a vertex of bone i;  p  the same
 * of a morph target.  O(bones · shapes).
 */
import type { Character } from '@isoskin/core';
import type { FramePlan } from '@isoskin/core/kernels';
import { Matrix4 } from 'three';
import type { BodyPose, Drawing, MeshSpaces } from './path.js';

export interface BoneBoxes {
  /** c and h of every bone, #B×6; h < 0 where no vertex hangs on it. */
  readonly boxes: Float64Array;
  /** q, #B×K. */
  readonly pushes: Float64Array;
  /** p. */
  readonly morphReach: Float64Array;
}

export function planBoneBoxes({ binding, surface, skeleton, morphs }: Character, plan: FramePlan): BoneBoxes {
  const { positions: x, vertexCount } = surface;
  const { offsets, shapes, values, shapeCount: K } = plan.shapes;
  const boxes = new Float64Array(6 * skeleton.boneCount);
  const pushes = new Float64Array(K * skeleton.boneCount);
  for (let i = 0; i < boxes.length; i++) boxes[i] = i % 6 < 3 ? Infinity : -Infinity;
  for (let v = 0; v < vertexCount; v++) {
    const length = measureLength(plan.directions, v);
    for (let n = binding.offsets[v]!; n < binding.offsets[v + 1]!; n++) {
      const bone = binding.bones[n]!;
      for (let r = 0; r < 3; r++) {
        boxes[6 * bone + r] = Math.min(boxes[6 * bone + r]!, x[3 * v + r]!);
        boxes[6 * bone + 3 + r] = Math.max(boxes[6 * bone + 3 + r]!, x[3 * v + r]!);
      }
      for (let e = offsets[v]!; e < offsets[v + 1]!; e++) {
        const at = K * bone + shapes[e]!;
        pushes[at] = Math.max(pushes[at]!, Math.abs(values[e]!) * length);
      }
    }
  }
  for (let b = 0; b < boxes.length; b += 6) {
    for (let r = b; r < b + 3; r++) {
      const [low, high] = [boxes[r]!, boxes[r + 3]!];
      boxes[r] = (low + high) / 2;
      boxes[r + 3] = (high - low) / 2;
    }
  }
  const morphReach = Float64Array.from(morphs, ({ deltas }) => {
    let most = 0;
    for (let v = 0; 3 * v < deltas.length; v++) most = Math.max(most, measureLength(deltas, v));
    return most;
  });
  return { boxes, pushes, morphReach };
}

function measureLength(vectors: ArrayLike<number>, v: number): number {
  return Math.hypot(vectors[3 * v]!, vectors[3 * v + 1]!, vectors[3 * v + 2]!);
}

/** Box (low x y z, high x y z) around the moved boxes, in body space. */
export function measureBounds(
  out: Float64Array,
  { boxes, pushes, morphReach }: BoneBoxes,
  { bones, morphWeights }: Pick<BodyPose, 'bones' | 'morphWeights'>,
  amounts: Float64Array,
): void {
  const K = amounts.length;
  let morphed = 0;
  for (let k = 0; k < morphWeights.length; k++) morphed += Math.abs(morphWeights[k]!) * morphReach[k]!;
  out.fill(Infinity, 0, 3);
  out.fill(-Infinity, 3);
  for (let b = 0, m = 0, p = 0; b < boxes.length; b += 6, m += 12, p += K) {
    if (!(boxes[b + 3]! >= 0)) continue;
    let push = morphed;
    for (let s = 0; s < K; s++) push += Math.abs(amounts[s]!) * pushes[p + s]!;
    let stretch = 0;
    for (let c = m; c < m + 9; c += 3) {
      stretch = Math.max(stretch, bones[c]! ** 2 + bones[c + 1]! ** 2 + bones[c + 2]! ** 2);
    }
    push *= Math.sqrt(stretch);
    for (let r = 0; r < 3; r++) {
      let centre = bones[m + 9 + r]!;
      let reach = push;
      for (let c = 0; c < 3; c++) {
        centre += bones[m + 3 * c + r]! * boxes[b + c]!;
        reach += Math.abs(bones[m + 3 * c + r]!) * boxes[b + 3 + c]!;
      }
      out[r] = Math.min(out[r]!, centre - reach);
      out[3 + r] = Math.max(out[3 + r]!, centre + reach);
    }
  }
}

const bounds = new Float64Array(6);
const matrix = new Matrix4();

/** The boxes and spheres of what is drawn in a pose, each in the space of its mesh. */
export function placeBounds(
  drawings: readonly Drawing[],
  boxes: BoneBoxes,
  pose: Pick<BodyPose, 'bones' | 'morphWeights'>,
  amounts: Float64Array,
  spaces: MeshSpaces,
): void {
  measureBounds(bounds, boxes, pose, amounts);
  for (const [m, { box, sphere }] of drawings.entries()) {
    box.min.fromArray(bounds, 0);
    box.max.fromArray(bounds, 3);
    if (spaces[m]) box.applyMatrix4(matrix.fromArray(spaces[m]));
    box.getBoundingSphere(sphere);
  }
}
