import type { Queue } from 'bullmq';
import { NOT_OURS } from '../work/cluster-work.js';
import { type CharacterData, type ChunkData, isCharacter, placeOf } from './bake-queue.js';
import { readJob } from './read-jobs.js';

export interface WaitResult {
  readonly done: number;
  readonly failed: readonly { readonly id: string; readonly output: string; readonly reason: string }[];
  /** No longer in the queue: cancelled while they were waited for, or Redis has lost its data. Nothing was written for them. */
  readonly gone: number;
}

/** Waits until every one of these characters is done, has failed or was cancelled. */
export async function waitForJobs(
  queue: Queue<CharacterData | ChunkData>,
  ids: readonly string[],
  onProgress: (done: number, total: number) => void = () => {},
): Promise<WaitResult> {
  const open = new Set(ids);
  const failed: { id: string; output: string; reason: string }[] = [];
  let done = 0;
  let gone = 0;
  while (open.size > 0) {
    for (const id of [...open].slice(0, 200)) {
      const state = await queue.getJobState(id);
      if (state === 'completed') done++;
      else if (state === 'failed') {
        const job = await readJob(queue, id);
        if (job === undefined) continue; // the next look finds it gone
        const output = job !== 'malformed' && isCharacter(job) ? placeOf(job.data.output) : '';
        failed.push({ id, output, reason: job === 'malformed' ? NOT_OURS : job.failedReason });
      } else if (state === 'unknown') gone++;
      else continue;
      open.delete(id);
    }
    onProgress(ids.length - open.size, ids.length);
    if (open.size > 0) await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return { done, failed, gone };
}
