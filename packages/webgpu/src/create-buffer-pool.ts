import { IsoskinError } from '@isoskin/core';
import { USAGE } from './constants.js';

/** The buffers of one frame: sizes are checked, and all go at once. */
export interface BufferPool {
  create(label: string, bytes: number, usage?: number): GPUBuffer;
  upload(label: string, values: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>, usage?: number): GPUBuffer;
  countBytes(): number;
  dispose(): void;
}

export function createBufferPool(device: GPUDevice): BufferPool {
  const owned: GPUBuffer[] = [];

  function create(label: string, bytes: number, usage: number = USAGE.STORAGE): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const { maxStorageBufferBindingSize: most } = device.limits;
    if (usage & USAGE.STORAGE && size > most) {
      throw new IsoskinError(
        'GPU_BUFFER_TOO_LARGE',
        `The buffer "${label}" needs ${size} bytes and the device binds ${most}: ` +
          'request a device with a larger maxStorageBufferBindingSize and maxBufferSize, or use fewer instances',
      );
    }
    const buffer = device.createBuffer({ label: `isoskin ${label}`, size, usage });
    owned.push(buffer);
    return buffer;
  }

  return {
    create,
    upload(label, values, usage = USAGE.STORAGE) {
      const buffer = create(label, values.byteLength, usage | USAGE.COPY_DST);
      device.queue.writeBuffer(buffer, 0, values);
      return buffer;
    },
    countBytes: () => owned.reduce((sum, buffer) => sum + buffer.size, 0),
    dispose() {
      for (const buffer of owned) buffer.destroy();
      owned.length = 0;
    },
  };
}
