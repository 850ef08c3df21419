export { chooseKernels } from './choose-kernels.js';
export type { WasmRunner } from './create-runner.js';
export { createWasmKernels, type WasmKernels, type WasmOptions } from './create-wasm-kernels.js';
export { detectFeatures, type Features } from './detect-features.js';
export type { LaidOut } from './plan-image.js';
