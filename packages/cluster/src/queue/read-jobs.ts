/** Reads jobs one by one, so that one that cannot be read (another program wrote it) hides none of the others. */
import type { Job, JobType, Queue } from 'bullmq';
import { isWork } from '../work/cluster-work.js';
import { type CharacterData, type CharacterJob, type ChunkData, isCharacter, PRIORITIES } from './bake-queue.js';

type BakeQueue = Queue<CharacterData | ChunkData>;

export interface JobList {
  readonly characters: readonly CharacterJob[];
  /** Ids of what is no job that `isoskin cluster submit` writes. */
  readonly malformed: readonly string[];
}

export async function readJobs(queue: BakeQueue, states: JobType[], first = 0, last = -1): Promise<JobList> {
  const ids = await queue.getRanges(states, first, last);
  const found = await Promise.all(ids.map((id) => readJob(queue, id)));
  const characters = found.flatMap((job) => (job !== 'malformed' && isCharacter(job) ? [job] : []));
  // BullMQ keeps marks among the ids that have no job behind them.
  const malformed = ids.filter((id, n) => found[n] === 'malformed' && !id.startsWith('0:'));
  return { characters, malformed };
}

/** A job, nothing when there is none, or the word for one that makes no sense. */
export async function readJob(queue: BakeQueue, id: string): Promise<Job | 'malformed' | undefined> {
  try {
    const job = await queue.getJob(id);
    if (!job) return undefined;
    const data = Object(job.data) as Partial<CharacterData> & Partial<ChunkData>;
    if (job.name === 'chunk') return isWork(data.work) ? job : 'malformed';
    const isWhole = isCharacter(job) && PRIORITIES.includes(data.priority!) && isWork(data);
    return isWhole ? job : 'malformed';
  } catch {
    return 'malformed'; // not even JSON
  }
}
