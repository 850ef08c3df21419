/**
 * The frame source of the page: on the kernels that were chosen where the stack can run there, with the time that every step took.
 */
import { type Body, createFrameSource, type Frame, type FrameSource, type StackSpec } from '@isoskin/core';
import type { FrameKernels } from '@isoskin/core/kernels';
import type { KernelChoice, LayerTiming } from './protocol.js';

export interface OpenSource extends FrameSource<Frame | Promise<Frame>> {
  /** Why not faster ones; empty if there is nothing to say. */
  readonly reason: string;
  /** Of the last frame. */
  readonly timings: readonly LayerTiming[];
}

type Kernels = FrameKernels<void> | FrameKernels<Promise<void>>;

let device: Promise<GPUDevice> | undefined;

/** Once for a page; a device that is lost is opened again. */
async function openGpu(): Promise<Kernels> {
  const { createGpuKernels, openDevice } = await import('@isoskin/webgpu');
  device ??= openDevice();
  const gpu = await device.catch((cause: unknown) => {
    device = undefined;
    throw cause;
  });
  void gpu.lost.then(() => {
    device = undefined;
  });
  return createGpuKernels(gpu);
}

export async function openFrameSource(
  body: Body,
  spec: StackSpec,
  choice: KernelChoice,
  loadKernels: () => Promise<FrameKernels | undefined>,
): Promise<OpenSource> {
  const timings: LayerTiming[] = [];
  let steps = 0;
  let clock = 0;
  const onStep = (name: string) => {
    const now = performance.now();
    timings[steps++] = { name, milliseconds: now - clock };
    clock = now;
  };
  const start = () => {
    steps = 0;
    clock = performance.now();
  };
  const create = (kernels: Kernels | undefined, fault: string): OpenSource => {
    const source = createFrameSource(body, spec, { kernels, onStep, warm: true, rehearse: true } as {
      kernels?: FrameKernels;
    });
    return {
      ...(source as FrameSource<Frame | Promise<Frame>>),
      reason: fault || source.reason,
      timings,
      evaluate(pose, time, dt) {
        start();
        return source.evaluate(pose, time, dt);
      },
      seek(clip, time, pose) {
        start();
        return source.seek(clip, time, pose);
      },
    };
  };
  if (choice === 'typescript') return create(undefined, '');
  let fault = '';
  if (choice === 'webgpu') {
    try {
      return create(await openGpu(), '');
    } catch (cause) {
      fault = `WebGPU cannot be used here: ${cause instanceof Error ? cause.message : cause}`;
    }
  }
  const kernels = await loadKernels();
  return create(kernels, fault || (kernels ? '' : 'this browser has no WebAssembly SIMD'));
}
