/** What whole-frame kernels are given: the plan of the volume layer once, bone matrices, rest shape and targets per frame. */
import {
  applyMorphs,
  BONE_STRIDE,
  type Character,
  createFramePlan,
  type FramePlan,
  measureBoneMatrices,
  measureWorldMatrices,
  type Pose,
  planVolumeContext,
  type StackSpec,
  typescriptKernels,
  type VolumeContext,
  type VolumeLayerSpec,
} from '@isoskin/core';

export interface FrameInputs {
  readonly context: VolumeContext;
  readonly plan: FramePlan;
  /** #B×12, of the last pose. */
  readonly bones: Float64Array;
  /** Rest shape with morph targets applied; undefined for a character that has none. */
  readonly morphed: Float64Array | undefined;
  /** Fills `bones`, `morphed` and the targets of the context's report. */
  measure(pose: Pose, time: number): void;
}

export function planFrameInputs(character: Character, spec: StackSpec): FrameInputs {
  const options = spec.layers.find((layer) => layer.layer === 'volume' && layer.enabled !== false) as VolumeLayerSpec;
  const context = planVolumeContext({ character, kernels: typescriptKernels }, options);
  const { skeleton, morphs, surface } = character;
  const world = new Float64Array(16 * skeleton.nodeCount);
  const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  const morphed = morphs.length > 0 ? surface.positions.slice() : undefined;
  return {
    context,
    plan: createFramePlan(context, options),
    bones,
    morphed,
    measure(pose, time) {
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(bones, skeleton, world);
      if (morphed) applyMorphs(morphed, character, pose.morphWeights);
      context.targets.measure(context.report.targets, bones, time, pose.morphWeights);
    },
  };
}
