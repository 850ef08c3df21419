import type { Body } from '../body/plan-body.js';
import { type Contact, planContact } from '../contact/plan-contact.js';
import type { FrameKernels, MoveFrame } from '../kernels/frame-plan.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import { createPose } from '../skeleton/pose.js';
import { applyMorphs } from '../skinning/apply-morphs.js';
import type { Frames } from './create-frame-source.js';
import type { Frame } from './frame.js';
import { planVolume } from './plan-volume.js';
import type { Stack } from './stack-spec.js';

/** Frames of skin and volume (C15), whole, by kernels that run them in their own memory; contact parts their surface between two of their steps. */
export function createKernelFrames(
  body: Body,
  { volume, contact }: Stack,
  kernels: FrameKernels<void | Promise<void>>,
  onStep?: (name: string) => void,
): Frames<void | Promise<void>> {
  const { character } = body;
  const { skeleton, morphs, surface } = character;
  const plan = planVolume(body, volume!);
  const runner = kernels.createRunner(plan.framePlan());
  const report = plan.createReport();
  const world = new Float64Array(16 * skeleton.nodeCount);
  const vectors = () => new Float64Array(3 * surface.vertexCount);
  const positions = vectors();
  const frame: Frame = {
    pose: createPose(character),
    time: 0,
    dt: 0,
    warm: false,
    extended: positions,
    positions,
    rest: morphs.length > 0 ? surface.positions.slice() : surface.positions,
    skinned: vectors(),
    directions: plan.directions,
    normals: vectors(),
    bones: new Float64Array(BONE_STRIDE * skeleton.boneCount),
    refined: undefined,
    report,
  };

  const part = contact && planParting(planContact(character, contact), frame, () => runner.skinned);

  function finish(): void {
    unpack(positions, runner.positions);
    unpack(frame.normals, runner.normals);
    if (!part) unpack(frame.skinned, runner.skinned);
    onStep?.('skin and volume');
  }

  return {
    frame,
    volume: { ...plan, report, shapes: { shapes: plan.framePlan().shapes, amounts: runner.amounts } },
    run(pose, time, _dt, warm) {
      frame.warm = warm;
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(frame.bones, skeleton, world);
      if (morphs.length > 0) {
        applyMorphs(frame.rest, character, pose.morphWeights);
        runner.setRest(frame.rest);
      }
      plan.targets.measure(report.targets, frame.bones, time, pose.morphWeights);
      const done = runner.run(frame.bones, report.targets, report, warm, part);
      return done ? done.then(finish) : finish();
    },
    dispose: () => runner.dispose(),
  };
}

/** What the contact layer does, on a surface in the memory of kernels. */
function planParting(contact: Contact, frame: Frame, skinned: () => Float32Array): MoveFrame {
  const { vertices } = contact.samples;
  const ahead = frame.positions.slice();
  skinned(); // from now on it is written
  return (y, places) => {
    unpack(frame.skinned, skinned());
    for (let s = 0; s < vertices.length; s++) {
      const k = vertices[s]!;
      for (let r = 0; r < 3; r++) ahead[3 * k + r] = y[places[k]! + r]!;
    }
    const touches = contact.find(ahead, frame.bones, frame.skinned);
    if (touches) contact.push(y, places);
    return touches;
  };
}

/** #V×4 → #V×3. */
function unpack(out: Float64Array, from: Float32Array): void {
  for (let i = 0, j = 0; i < out.length; i += 3, j += 4) {
    out[i] = from[j]!;
    out[i + 1] = from[j + 1]!;
    out[i + 2] = from[j + 2]!;
  }
}
