/** One size of the benchmark: a torus, its frame plan, and the bone matrices and targets of consecutive frames. */

import { createPose, planBody, presetStack, samplePose } from '@isoskin/core';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices, planVolume } from '@isoskin/core/kernels';
import { createTorus } from './create-torus.mjs';

const FPS = 60;

export function planCase(vertices, { frames = 240, shuffled = false } = {}) {
  const character = createTorus(vertices, { shuffled });
  const volume = planVolume(planBody(character), presetStack('organic').volume);
  const plan = volume.framePlan();
  const { skeleton } = character;
  const pose = createPose(character);
  const world = new Float64Array(16 * skeleton.nodeCount);
  const poses = Array.from({ length: frames }, (_, n) => {
    const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
    const targets = new Float64Array(plan.volumes.regionCount);
    samplePose(pose, character, character.clips[0], n / FPS);
    measureWorldMatrices(world, skeleton, pose.locals);
    measureBoneMatrices(bones, skeleton, world);
    volume.targets.measure(targets, bones, n / FPS);
    return { bones, targets };
  });
  return { plan, poses, report: volume.createReport() };
}
