/**
 * `kernels: 'auto'`: the fastest kernels that run here. WASM if the engine has what it needs, else TypeScript, and why.
 *
 *   const stack = createFastStack(character, spec, await chooseKernels({ log: console.info }));
 */
import { type FrameKernels, typescriptFrameKernels } from '@isoskin/core';
import { createWasmKernels, type WasmOptions } from './create-wasm-kernels.js';

export async function chooseKernels(options: WasmOptions = {}): Promise<FrameKernels> {
  try {
    return await createWasmKernels(options);
  } catch (cause) {
    options.log?.(`TypeScript kernels are used: ${cause instanceof Error ? cause.message : String(cause)}`);
    return typescriptFrameKernels;
  }
}
