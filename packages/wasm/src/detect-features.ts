/** What this engine can run. Each program is the smallest that uses the feature. */

/** () → v128: i8x16.splat of 0, popcnt (SIMD). */
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];
/** () → v128: f32x4.relaxed_madd of three zeroes. */
const RELAXED_SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 17, 65, 0, 253, 17, 65,
  0, 253, 17, 253, 133, 2, 11,
];

export interface Features {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  /** Memory can be shared with workers. */
  readonly sharedMemory: boolean;
  /** Logical processors. */
  readonly processors: number;
}

interface Host {
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly process?: NodeProcess;
}

interface NodeProcess {
  readonly versions?: { readonly node?: string };
  getBuiltinModule?(name: string): unknown;
}

export function detectFeatures(): Features {
  const wasm = typeof WebAssembly === 'object';
  const validates = (program: readonly number[]) => wasm && WebAssembly.validate(Uint8Array.from(program));
  const host = globalThis as Host;
  const os = findNodeModule<{ availableParallelism(): number }>('node:os');
  return {
    simd: validates(SIMD),
    relaxedSimd: validates(RELAXED_SIMD),
    sharedMemory: typeof SharedArrayBuffer === 'function' && (os !== undefined || host.crossOriginIsolated === true),
    processors: os?.availableParallelism() ?? host.navigator?.hardwareConcurrency ?? 1,
  };
}

/** A module of Node, without an import that a browser would stumble over; undefined elsewhere. */
export function findNodeModule<T>(name: string): T | undefined {
  const { process } = globalThis as Host;
  return process?.versions?.node ? (process.getBuiltinModule?.(name) as T | undefined) : undefined;
}
