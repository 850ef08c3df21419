import { IsoskinError } from '@isoskin/core';
import type { JobType, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { WorkLimits } from '../work/cluster-work.js';
import { signWork } from '../work/sign-work.js';
import { type CharacterData, type CharacterJob, type ChunkData, cancelMark, placeOf, redisOf } from './bake-queue.js';
import { chooseKey } from './choose-key.js';
import { readJobs } from './read-jobs.js';
import { addCharacter, isJobSigned } from './submit-files.js';

type BakeQueue = Queue<CharacterData | ChunkData>;

const UNFINISHED: JobType[] = ['active', 'waiting', 'prioritized', 'delayed', 'waiting-children'];
/** How long a worker may take to let go of a job: longer than the lock of one that has died. */
const PATIENCE = 60_000;

/** Takes characters out of the queue, also those that are being baked; finished chunks stay. Returns what was cancelled. */
export async function cancelJobs(queue: BakeQueue, redis: Redis, names: readonly string[] | 'all'): Promise<string[]> {
  const { jobs, malformed } = await findJobs(queue, names, UNFINISHED, 'waits or runs');
  for (const id of malformed) await queue.remove(id, { removeChildren: true });
  for (const { id } of jobs) await redis.set(cancelMark(id!), '1', 'EX', 3600);
  for (const job of jobs) await removeWhole(job);
  for (const { id } of jobs) await redis.del(cancelMark(id!));
  return [...jobs.map(outputOf), ...malformed];
}

/** Puts failed characters into the queue again, with other limits if they are given. Finished chunks are not computed again. */
export async function retryJobs(
  queue: BakeQueue,
  names: readonly string[] | 'all',
  limits: Partial<WorkLimits> = {},
  key?: string,
): Promise<string[]> {
  const secret = chooseKey(redisOf(queue), key);
  const { jobs } = await findJobs(queue, names, ['failed'], 'has failed');
  // What another program wrote is not signed for it.
  const own = jobs.filter((job) => isJobSigned(job, secret));
  if (own.length < jobs.length && names !== 'all') {
    const message = `"${outputOf(jobs.find((job) => !own.includes(job))!)}" was submitted with another key: submit it again.`;
    throw new IsoskinError('CLUSTER_SIGNATURE', message);
  }
  for (const job of own) {
    const { chunks: _, priority, ...work } = job.data;
    await removeWhole(job);
    const signed = signWork({ ...work, limits: { ...work.limits, ...limits } }, secret);
    await addCharacter(queue, job.id!, { ...signed, priority });
  }
  return own.map(outputOf);
}

/** Characters by id or by a part of the path they write. */
async function findJobs(
  queue: BakeQueue,
  names: readonly string[] | 'all',
  states: JobType[],
  verb: string,
): Promise<{ jobs: readonly CharacterJob[]; malformed: readonly string[] }> {
  const { characters: jobs, malformed: here } = await readJobs(queue, states);
  // Status shows those that have failed too, and this is how one gets rid of them.
  const malformed = [...new Set([...here, ...(await readJobs(queue, ['failed'])).malformed])];
  if (names === 'all') return { jobs, malformed };
  const found = new Set<CharacterJob>();
  for (const name of names) {
    const own = jobs.filter((job) => job.id === name || outputOf(job).includes(name));
    if (own.length === 0 && !malformed.includes(name)) {
      throw new IsoskinError(
        'CLUSTER_UNKNOWN',
        `Nothing that ${verb} is called "${name}": see isoskin cluster status.`,
      );
    }
    for (const job of own) found.add(job);
  }
  return { jobs: [...found], malformed: malformed.filter((id) => names.includes(id)) };
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

const outputOf = ({ data }: CharacterJob): string => placeOf(data.output);
