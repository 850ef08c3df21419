/** One character on whole-frame kernels, posed in one call: the runner itself, without the arrays of a frame source. */

import { type Character, type Pose, planBody, presetStack, type VolumeReport } from '@isoskin/core';
import {
  BONE_STRIDE,
  displace,
  type FrameKernels,
  type FramePlan,
  measureBoneMatrices,
  measureWorldMatrices,
  planVolume,
  skinLinear,
} from '@isoskin/core/kernels';

export const planFrameOf = (character: Character, spec = presetStack('organic')): FramePlan =>
  planVolume(planBody(character), spec.volume).framePlan();

export type OpenRunner<Kernels extends FrameKernels> = {
  readonly character: Character;
  readonly runner: ReturnType<Kernels['createRunner']>;
  readonly report: VolumeReport;
  /** Bone matrices of the last pose, #B×12. */
  readonly bones: Float64Array;
  evaluate(pose: Pose, warm?: boolean): void;
  dispose(): void;
};

export function openRunner<Kernels extends FrameKernels>(character: Character, kernels: Kernels): OpenRunner<Kernels> {
  const plan = planVolume(planBody(character), presetStack('organic').volume);
  const { skeleton } = character;
  const runner = kernels.createRunner(plan.framePlan()) as ReturnType<Kernels['createRunner']>;
  const report = plan.createReport();
  const world = new Float64Array(16 * skeleton.nodeCount);
  const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  return {
    character,
    runner,
    report,
    bones,
    evaluate(pose, warm = false) {
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(bones, skeleton, world);
      plan.targets.measure(report.targets, bones, 0, pose.morphWeights);
      runner.run(bones, report.targets, report, warm);
    },
    dispose: () => runner.dispose(),
  };
}

/** y = skin(x̄) + Σ λ φ A n̄ by the reference kernels, #V×3. */
export function placeSurface(plan: FramePlan, bones: Float64Array, amounts: Float64Array): Float64Array {
  const skinned = {
    positions: new Float64Array(3 * plan.vertexCount),
    directions: new Float64Array(3 * plan.vertexCount),
  };
  const { positions, directions, offsets, weights } = plan;
  skinLinear(skinned, { positions, directions, offsets, bones: plan.bones, weights }, bones, 0, plan.vertexCount);
  const out = new Float64Array(3 * plan.vertexCount);
  displace(out, { ...plan.shapes, ...skinned, amounts }, 0, plan.vertexCount);
  return out;
}
