import { MAP_READ_MODE, USAGE } from './constants.js';

/** Copies the front of several buffers (usage COPY_SRC) to the CPU. */
export async function readBuffers(
  device: GPUDevice,
  wanted: readonly (readonly [buffer: GPUBuffer, bytes: number])[],
): Promise<Float32Array[]> {
  const encoder = device.createCommandEncoder();
  const copies = wanted.map(([buffer, bytes]) => {
    const size = Math.max(4, bytes);
    const copy = device.createBuffer({ size, usage: USAGE.COPY_DST | USAGE.MAP_READ });
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, size);
    return copy;
  });
  device.queue.submit([encoder.finish()]);
  return Promise.all(
    copies.map(async (copy) => {
      await copy.mapAsync(MAP_READ_MODE);
      const values = new Float32Array(copy.getMappedRange().slice(0));
      copy.destroy();
      return values;
    }),
  );
}
