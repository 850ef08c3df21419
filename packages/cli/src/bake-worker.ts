/** A thread of `isoskin bake`: plans the model itself, from the same bytes, and evaluates the samples that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { createFrameSource, planBody, type StackSpec } from '@isoskin/core';
import { createFrameBaker, type FrameBakerOptions, planSourceSkin, type Sample } from '@isoskin/gltf';
import { type LoadedModel, readLoadedModel } from '@isoskin/gltf/node';

/** What the thread is started with. */
export interface BakeWork {
  readonly model: LoadedModel;
  readonly stack: StackSpec;
  readonly baker: FrameBakerOptions;
}

const { model, stack, baker } = workerData as BakeWork;
const port = parentPort!;
const read = await readLoadedModel(model);
const bake = createFrameBaker(createFrameSource(planBody(read.character), stack), planSourceSkin(read), baker);
port.on('message', (samples: readonly Sample[]) => {
  const { deltas, measures } = bake(samples);
  port.postMessage({ deltas, measures }, [deltas.buffer, measures.buffer]);
});
port.postMessage('ready');
