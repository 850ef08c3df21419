/** The amounts of a frame (C15) on the TypeScript kernels: for players that morph and skin themselves. */
import { createShapeSolver } from '../correction/create-shape-solver.js';
import type { SolverFrame } from '../correction/volume-solver.js';
import { createExtendedPositions } from '../volume/measure-region-volumes.js';
import type { AmountKernels, AmountRunner, FramePlan } from './frame-plan.js';
import { skinLinear } from './reference-kernels.js';

export const typescriptAmountKernels: AmountKernels = { name: 'typescript', createRunner: createAmountRunner };

function createAmountRunner({ vertexCount, volumes, shapes, solver: options, ...plan }: FramePlan): AmountRunner {
  const { offsets, bones, weights } = plan;
  const solver = createShapeSolver(volumes, shapes, options);
  const input = { positions: plan.positions.slice(), directions: plan.directions, offsets, bones, weights };
  const output = { positions: createExtendedPositions(volumes), directions: new Float64Array(3 * vertexCount) };
  let frame: SolverFrame | undefined;
  return {
    amounts: solver.amounts,
    setRest: (rest) => input.positions.set(rest),
    solve(boneMatrices, targets, report, warm = false) {
      skinLinear(output, input, boneMatrices, 0, vertexCount);
      if (!frame || frame.targets !== targets || frame.report !== report || frame.bones !== boneMatrices) {
        frame = { ...output, targets, bones: boneMatrices, report };
      }
      frame.warm = warm;
      solver.apply(frame);
    },
    dispose: () => {},
  };
}
