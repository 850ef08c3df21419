export { type ClipPlayer, createClipPlayer, type GpuClip } from './create-clip-player.js';
export { createGpuFrame } from './create-gpu-frame.js';
export { createGpuKernels, openDevice } from './create-gpu-kernels.js';
export {
  type EncodeOptions,
  GPU_FRAME_DEFAULTS,
  type GpuFrame,
  type GpuFrameOptions,
  type GpuFrameReading,
} from './gpu-frame.js';
export type { OutputStride } from './wgsl/output.js';
