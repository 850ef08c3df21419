/**
 * Whole frames on the GPU for `createFrameSource`, read back: for pages that draw with something else than WebGPU. What draws there itself takes
 * `createGpuFrame`, which reads nothing back.
 *
 *   const source = createFrameSource(body, spec, { kernels: createGpuKernels(await openDevice()) });
 *   await source.evaluate(pose);
 */

import { IsoskinError } from '@isoskin/core';
import { type FrameKernels, type FramePlan, type FrameRunner, skinLinear } from '@isoskin/core/kernels';
import { createGpuFrame } from './create-gpu-frame.js';

/** A device as fast and as large as there is. */
export async function openDevice(): Promise<GPUDevice> {
  const adapter = await globalThis.navigator?.gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new IsoskinError('NO_GPU', 'this browser offers no GPU');
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  return adapter.requestDevice({
    requiredFeatures: adapter.features.has('subgroups') ? ['subgroups'] : [],
    requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
  });
}

export function createGpuKernels(device: GPUDevice): FrameKernels<Promise<void>> {
  return { name: 'webgpu', createRunner: (plan) => createGpuRunner(device, plan) };
}

function createGpuRunner(device: GPUDevice, plan: FramePlan): FrameRunner<Promise<void>> {
  const frame = createGpuFrame(device, plan);
  const { vertexCount, offsets, bones, weights } = plan;
  // The GPU does not hand out what skinning alone gives.
  const directions = new Float64Array(3 * vertexCount);
  const skin = { positions: plan.positions.slice(), directions, offsets, bones, weights };
  const plain = { positions: new Float64Array(3 * vertexCount), directions: directions.slice() };
  const skinned = new Float32Array(4 * vertexCount);
  const amounts = new Float64Array(plan.shapes.shapeCount);
  let positions = new Float32Array(4 * vertexCount);
  let normals = new Float32Array(4 * vertexCount);
  return {
    get positions() {
      return positions;
    },
    get normals() {
      return normals;
    },
    skinned,
    amounts,
    setRest(rest) {
      skin.positions.set(rest);
      frame.setRest(rest);
    },
    async run(boneMatrices, targets, report, warm = false) {
      const encoder = device.createCommandEncoder();
      frame.encode(encoder, boneMatrices, targets, { warm });
      device.queue.submit([encoder.finish()]);
      const reading = frame.read();
      skinLinear(plain, skin, boneMatrices, 0, vertexCount); // meanwhile
      for (let k = 0, i = 0, j = 0; k < vertexCount; k++, i += 3, j += 4) {
        skinned[j] = plain.positions[i]!;
        skinned[j + 1] = plain.positions[i + 1]!;
        skinned[j + 2] = plain.positions[i + 2]!;
      }
      const read = await reading;
      positions = read.positions as Float32Array<ArrayBuffer>;
      normals = read.normals as Float32Array<ArrayBuffer>;
      amounts.set(read.lambda);
      report.volumes.set(read.volumes);
      report.evaluations = read.evaluations[0]!;
    },
    dispose: () => frame.dispose(),
  };
}
