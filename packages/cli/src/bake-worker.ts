/** A thread of `isoskin bake`: reads the model itself and evaluates the samples that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { createStack, type StackSpec } from '@isoskin/core';
import { createFrameBaker, planSourceSkin, readCharacter, type Sample } from '@isoskin/gltf';

/** What the thread is started with. */
export interface BakeWork {
  readonly path: string;
  readonly stack: StackSpec;
  /** Measure regions too. */
  readonly regions: boolean;
}

const { path, stack, regions } = workerData as BakeWork;
const port = parentPort!;
const read = await readCharacter(path);
const bake = createFrameBaker(createStack(read.character, stack), planSourceSkin(read), regions);
port.on('message', (samples: readonly Sample[]) => {
  const { deltas, measures } = bake(samples);
  port.postMessage({ deltas, measures }, [deltas.buffer, measures.buffer]);
});
port.postMessage('ready');
