import { applyMorphs, type FrameKernels, type FramePlan, type VolumeContext } from '@isoskin/core';
import type { Evaluator } from './evaluator.js';

/** The same frame on an injected kernel set (WASM), which has memory of its own: one per body. */
export function createKernelEvaluator(kernels: FrameKernels, plan: FramePlan, context: VolumeContext): Evaluator {
  const { character, targets } = context;
  const { morphs, surface } = character;
  const runner = kernels.planFrame(plan);
  let last: object | undefined;
  const rest = morphs.length > 0 ? surface.positions.slice() : undefined;
  return {
    name: kernels.name,
    stride: 4,
    // The memory of a kernel set may grow, and its views with it.
    get positions() {
      return runner.positions;
    },
    get normals() {
      return runner.normals;
    },
    run({ bones, morphWeights, time }, report, body) {
      if (rest) {
        applyMorphs(rest, character, morphWeights);
        runner.setRest(rest);
      }
      targets.measure(report.targets, bones, time, morphWeights);
      runner.run(bones, report.targets, report, body === last); // the next pose of a body is near its last one
      last = body;
    },
    dispose: () => runner.dispose(),
  };
}
