/** The amounts of a frame (C15) on the TypeScript kernels, and the surface that they are solved on. */
import { createShapeSolver } from '../correction/create-shape-solver.js';
import type { SolverFrame, SolverReport } from '../correction/volume-solver.js';
import { createExtendedPositions } from '../volume/measure-region-volumes.js';
import type { AmountKernels, AmountRunner, FramePlan } from './frame-plan.js';
import { linearKernels } from './linear-kernels.js';

export interface SurfaceRunner extends AmountRunner {
  /** y, with the apexes behind; x after `skin`. */
  readonly positions: Float64Array;
  /** Area vectors of the closed surface. */
  readonly areas: Float64Array;
  skin(boneMatrices: Float64Array): void;
  /** What comes after `skin`. */
  solveSkinned(boneMatrices: Float64Array, targets: Float64Array, report: SolverReport, warm: boolean): void;
}

/** Amounts alone: for players that morph and skin themselves. */
export const typescriptAmountKernels: AmountKernels = { name: 'typescript', planFrame: createAmountRunner };

export function createAmountRunner({
  vertexCount,
  volumes,
  shapes,
  solver: options,
  ...plan
}: FramePlan): SurfaceRunner {
  const { offsets, bones, weights } = plan;
  const solver = createShapeSolver(volumes, shapes, linearKernels, options);
  const input = { positions: plan.positions.slice(), directions: plan.directions, offsets, bones, weights };
  const positions = createExtendedPositions(volumes);
  const directions = new Float64Array(3 * vertexCount);
  const output = { positions, directions };
  let frame: SolverFrame | undefined;

  function skin(boneMatrices: Float64Array): void {
    linearKernels.skinLinear(output, input, boneMatrices, 0, vertexCount);
  }

  function solveSkinned(boneMatrices: Float64Array, targets: Float64Array, report: SolverReport, warm: boolean): void {
    if (!frame || frame.targets !== targets || frame.report !== report || frame.bones !== boneMatrices) {
      frame = { positions, directions, targets, bones: boneMatrices, report };
    }
    frame.warm = warm;
    solver.apply(frame);
  }

  return {
    positions,
    areas: solver.areas,
    amounts: solver.amounts,
    setRest: (rest) => input.positions.set(rest),
    skin,
    solveSkinned,
    solve(boneMatrices, targets, report, warm = false) {
      skin(boneMatrices);
      solveSkinned(boneMatrices, targets, report, warm);
    },
    dispose: () => {},
  };
}
