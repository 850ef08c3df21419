import type { Body } from '../body/plan-body.js';
import type { SearchPlan } from '../contact/pair-search.js';
import { type Contact, planContact } from '../contact/plan-contact.js';
import type { AmountSamples } from '../correction/shape-budget.js';
import type { FleshPlan, FrameKernels, FrameMoves, MoveFrame } from '../kernels/frame-plan.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import { createPose } from '../skeleton/pose.js';
import { applyMorphs } from '../skinning/apply-morphs.js';
import type { Frames } from './create-frame-source.js';
import { planFleshLayer } from './flesh-layer.js';
import type { Frame } from './frame.js';
import { planVolume } from './plan-volume.js';
import type { Stack } from './stack-spec.js';

/**
 * Frames of skin and volume (C15), whole, by kernels that run them in their own memory; flesh swings their skin, or contact parts their surface between two
 * steps.
 */
export function createKernelFrames(
  body: Body,
  { flesh: fleshOptions, volume, contact }: Stack,
  kernels: FrameKernels<void | Promise<void>>,
  onStep?: (name: string) => void,
  samples?: AmountSamples,
): Frames<void | Promise<void>> {
  const { character } = body;
  const { skeleton, morphs, surface } = character;
  const plan = planVolume(body, volume!, samples);
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

  const skinned = () => runner.skinned;
  const createSearch = kernels.createSearch && ((search: SearchPlan) => kernels.createSearch!(search, skinned));
  const createFlesh = (one: FleshPlan) => kernels.createFlesh!(one, runner.positions);
  const flesh = fleshOptions && planFleshLayer(body, fleshOptions, kernels.createFlesh ? { createFlesh } : {});
  const moves: FrameMoves = {
    skinned: flesh && ((y, places) => flesh.move(frame, y, places)),
    ahead: contact && planParting(planContact(character, contact, {}, createSearch), frame, skinned),
  };

  function finish(): void {
    unpack(positions, runner.positions);
    unpack(frame.normals, runner.normals);
    if (!contact) unpack(frame.skinned, runner.skinned);
    onStep?.('skin and volume');
  }

  return {
    frame,
    volume: {
      ...plan,
      report,
      shapes: { shapes: plan.framePlan().shapes, amounts: runner.amounts },
    },
    run(pose, time, _dt, warm) {
      frame.warm = warm;
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(frame.bones, skeleton, world);
      if (morphs.length > 0) {
        applyMorphs(frame.rest, character, pose.morphWeights);
        runner.setRest(frame.rest);
      }
      plan.targets.measure(report.targets, frame.bones, time, pose.morphWeights);
      const done = runner.run(frame.bones, report.targets, report, warm, moves);
      return done ? done.then(finish) : finish();
    },
    ...(flesh && { seek: flesh.seek!, reset: flesh.reset! }),
    dispose() {
      flesh?.dispose?.();
      runner.dispose();
    },
  };
}

/** What the contact layer does, on a surface in the memory of kernels. */
function planParting(contact: Contact, frame: Frame, skinned: () => Float32Array): MoveFrame {
  skinned(); // from now on it is written
  return (y, places) => {
    unpack(frame.skinned, skinned());
    const touches = contact.find(y, frame.bones, frame.skinned, places);
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
