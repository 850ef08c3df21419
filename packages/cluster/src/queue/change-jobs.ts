import { IsoskinError } from '@isoskin/core';
import type { JobType, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { WorkLimits } from '../work/cluster-work.js';
import { type CharacterData, type CharacterJob, type ChunkData, cancelMark, isCharacter } from './bake-queue.js';
import { addCharacter } from './submit-files.js';

type BakeQueue = Queue<CharacterData | ChunkData>;

const UNFINISHED: JobType[] = ['active', 'waiting', 'prioritized', 'delayed', 'waiting-children'];
/** How long a worker may take to let go of a job: longer than the lock of one that has died. */
const PATIENCE = 60_000;

/** Takes characters out of the queue, also those that are being baked; finished chunks stay. Returns what was cancelled. */
export async function cancelJobs(queue: BakeQueue, redis: Redis, names: readonly string[] | 'all'): Promise<string[]> {
  const jobs = await findJobs(queue, names, UNFINISHED, 'waits or runs');
  for (const { id } of jobs) await redis.set(cancelMark(id!), '1', 'EX', 3600);
  for (const job of jobs) await removeWhole(job);
  for (const { id } of jobs) await redis.del(cancelMark(id!));
  return jobs.map(outputOf);
}

/** Puts failed characters into the queue again, with other limits if they are given. Finished chunks are not computed again. */
export async function retryJobs(
  queue: BakeQueue,
  names: readonly string[] | 'all',
  limits: Partial<WorkLimits> = {},
): Promise<string[]> {
  const jobs = await findJobs(queue, names, ['failed'], 'has failed');
  for (const job of jobs) {
    const { chunks: _, ...data } = job.data;
    await removeWhole(job);
    await addCharacter(queue, job.id!, { ...data, limits: { ...data.limits, ...limits } });
  }
  return jobs.map(outputOf);
}

/** Characters by id or by a part of the path they write. */
async function findJobs(
  queue: BakeQueue,
  names: readonly string[] | 'all',
  states: JobType[],
  verb: string,
): Promise<CharacterJob[]> {
  const jobs = (await queue.getJobs(states)).filter(isCharacter);
  if (names === 'all') return jobs;
  const found = new Set<CharacterJob>();
  for (const name of names) {
    const own = jobs.filter((job) => job.id === name || outputOf(job).includes(name));
    if (own.length === 0) {
      throw new IsoskinError(
        'CLUSTER_UNKNOWN',
        `Nothing that ${verb} is called "${name}": see isoskin cluster status.`,
      );
    }
    for (const job of own) found.add(job);
  }
  return [...found];
}

/** Removes a character and its chunks; those in work keep a lock until their worker has let go. */
async function removeWhole(job: CharacterJob): Promise<void> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      await job.remove({ removeChildren: true });
      return;
    } catch (cause) {
      if (Date.now() > end) {
        const message = `"${outputOf(job)}" is held by a worker that does not answer: try again in a minute.`;
        throw new IsoskinError('CLUSTER_LOCKED', message, '', { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function outputOf({ data }: CharacterJob): string {
  return `${data.output.storage}/${data.output.key}`;
}
