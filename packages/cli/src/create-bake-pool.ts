import { Worker } from 'node:worker_threads';
import { type EvaluateSamples, type FrameBlock, joinBlocks, type Sample, splitSamples } from '@isoskin/gltf';
import type { BakeWork } from './bake-worker.js';

/** Samples that a thread gets at a time: few, so that all threads end together. */
const CHUNK = 8;

export interface BakePool {
  readonly evaluate: EvaluateSamples;
  close(): Promise<void>;
}

/**
 * `jobs` − 1 threads that evaluate samples beside this one. They start at once, so that they read and plan the model while
 * this thread does.
 */
export function createBakePool(work: BakeWork, jobs: number): BakePool {
  const url = new URL('./bake-worker.js', import.meta.url);
  const threads = Array.from({ length: jobs - 1 }, () => {
    const worker = new Worker(url, { workerData: work });
    worker.on('error', () => {}); // told to whoever waits for an answer
    return { worker, ready: answerOf(worker) };
  });
  // Nobody may be waiting yet when a thread fails.
  for (const { ready } of threads) ready.catch(() => {});
  return {
    async evaluate(samples, here, onDone) {
      const chunks = splitSamples(samples, work.stack, CHUNK).map(([first, end]) => samples.slice(first, end));
      const blocks: FrameBlock[] = new Array(chunks.length);
      let next = 0;
      const take = async (bake: (chunk: readonly Sample[]) => Promise<FrameBlock>): Promise<void> => {
        while (next < chunks.length) {
          const at = next++;
          blocks[at] = await bake(chunks[at]!);
          onDone(chunks[at]!.length);
        }
      };
      const onThisThread = take(async (chunk) => {
        await new Promise(setImmediate); // let the answers of the others in
        return here(chunk);
      });
      const onThread = async ({ worker, ready }: (typeof threads)[number]) => {
        await Promise.race([ready, onThisThread]); // a thread that starts too late is not waited for
        await take((chunk) => {
          const answer = answerOf<FrameBlock>(worker);
          worker.postMessage(chunk);
          return answer;
        });
      };
      await Promise.all([onThisThread, ...threads.map(onThread)]);
      return joinBlocks(blocks);
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

/** The next message of a thread, or its failure. */
function answerOf<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      worker.off('message', onMessage).off('error', onError);
    };
    const onMessage = (message: T): void => {
      settle();
      resolve(message);
    };
    const onError = (error: unknown): void => {
      settle();
      reject(error);
    };
    worker.on('message', onMessage).on('error', onError);
  });
}
