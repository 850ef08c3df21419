import { typescriptAmountKernels } from '../kernels/create-amount-runner.js';
import type { AmountKernels, AmountRunner } from '../kernels/frame-plan.js';
import { applyMorphs } from '../skinning/apply-morphs.js';
import type { VolumeReport } from './frame.js';
import type { PlayedPlan } from './plan-volume-with.js';

/** The amounts of poses (C15), for engines that morph and skin themselves: the frame source of a runtime. */
export interface AmountSource {
  /** What solves: `typescript`, `wasm`. */
  readonly backend: string;
  /** λ of the last pose, one per shape. */
  readonly amounts: Float64Array;
  /** Goes on with faster kernels. */
  useKernels(kernels: AmountKernels): void;
  /** The next pose, near the last one: bone matrices (#B×12), weights of the character's morph targets, seconds. */
  solve(report: VolumeReport, bones: Float64Array, morphWeights: Float64Array, time: number): void;
  dispose(): void;
}

/** The amounts of a planned volume step for one pose after the other, on the TypeScript kernels until others are given. */
export function createAmountSource(plan: PlayedPlan): AmountSource {
  const { character } = plan;
  const rest = character.morphs.length > 0 ? character.surface.positions.slice() : undefined;
  const known = new Float64Array(character.morphs.length); // weights that `rest` was made with
  const amounts = new Float64Array(plan.framePlan().shapes.shapeCount);
  let kernels = typescriptAmountKernels;
  let runner: AmountRunner | undefined;

  function dispose(): void {
    runner?.dispose();
    runner = undefined;
  }

  return {
    get backend() {
      return kernels.name;
    },
    amounts,
    useKernels(faster) {
      dispose();
      kernels = faster;
    },
    solve(report, bones, morphWeights, time) {
      const isWarm = runner !== undefined;
      runner ??= kernels.createRunner(plan.framePlan());
      if (rest && (!isWarm || known.some((weight, m) => weight !== morphWeights[m]))) {
        applyMorphs(rest, character, morphWeights);
        runner.setRest(rest);
        known.set(morphWeights);
      }
      plan.targets.measure(report.targets, bones, time, morphWeights);
      runner.solve(bones, report.targets, report, isWarm);
      amounts.set(runner.amounts);
    },
    dispose,
  };
}
