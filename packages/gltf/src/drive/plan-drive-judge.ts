/** What weights of the drawn shapes do to the regions of a pose: given by the solver, by a driver, or none at all. */

import type { FrameSource, Pose } from '@isoskin/core';
import { createRegionEvaluator, displace } from '@isoskin/core/kernels';
import { createExtendedPositions, measureRegionError } from '@isoskin/core/mesh';

export interface DriveJudge {
  /** Solves a pose; the other calls are about it. */
  pose(pose: Pose): void;
  /** Of what is drawn. */
  readonly weights: Float64Array;
  /** The surface that was measured last. */
  readonly positions: Float64Array;
  /** Largest relative error of a region: as skinned, as drawn, and with these weights. */
  measureLinear(): number;
  measureSolved(): number;
  measureDriven(weights: Float64Array): number;
  /** The same of any positions of the welded surface. */
  measureAt(positions: Float64Array): number;
}

export function planDriveJudge(stack: FrameSource): DriveJudge {
  const { volumes, report, shapes: solved } = stack.volume!;
  const { shapes, amounts: weights } = solved!;
  const { vertexCount } = stack.character.surface;
  const evaluator = createRegionEvaluator({ volumes }, shapes);
  const positions = createExtendedPositions(volumes);
  const { frame } = stack;
  const measure = (): number => {
    evaluator.measureVolumesOnly(positions);
    let worst = 0;
    for (let s = 0; s < shapes.regionCount; s++) {
      const [target, component] = [report.targets[s]!, shapes.componentVolumes[s]!];
      const error = Math.abs(measureRegionError(evaluator.volumes[s]!, target, component));
      if (!(error <= worst)) worst = error;
    }
    return worst;
  };
  const measureAt = (given: Float64Array): number => {
    positions.set(given);
    return measure();
  };
  return {
    weights,
    positions,
    pose: (pose) => void stack.evaluate(pose),
    measureLinear: () => measureAt(frame.skinned),
    measureSolved: () => measureAt(frame.positions),
    measureAt,
    measureDriven(given) {
      const { skinned, directions } = frame;
      displace(positions, { ...shapes, positions: skinned, directions, amounts: given }, 0, vertexCount);
      return measure();
    },
  };
}
