/**
 * The default stack as whole frames on the GPU. The page draws with WebGL, so every frame is read back; plain skinning, which the
 * GPU does not hand out, is computed here for the comparison.
 */
import {
  type Character,
  createFrameInputs,
  type Pose,
  planSkinning,
  type StackSpec,
  typescriptKernels,
} from '@isoskin/core';
import { createGpuFrame } from '@isoskin/webgpu';
import type { Evaluator } from './evaluator.js';
import type { LayerTiming } from './protocol.js';

let device: Promise<GPUDevice> | undefined;

async function openDevice(): Promise<GPUDevice> {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('this browser offers no GPU');
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const opened = await adapter.requestDevice({
    requiredFeatures: adapter.features.has('subgroups') ? ['subgroups'] : [],
    requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
  });
  void opened.lost.then(() => {
    device = undefined;
  });
  return opened;
}

export async function planGpuEvaluator(character: Character, spec: StackSpec): Promise<Evaluator> {
  device ??= openDevice();
  const gpu = await device.catch((cause: unknown) => {
    device = undefined;
    throw cause;
  });
  const inputs = createFrameInputs(character, spec);
  const { context, bones, morphed } = inputs;
  const frame = createGpuFrame(gpu, inputs.plan);
  const { vertexCount } = character.surface;
  const directions = new Float64Array(3 * vertexCount);
  const skinning = planSkinning(character, { skinning: 'linear', directions, kernels: typescriptKernels });
  const plain = { positions: new Float64Array(3 * vertexCount), directions: new Float64Array(3 * vertexCount) };
  const skinned = new Float32Array(4 * vertexCount);
  let positions = new Float32Array(4 * vertexCount);
  let normals = new Float32Array(4 * vertexCount);
  const timings: LayerTiming[] = [];

  async function evaluate(pose: Pose, time: number, warm: boolean): Promise<void> {
    const start = performance.now();
    inputs.measure(pose, time);
    if (morphed) frame.setRest(morphed);
    const encoder = gpu.createCommandEncoder();
    frame.encode(encoder, bones, context.report.targets, { warm });
    gpu.queue.submit([encoder.finish()]);
    const reading = frame.read();
    skinning.apply(plain, pose); // meanwhile
    for (let k = 0, i = 0, j = 0; k < vertexCount; k++, i += 3, j += 4) {
      skinned[j] = plain.positions[i]!;
      skinned[j + 1] = plain.positions[i + 1]!;
      skinned[j + 2] = plain.positions[i + 2]!;
    }
    ({ positions, normals } = (await reading) as {
      positions: Float32Array<ArrayBuffer>;
      normals: Float32Array<ArrayBuffer>;
    });
    timings[0] = { name: 'frame and reading back', milliseconds: performance.now() - start };
  }

  return {
    kernels: 'webgpu',
    reason: '',
    volume: context,
    stride: 4,
    get positions() {
      return positions;
    },
    get normals() {
      return normals;
    },
    skinned,
    bones,
    timings,
    evaluate: (pose, time) => evaluate(pose, time, true),
    seek: (_, pose, time) => evaluate(pose, time, false),
    dispose: () => frame.dispose(),
  };
}
