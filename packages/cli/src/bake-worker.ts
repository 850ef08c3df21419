/** A thread of `isoskin bake`: reads the model itself and evaluates the samples that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { createStack, type StackSpec } from '@isoskin/core';
import { createFrameBaker, type FrameBakerOptions, planSourceSkin, readCharacter, type Sample } from '@isoskin/gltf';

/** What the thread is started with. */
export interface BakeWork {
  readonly path: string;
  readonly stack: StackSpec;
  readonly baker: FrameBakerOptions;
}

const { path, stack, baker } = workerData as BakeWork;
const port = parentPort!;
const read = await readCharacter(path);
const bake = createFrameBaker(createStack(read.character, stack), planSourceSkin(read), baker);
port.on('message', (samples: readonly Sample[]) => {
  const { deltas, measures } = bake(samples);
  port.postMessage({ deltas, measures }, [deltas.buffer, measures.buffer]);
});
port.postMessage('ready');
