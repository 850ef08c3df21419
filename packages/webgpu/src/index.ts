export { createGpuFrame } from './create-gpu-frame.js';
export {
  type FrameTiming,
  GPU_FRAME_DEFAULTS,
  type GpuFrame,
  type GpuFrameOptions,
  type GpuFrameReading,
} from './gpu-frame.js';
export type { OutputStride } from './wgsl/output.js';
