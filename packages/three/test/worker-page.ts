/** Runs in the browser: what planning takes of the page's thread, in a worker, without one, and from the browser's database. */
import { clearStoredPlans } from '@isoskin/core/plan-store';
import { preserveVolume, type VolumeOptions } from '@isoskin/three';
import { createDemoMesh } from './create-skinned-mesh.js';

let workers = 0;
const Native = window.Worker;
window.Worker = class extends Native {
  constructor(...values: ConstructorParameters<typeof Native>) {
    super(...values);
    workers++;
  }
};

export interface Planned {
  /** Milliseconds until volume was kept, and the longest in which the page could do nothing. */
  readonly time: number;
  readonly blocked: number;
  readonly workers: number;
  readonly regions: number;
  readonly path: string;
}

export async function plan(vertices: number, options: VolumeOptions = {}): Promise<Planned> {
  const { root } = createDemoMesh('hero', vertices);
  const { port1, port2 } = new MessageChannel();
  workers = 0;
  let blocked = 0;
  let last = performance.now();
  let isOver = false;
  port1.onmessage = () => {
    const now = performance.now();
    blocked = Math.max(blocked, now - last);
    last = now;
    if (!isOver) port2.postMessage(0);
  };
  port2.postMessage(0);
  const start = performance.now();
  const kept = preserveVolume(root, { auto: false, ...options });
  await kept.ready;
  const time = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 20));
  isOver = true;
  kept.update();
  const { report, path } = kept.bodies[0]!;
  return { time, blocked, workers, regions: report.names.length, path };
}

export { clearStoredPlans };
