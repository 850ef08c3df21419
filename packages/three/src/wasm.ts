export { createWasmKernels, type WasmKernels, type WasmOptions } from '@isoskin/wasm';
