/**
 * A2, A3. From a pose to skinned positions: morph targets first, then linear, dual-quaternion or rigid skinning.
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008 (the correction sits on top of
 * any skinning); Kavan et al., "Geometric skinning with approximate dual quaternion blending", 2008.
 */
import type { Character } from '../character/character.js';
import { type SkinInput, type SkinOutput, skinLinear } from '../kernels/reference-kernels.js';
import { skinDualQuaternion } from '../kernels/skin-dual-quaternion.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import type { Pose } from '../skeleton/skeleton.js';
import { applyMorphs } from './apply-morphs.js';
import { splitRigid } from './split-rigid.js';

export const SKINNINGS = ['linear', 'dual-quaternion', 'rigid'] as const;
export type Skinning = (typeof SKINNINGS)[number];

export interface SkinningOptions {
  readonly skinning?: Skinning;
  /** n̄, #V×3: the field that is turned with the skin. Default: none (zero). */
  readonly directions?: Float64Array;
}

export interface SkinningPlan {
  /** World matrices of the last pose, #N×16. */
  readonly world: Float64Array;
  /** T_i T̄_i⁻¹ of the last pose, #B×12. */
  readonly bones: Float64Array;
  /** x̄ after morphing, #V×3. */
  readonly morphed: Float64Array;
  /** Skins `pose` into `out`. */
  apply(out: SkinOutput, pose: Pose): void;
}

export function planSkinning(character: Character, options: SkinningOptions = {}): SkinningPlan {
  const { surface, skeleton, binding, morphs } = character;
  const { skinning = 'linear' } = options;
  const count = surface.vertexCount;
  const world = new Float64Array(16 * skeleton.nodeCount);
  const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  const morphed = morphs.length > 0 ? surface.positions.slice() : surface.positions;
  const skin: SkinInput = {
    positions: morphed,
    directions: options.directions ?? new Float64Array(3 * count),
    ...(skinning === 'rigid' ? rigidInfluences(character) : binding),
  };
  const dual = skinning === 'dual-quaternion';
  const quaternions = new Float64Array(dual ? 8 * skeleton.boneCount : 0);
  const stretches = new Float64Array(dual ? 9 * skeleton.boneCount : 0);

  const apply = (out: SkinOutput, pose: Pose): void => {
    measureWorldMatrices(world, skeleton, pose.locals);
    measureBoneMatrices(bones, skeleton, world);
    if (morphs.length > 0) applyMorphs(morphed, character, pose.morphWeights);
    if (dual) {
      for (let i = 0; i < skeleton.boneCount; i++) splitRigid(quaternions, stretches, bones, i);
      skinDualQuaternion(out, skin, quaternions, stretches, 0, count);
    } else skinLinear(out, skin, bones, 0, count);
  };
  return { world, bones, morphed, apply };
}

/** One bone per vertex: its strongest (influences are sorted, so the first). */
function rigidInfluences({ surface, binding }: Character): Pick<SkinInput, 'offsets' | 'bones' | 'weights'> {
  const count = surface.vertexCount;
  const offsets = Uint32Array.from({ length: count + 1 }, (_, k) => k);
  const bones = Uint32Array.from({ length: count }, (_, k) => binding.bones[binding.offsets[k]!]!);
  return { offsets, bones, weights: new Float64Array(count).fill(1) };
}
