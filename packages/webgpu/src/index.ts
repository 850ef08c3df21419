export {
  createGpuFrame,
  type FrameTiming,
  GPU_FRAME_DEFAULTS,
  type GpuFrame,
  type GpuFrameOptions,
  type GpuFrameReading,
} from './create-gpu-frame.js';
export type { OutputStride } from './wgsl/output.js';
