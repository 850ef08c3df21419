/**
 * Frames of a stack that is shapes alone, for a bake, on the WASM kernels: cold, to 10⁻⁵ of a region. No surface unless asked for.
 *
 *   V_s(skin(x̄ + Σ λ_s d_s)) = V̄_s(pose)        λ, V and skin(x̄)
 */

import type { Pose } from '@isoskin/core';
import {
  applyMorphs,
  BONE_STRIDE,
  createPose,
  createSolverReport,
  measureBoneMatrices,
  measureWorldMatrices,
  samplePose,
} from '@isoskin/core/frames';
import type { FramePlan, Shapes } from '@isoskin/core/kernels';
import type { LaidOut, WasmKernels } from '@isoskin/wasm';
import type { BakeStack } from './create-frame-baker.js';
import type { Sample } from './list-samples.js';

export interface ShapeFrame {
  readonly pose: Pose;
  readonly bones: Float64Array;
  /** skin(x̄), #V×3; and, where asked for, with the shapes. */
  readonly skinned: Float64Array;
  readonly positions: Float64Array;
  /** Of what is drawn; absent where the stack has no shapes. */
  readonly weights: Float64Array | undefined;
  /** V of the regions, where they are known. */
  readonly volumes?: Float64Array;
}

export interface FrameWishes {
  readonly skinned?: boolean;
  readonly positions?: boolean;
}

/** @returns the frame of a sample, overwritten by the next. */
export type ShapeFrames = (sample: Sample, wants?: FrameWishes) => ShapeFrame;

/** How a stack is laid out for kernels, and the plan that is. */
export interface LaidOutFrame {
  readonly plan: FramePlan;
  readonly laidOut: LaidOut;
}

/** @param laidOut where that is done */
export function createShapeFrames(
  stack: Pick<BakeStack, 'character' | 'volume'>,
  kernels: WasmKernels,
  laidOut?: LaidOut,
): ShapeFrames {
  const { character } = stack;
  const { surface, skeleton, morphs } = character;
  const { vertexCount, positions } = surface;
  const { shapes } = stack.volume!.shapes!;
  const { targets } = stack.volume!;
  const runner = kernels.createRunner(planShapeFrame(stack, shapes), laidOut);
  const world = new Float64Array(16 * skeleton.nodeCount);
  const rest = positions.slice();
  const wanted = new Float64Array(shapes.regionCount);
  const report = createSolverReport(shapes.regionCount);
  const out = {
    pose: createPose(character),
    bones: new Float64Array(BONE_STRIDE * skeleton.boneCount),
    skinned: new Float64Array(3 * vertexCount),
    positions: new Float64Array(3 * vertexCount),
    weights: runner.amounts,
    volumes: report.volumes,
  };
  return ({ clip, time }, { skinned = false, positions = false } = {}) => {
    const { pose, bones } = out;
    samplePose(pose, character, character.clips[clip], time);
    measureWorldMatrices(world, skeleton, pose.locals);
    measureBoneMatrices(bones, skeleton, world);
    if (morphs.length > 0) {
      applyMorphs(rest, character, pose.morphWeights);
      runner.setRest(rest);
    }
    targets.measure(wanted, bones, time, pose.morphWeights);
    if (positions) {
      runner.run(bones, wanted, report, false);
      unpack(out.positions, runner.positions);
    } else runner.solve(bones, wanted, report, false);
    if (skinned) unpack(out.skinned, runner.skinned);
    return out;
  };
}

/** What kernels take. */
export function planShapeFrame(
  { character, volume }: Pick<BakeStack, 'character' | 'volume'>,
  shapes: Shapes,
): FramePlan {
  const { surface, skeleton, binding } = character;
  const { vertexCount, positions } = surface;
  const { volumes, directions } = volume!;
  return { vertexCount, boneCount: skeleton.boneCount, positions, directions, ...binding, volumes, shapes, solver: {} };
}

/** #V×4 → #V×3. */
function unpack(out: Float64Array, from: Float32Array): void {
  for (let i = 0, j = 0; i < out.length; i += 3, j += 4) {
    out[i] = from[j]!;
    out[i + 1] = from[j + 1]!;
    out[i + 2] = from[j + 2]!;
  }
}
