/**
 * Amounts solved in one worker for all characters of a page. They arrive a frame or more after their pose, so the pose waits for them: what is drawn, and hit by rays, is
 * always a pose together with its own amounts.
 *
 *   import { amountsWorker } from '@isoskin/three/worker';
 *   preserveVolume(gltf, { worker: amountsWorker });
 */

import type { SkinnedMesh } from 'three';
import { createShapePath, type ShapePath } from './create-shape-path.js';
import { createDelayedPath, type SolveAmounts } from './delayed-path.js';
import type { ShapesOpener } from './open-morphs.js';
import type { BodyPlan } from './plan-body.js';

/** What goes to the worker, and what comes back. */
export type AmountsJob =
  | { readonly id: number; readonly plan: Uint8Array }
  | { readonly id: number; readonly bones: Float64Array; readonly time: number }
  | { readonly id: number; readonly isOver: true };

export interface AmountsAnswer {
  readonly id: number;
  readonly amounts: Float64Array;
  readonly report: object;
}

export interface AmountsWorker {
  createPath(meshes: readonly SkinnedMesh[], plan: BodyPlan, open?: ShapesOpener): ShapePath;
}

let worker: Worker | undefined;
let bodies = 0;
const waiting = new Map<number, (answer: AmountsAnswer | undefined) => void>();

export const amountsWorker: AmountsWorker = {
  createPath(meshes, plan, open) {
    // Morph targets of the file belong to the pose, and to whoever sets them: they cannot wait.
    if (!plan.saved || plan.morphs.length > 0 || typeof Worker === 'undefined')
      return createShapePath(meshes, plan, open);
    return createDelayedPath(meshes, plan, openBody(plan.saved), open);
  },
};

/** A body in the worker; undefined comes back where the worker is broken. */
function openBody(plan: Uint8Array): SolveAmounts {
  const id = bodies++;
  worker ??= startWorker();
  const own = worker;
  const post = (job: AmountsJob) => own.postMessage(job);
  post({ id, plan });
  return {
    solve: (bones, time) =>
      new Promise((resolve) => {
        if (own !== worker) return resolve(undefined);
        waiting.set(id, resolve);
        post({ id, bones, time });
      }),
    dispose() {
      waiting.delete(id);
      if (own === worker) post({ id, isOver: true });
    },
  };
}

function startWorker(): Worker {
  const started = new Worker(new URL('./amounts-worker.js', import.meta.url), { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<AmountsAnswer>) => {
    const resolve = waiting.get(data.id);
    waiting.delete(data.id);
    resolve?.(data);
  };
  started.onerror = (event) => {
    event.preventDefault();
    console.warn('isoskin: the worker for amounts cannot run here; they are solved on this thread.');
    worker = undefined;
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  };
  return started;
}
