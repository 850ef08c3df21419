import type { AmountKernels } from '@isoskin/core/kernels';

let loading: Promise<AmountKernels | undefined> | undefined;

/** The WASM kernels, once for a page, in a file of their own; undefined where they cannot run (no SIMD, forbidden by the page). */
export function loadKernels(): Promise<AmountKernels | undefined> {
  loading ??= import('@isoskin/wasm').then(
    ({ createWasmKernels }) => createWasmKernels({ threads: 1 }).catch(() => undefined),
    () => undefined,
  );
  return loading;
}
