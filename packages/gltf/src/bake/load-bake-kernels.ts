/**
 * What bakes evaluate frames on: the WASM kernels, on the thread that asks; undefined in an engine without them. Without fused multiply-adds, which some
 * machines have and others do not: the same file gives the same bytes everywhere.
 */
import { chooseKernels, detectFeatures, type WasmKernels } from '@isoskin/wasm';

let loading: Promise<WasmKernels | undefined> | undefined;

export function loadBakeKernels(): Promise<WasmKernels | undefined> {
  loading ??= chooseKernels({ threads: 1, features: { ...detectFeatures(), relaxedSimd: false } });
  return loading;
}
