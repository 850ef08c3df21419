/**
 * The default frame in WebAssembly: f32, 16 bytes a vertex, 128-bit SIMD, on one thread or several.
 *
 *   const kernels = await createWasmKernels();
 *   const source = createFrameSource(planBody(character), presetStack('natural'), { kernels });
 */

import { IsoskinError } from '@isoskin/core/amounts';
import type { FrameKernels, FramePlan } from '@isoskin/core/kernels';
import { createFlesh } from './create-flesh.js';
import { createRunner, type WasmRunner } from './create-runner.js';
import { decodeBase64 } from './decode-base64.js';
import { detectFeatures, type Features } from './detect-features.js';
import { FRAME_CODE } from './generated/frame-code.js';
import { MOST_THREADS } from './layout.js';
import { openSlabs } from './open-slabs.js';
import { type LaidOut, layOut } from './plan-image.js';
import { startWorkers, type Workers } from './start-workers.js';

export interface WasmOptions {
  /** Threads that share a frame, the caller's included; `auto`: one for each processor, up to eight. Default: `auto`. */
  readonly threads?: number | 'auto';
  /** What could not be had (threads, relaxed SIMD), in a sentence. */
  readonly log?: (message: string) => void;
  /** What folds wrinkles: `openFolds` of `@isoskin/wasm/folds`. Default: the TypeScript passes. */
  readonly folds?: () => Promise<NonNullable<FrameKernels['createFolds']>>;
  /** What finds the skin that touches: `openContact` of `@isoskin/wasm/contact`. Default: the TypeScript search. */
  readonly contact?: () => Promise<NonNullable<FrameKernels['createSearch']>>;
  /** For tests: what the engine is taken to have. */
  readonly features?: Features;
}

export interface WasmKernels extends FrameKernels {
  readonly name: 'wasm';
  /** Threads that a large character runs on. */
  readonly threads: number;
  /** Relaxed SIMD (fused multiply-add) is used. */
  readonly relaxed: boolean;
  /** Bytes held for characters. */
  readonly byteLength: number;
  /** What takes its time of a runner, for this thread and others. @param like a plan that may differ in the shapes alone, and how it is laid out */
  layOut(plan: FramePlan, like?: { readonly plan: FramePlan; readonly laidOut: LaidOut }): LaidOut;
  createRunner(plan: FramePlan, laidOut?: LaidOut): WasmRunner;
  /** Ends the workers; characters still work, on one thread. */
  dispose(): void;
}

const MOST_AUTOMATIC = 8;
/** What fits into the lists: shapes are stored as u16·4, their columns as u16·16, bones as u16. */
const MOST_SHAPES = 4095;
const MOST_BONES = 65535;

export async function createWasmKernels(options: WasmOptions = {}): Promise<WasmKernels> {
  const features = options.features ?? detectFeatures();
  const { log = () => {} } = options;
  if (!features.simd) {
    throw new IsoskinError(
      'WASM_NO_SIMD',
      'This engine has no WebAssembly SIMD; use the TypeScript layers (no kernels).',
    );
  }
  const wanted = options.threads ?? 'auto';
  if (wanted !== 'auto' && !(Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST_THREADS)) {
    const message = `threads is ${wanted}; give a whole number from 1 to ${MOST_THREADS}, or 'auto'.`;
    throw new IsoskinError('WASM_THREADS', message);
  }
  const shared = features.sharedMemory;
  const threads = wanted === 'auto' ? Math.min(MOST_AUTOMATIC, features.processors) : wanted;
  if (threads > 1 && !shared) {
    log('One thread only: memory cannot be shared here (a page must be cross-origin isolated).');
  }
  const code = FRAME_CODE[`${features.relaxedSimd ? 'relaxed' : 'plain'}${shared ? 'Shared' : ''}`];
  const module = await WebAssembly.compile(decodeBase64(code));
  const createFolds = await options.folds?.();
  const createSearch = await options.contact?.();
  let workers = shared && threads > 1 ? tryWorkers(threads - 1, module, log) : undefined;
  const slabs = openSlabs({
    module,
    shared,
    onOpen: (slab) => workers?.open(slab),
    onClose: (slab) => workers?.close(slab),
  });
  return {
    name: 'wasm',
    takesMoves: true,
    get threads() {
      return workers ? threads : 1;
    },
    relaxed: features.relaxedSimd,
    get byteLength() {
      return slabs.byteLength;
    },
    layOut,
    createRunner(plan, laidOut) {
      const { shapeCount } = plan.shapes;
      if (shapeCount > MOST_SHAPES || plan.boneCount > MOST_BONES) {
        const message = `${shapeCount} shapes and ${plan.boneCount} bones are too many; use the TypeScript layers (no kernels).`;
        throw new IsoskinError('WASM_TOO_LARGE', message);
      }
      return createRunner(plan, slabs, () => workers, laidOut);
    },
    createFlesh: (plan, beside) => createFlesh(plan, slabs, beside),
    ...(createFolds && { createFolds }),
    ...(createSearch && { createSearch }),
    dispose() {
      workers?.stop();
      workers = undefined;
    },
  };
}

function tryWorkers(count: number, module: WebAssembly.Module, log: (message: string) => void): Workers | undefined {
  try {
    return startWorkers(count, module);
  } catch (cause) {
    log(`One thread only: no worker could be started (${cause instanceof Error ? cause.message : cause}).`);
    return undefined;
  }
}
