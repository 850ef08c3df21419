/**
 * What a bake evaluates frames on: WASM kernels of its own, on the thread that asks, gone with what they were loaded for; undefined in an engine without them.
 * Without fused multiply-adds, which some machines have and others do not: the same file gives the same bytes everywhere.
 */
import { chooseKernels, detectFeatures, type WasmKernels } from '@isoskin/wasm';

export function loadBakeKernels(): Promise<WasmKernels | undefined> {
  return chooseKernels({ threads: 1, features: { ...detectFeatures(), relaxedSimd: false, sharedMemory: false } });
}
