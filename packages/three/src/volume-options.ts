import type { PresetName, StackSpec } from '@isoskin/core';
import type { AmountKernels } from '@isoskin/core/kernels';
import type { PlanCharacter } from '@isoskin/core/planner';
import type { AnimationClip } from 'three';
import type { FullStack } from './plan-body.js';
import type { Detail } from './scene-director.js';
import type { SparsePatch } from './sparse-drawing.js';
import type { Form } from './suits-sparse.js';
import type { AmountsWorker } from './worker.js';

export interface VolumeOptions {
  /** A stack that a person understands. Default: `natural`, as in commands and bakes; `organic` takes the fewest bytes. */
  readonly preset?: PresetName;
  /** Any stack; takes the place of `preset`. JSON from outside should pass `resolveStack` of @isoskin/core first. */
  readonly stack?: StackSpec;
  /** What solves the amounts, or its promise. Default: the WASM kernels, on one thread, loaded by themselves; TypeScript until they are there. */
  readonly kernels?: AmountKernels | Promise<AmountKernels>;
  /** `planner` of @isoskin/three/planner: plans at once, on this thread, instead of in a worker. */
  readonly planner?: PlanCharacter;
  /** A saved plan (`body.savedPlan`), or those of several bodies: taken at once, and nothing is planned. */
  readonly plan?: Uint8Array | readonly Uint8Array[];
  /** Clips that the plan is rehearsed on, so that nothing looks worse in them. Default: those of the glTF that is passed. */
  readonly animations?: readonly AnimationClip[];
  /** Keeps plans in the browser's database (IndexedDB) and finds them there again. Default: false. */
  readonly cache?: boolean;
  /** Update before every render of the scene. Default: true. */
  readonly auto?: boolean;
  /** How often to update, and how far from the camera. Default: every frame, everywhere. */
  readonly detail?: Detail;
  /** `fullStack` of @isoskin/three/full-stack, for stacks with methods or layers that the small runtime does not hold; plans at once. */
  readonly fullStack?: FullStack;
  /** How the shapes are drawn: `morph` targets, the `sparse` form, or `auto`: sparse where there are many. */
  readonly form?: Form;
  /** `sparseNodes` of @isoskin/three/webgpu: the sparse form on a WebGPURenderer. */
  readonly nodes?: SparsePatch;
  /** `amountsWorker` of @isoskin/three/worker: amounts are solved in a worker, and poses drawn when theirs have arrived. */
  readonly worker?: AmountsWorker;
  /** Wider weld tolerance on open borders, relative to the size, for compressed models whose seams do not meet. */
  readonly borderTolerance?: number;
}
