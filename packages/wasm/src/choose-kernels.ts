import { createWasmKernels, type WasmKernels, type WasmOptions } from './create-wasm-kernels.js';

/**
 * The WASM kernels where the engine has what they need, else none, and why: a frame source then runs on the TypeScript layers.
 *
 *   createFrameSource(body, spec, { kernels: await chooseKernels({ log: console.info }) });
 */
export async function chooseKernels(options: WasmOptions = {}): Promise<WasmKernels | undefined> {
  try {
    return await createWasmKernels(options);
  } catch (cause) {
    options.log?.(`TypeScript kernels are used: ${cause instanceof Error ? cause.message : String(cause)}`);
    return undefined;
  }
}
