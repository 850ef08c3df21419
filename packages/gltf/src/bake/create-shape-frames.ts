/**
 * Frames of a stack that is shapes alone, for a bake, on the WASM kernels: cold where nothing else is asked for, and to 10⁻⁵ of a region. No normals, no surface unless asked for.
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
  /** λ; absent where the stack has no shapes. */
  readonly amounts: Float64Array | undefined;
  /** V of the regions, where they are known. */
  readonly volumes?: Float64Array;
}

export interface FrameWishes {
  readonly skinned?: boolean;
  readonly positions?: boolean;
  /** λ of the regions; else they are 0. Default true. */
  readonly solved?: boolean;
  /** V̄ where it is not that of the stack. */
  readonly targets?: Float64Array;
  /** Amounts of the given shapes where they are not those of the pose. */
  readonly given?: Float64Array;
  /** λ starts from that of the last sample, or from this one. */
  readonly warm?: boolean | Float64Array;
}

/** @returns the frame of a sample, overwritten by the next. */
export type ShapeFrames = (sample: Sample, wants?: FrameWishes) => ShapeFrame;

/** How a stack is laid out for kernels, and the plan that is. */
export interface LaidOutFrame {
  readonly plan: FramePlan;
  readonly laidOut: LaidOut;
}

/** @param shapes those of the stack, or the same with other values. @param tolerance share of its volume that a region may be off by. @param laidOut where that is done */
export function createShapeFrames(
  stack: Pick<BakeStack, 'character' | 'volume'>,
  kernels: WasmKernels,
  shapes: Shapes = stack.volume!.shapes!.shapes,
  tolerance = 0,
  laidOut?: LaidOut,
): ShapeFrames {
  const { character } = stack;
  const { surface, skeleton, morphs } = character;
  const { vertexCount, positions } = surface;
  const { targets: plan } = stack.volume!;
  const { boneCount, nodeCount } = skeleton;
  const { given } = shapes;
  let known: Float64Array | undefined;
  const measure = (out: Float64Array, at: number, bones: ArrayLike<number>): void => {
    if (known) out.set(known, at);
    else given!.measure(out, at, bones);
  };
  const played = given ? { ...shapes, given: { ...given, measure } } : shapes;
  const runner = kernels.createRunner({ ...planShapeFrame(stack, played), solver: { tolerance } }, laidOut);
  const world = new Float64Array(16 * nodeCount);
  const rest = positions.slice();
  const own = new Float64Array(shapes.regionCount);
  const report = createSolverReport(shapes.regionCount);
  const out = {
    pose: createPose(character),
    bones: new Float64Array(BONE_STRIDE * boneCount),
    skinned: new Float64Array(3 * vertexCount),
    positions: new Float64Array(3 * vertexCount),
    amounts: runner.amounts,
    volumes: report.volumes,
  };
  return ({ clip, time }, wants = {}) => {
    const { skinned = false, positions = false, solved = true, targets = own } = wants;
    const warm = wants.warm !== undefined && wants.warm !== false;
    if (typeof wants.warm === 'object') runner.startFrom(wants.warm);
    known = wants.given;
    const { pose, bones } = out;
    samplePose(pose, character, character.clips[clip], time);
    measureWorldMatrices(world, skeleton, pose.locals);
    measureBoneMatrices(bones, skeleton, world);
    if (morphs.length > 0) {
      applyMorphs(rest, character, pose.morphWeights);
      runner.setRest(rest);
    }
    if (solved && targets === own) plan.measure(own, bones, time, pose.morphWeights);
    if (positions) {
      runner.run(bones, targets, report, warm);
      unpack(out.positions, runner.positions);
    } else if (solved) runner.solve(bones, targets, report, warm);
    else {
      runner.runSkin(bones, false);
      out.amounts.fill(0);
      given?.measure(out.amounts, shapes.regionCount, bones);
    }
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
