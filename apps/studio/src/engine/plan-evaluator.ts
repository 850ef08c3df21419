/**
 * Plans a stack on the fastest kernels that can run it: whole frames in WASM or on the GPU when the stack is skin and one smooth
 * volume layer, else the TypeScript stack, which is the specification.
 */
import { type Character, createStack, describeFastStack, type FrameKernels, type StackSpec } from '@isoskin/core';
import type { Evaluator } from './evaluator.js';
import { planWasmEvaluator } from './plan-wasm-evaluator.js';
import type { KernelChoice, LayerTiming } from './protocol.js';

export async function planEvaluator(
  character: Character,
  spec: StackSpec,
  choice: KernelChoice,
  loadKernels: () => Promise<FrameKernels>,
): Promise<Evaluator> {
  const reason = describeFastStack(spec);
  if (reason !== '' || choice === 'typescript') return planFull(character, spec, reason);
  let fault = '';
  if (choice === 'webgpu') {
    try {
      const { planGpuEvaluator } = await import('./plan-gpu-evaluator.js');
      return await planGpuEvaluator(character, spec);
    } catch (cause) {
      fault = `WebGPU cannot be used here: ${cause instanceof Error ? cause.message : cause}`;
    }
  }
  const kernels = await loadKernels();
  if (kernels.name !== 'wasm') return planFull(character, spec, 'this browser has no WebAssembly SIMD');
  return { ...planWasmEvaluator(character, spec, kernels), ...(fault && { reason: fault }) };
}

function planFull(character: Character, spec: StackSpec, reason: string): Evaluator {
  const timings: LayerTiming[] = [];
  let steps = 0;
  let clock = 0;
  const stack = createStack(character, spec, {
    onStep(name) {
      const now = performance.now();
      timings[steps++] = { name, milliseconds: now - clock };
      clock = now;
    },
  });
  const start = () => {
    steps = 0;
    clock = performance.now();
  };
  const { frame } = stack;
  const volume = stack.volumeLayers.at(-1);
  return {
    kernels: 'typescript',
    reason,
    ...(volume && { volume }),
    stride: 3,
    positions: frame.positions,
    normals: frame.normals,
    skinned: frame.skinned,
    bones: frame.bones,
    timings,
    evaluate(pose, time, dt) {
      start();
      stack.evaluate(pose, time, dt);
    },
    seek(clip, pose, time) {
      start();
      stack.seek(clip, time, pose);
    },
    dispose() {},
  };
}
