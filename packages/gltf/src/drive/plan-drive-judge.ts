/** What amounts do to the regions of a pose: given by the solver, by a driver, or none at all. */

import type { FrameSource, Pose } from '@isoskin/core';
import { createRegionEvaluator, displace, type Shapes } from '@isoskin/core/kernels';
import { createExtendedPositions, measureRegionError, measureRegionScale } from '@isoskin/core/mesh';

export interface DriveJudge {
  /** Solves a pose; the other calls are about it. */
  pose(pose: Pose): void;
  /** λ of the solver. */
  readonly amounts: Float64Array;
  /** The surface that was measured last. */
  readonly positions: Float64Array;
  /** Largest relative error of a region: as skinned, as solved, and with these amounts. */
  measureLinear(): number;
  measureSolved(): number;
  measureDriven(amounts: Float64Array): number;
  /** The same of any positions of the welded surface. */
  measureAt(positions: Float64Array): number;
  /** ∂V_s/∂λ_t over what region s is judged against, at the solved surface, K×K by rows. */
  measureSlopes(out: Float32Array): void;
}

/** @param shapes those that are driven; default: all of the stack. */
export function planDriveJudge(stack: FrameSource, shapes: Shapes = stack.volume!.shapes!.shapes): DriveJudge {
  const layer = stack.volume!;
  const { amounts } = layer.shapes!;
  const { volumes, report } = layer;
  const { vertexCount } = stack.character.surface;
  const K = shapes.regionCount;
  const evaluator = createRegionEvaluator({ volumes }, shapes);
  const positions = createExtendedPositions(volumes);
  const { frame } = stack;
  const measureWorst = (measured: Float64Array): number => {
    let worst = 0;
    for (let s = 0; s < K; s++) {
      const error = Math.abs(measureRegionError(measured[s]!, report.targets[s]!, shapes.componentVolumes[s]!));
      if (!(error <= worst)) worst = error;
    }
    return worst;
  };
  const measureAt = (given: Float64Array): number => {
    positions.set(given);
    evaluator.measureVolumesOnly(positions);
    return measureWorst(evaluator.volumes);
  };
  return {
    amounts,
    positions,
    pose: (pose) => void stack.evaluate(pose),
    measureLinear: () => measureAt(frame.skinned),
    measureAt,
    measureSolved: () => measureWorst(report.volumes),
    measureDriven(given) {
      const x = frame.skinned;
      displace(positions, { ...shapes, positions: x, directions: frame.directions, amounts: given }, 0, vertexCount);
      evaluator.measureVolumesOnly(positions);
      return measureWorst(evaluator.volumes);
    },
    measureSlopes(out) {
      positions.set(frame.positions);
      evaluator.measureVolumes(positions);
      evaluator.measureJacobian(frame.directions);
      for (let s = 0; s < K; s++) {
        const scale = measureRegionScale(report.targets[s]!, shapes.componentVolumes[s]!) || 1;
        for (let t = 0; t < K; t++) out[s * K + t] = evaluator.jacobian[s * K + t]! / scale;
      }
    },
  };
}
