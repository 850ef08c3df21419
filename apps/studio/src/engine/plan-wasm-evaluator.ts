/** The default stack as whole frames in WebAssembly. */
import type { Character, FrameKernels, FrameRunner, Pose, StackSpec } from '@isoskin/core';
import type { Evaluator } from './evaluator.js';
import { planFrameInputs } from './plan-frame-inputs.js';
import type { LayerTiming } from './protocol.js';

/** Frames between two measurements of what skinning alone costs. */
const PROBE_EVERY = 30;

export function planWasmEvaluator(character: Character, spec: StackSpec, kernels: FrameKernels): Evaluator {
  const inputs = planFrameInputs(character, spec);
  const { context, bones, morphed } = inputs;
  const runner = kernels.planFrame(inputs.plan) as FrameRunner & {
    runSkin?(bones: Float64Array, normals: boolean): void;
  };
  const timings: LayerTiming[] = [];
  let skin = 0;
  let frames = 0;

  function evaluate(pose: Pose, time: number, warm: boolean): void {
    inputs.measure(pose, time);
    if (morphed) runner.setRest(morphed);
    if (frames++ % PROBE_EVERY === 0 && runner.runSkin) {
      const start = performance.now();
      runner.runSkin(bones, false);
      skin = performance.now() - start;
    }
    const start = performance.now();
    runner.run(bones, context.report.targets, context.report, warm);
    const whole = performance.now() - start;
    timings[0] = { name: 'skin', milliseconds: Math.min(skin, whole) };
    timings[1] = { name: 'volume', milliseconds: Math.max(0, whole - skin) };
  }

  return {
    kernels: 'wasm',
    reason: '',
    volume: context,
    stride: 4,
    positions: runner.positions,
    normals: runner.normals,
    skinned: runner.skinned,
    bones,
    timings,
    evaluate: (pose, time) => evaluate(pose, time, true),
    seek: (_, pose, time) => evaluate(pose, time, false),
    dispose: () => runner.dispose(),
  };
}
