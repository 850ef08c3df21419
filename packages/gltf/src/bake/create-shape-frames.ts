/**
 * Frames of a stack that is shapes alone, for a bake: cold, and to 10⁻⁵ of a region, since the amounts are solved again through what the
 * file holds (solve-again.ts). No normals, no report: half the time of the frame source.
 */
import { createPose, type FrameSource, type Pose, samplePose } from '@isoskin/core';
import { createShapeSolver, createSolverReport, planSkinning } from '@isoskin/core/kernels';
import { createExtendedPositions } from '@isoskin/core/mesh';
import type { Sample } from './list-samples.js';

export interface ShapeFrame {
  readonly pose: Pose;
  readonly bones: Float64Array;
  readonly skinned: Float64Array;
  readonly positions: Float64Array;
  /** λ; absent where the stack has no shapes. */
  readonly amounts: Float64Array | undefined;
}

/** From an error of 3·10⁻³ the next step leaves its square. */
const ACCURACY = { tolerance: 1e-5, totalTolerance: 1e-5, lastStep: 3e-3 };

export function createShapeFrames({ character, volume }: FrameSource): (sample: Sample) => ShapeFrame {
  const pose = createPose(character);
  const size = 3 * character.surface.vertexCount;
  const skinned = new Float64Array(size);
  const skinning = planSkinning(character, volume && { directions: volume.directions! });
  const extended = volume ? createExtendedPositions(volume.volumes) : new Float64Array(size);
  const solver = volume && createShapeSolver(volume.volumes, volume.shapes!.shapes, ACCURACY);
  const directions = new Float64Array(size);
  const targets = new Float64Array(volume?.regions.count ?? 0);
  const report = createSolverReport(targets.length);
  const { bones } = skinning;
  const input = { positions: extended, directions, targets, bones, report };
  const frame = { pose, bones, skinned, positions: extended.subarray(0, size), amounts: solver?.amounts };
  return ({ clip, time }) => {
    samplePose(pose, character, character.clips[clip], time);
    skinning.apply(input, pose);
    skinned.set(frame.positions);
    volume?.targets.measure(targets, bones, time, pose.morphWeights);
    solver?.apply(input);
    return frame;
  };
}
