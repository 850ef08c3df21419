import type { Queue } from 'bullmq';
import {
  type CharacterData,
  type CharacterJob,
  type ChunkData,
  PRIORITIES,
  placeOf,
  splitPriority,
} from './bake-queue.js';
import { readJobs } from './read-jobs.js';

export interface ClusterStatus {
  readonly workers: number;
  /** Characters. */
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
  /** Seconds until the queue is empty, from what was done in the last ten minutes; undefined while nobody can know. */
  readonly secondsLeft?: number;
  /** Running and failed characters, at most `limit` of each. */
  readonly characters: readonly CharacterStatus[];
  /** Ids of what another program put into the queue. */
  readonly malformed: readonly string[];
}

export interface CharacterStatus {
  readonly id: string;
  readonly state: 'running' | 'failed';
  readonly input: string;
  readonly output: string;
  /** 0 … 1 */
  readonly progress: number;
  readonly chunks: number;
  /** Why it failed: the dead-letter list. */
  readonly reason?: string;
  readonly attempts: number;
}

const WINDOW = 600_000;

export async function readStatus(queue: Queue<CharacterData | ChunkData>, limit = 100): Promise<ClusterStatus> {
  const [counts, perPriority, clients, moving, dead, recent] = await Promise.all([
    queue.getJobCounts('completed', 'failed'),
    queue.getCountsPerPriority(PRIORITIES.map(splitPriority)),
    queue.getWorkersCount(),
    readJobs(queue, ['active', 'waiting', 'delayed', 'waiting-children']),
    readJobs(queue, ['failed'], 0, limit - 1),
    readJobs(queue, ['completed'], 0, 199),
  ]);
  const running = moving.characters;
  const waiting = Object.values(perPriority).reduce((sum, count) => sum + count, 0);
  const shown = await Promise.all(running.slice(0, limit).map(describeRunning));
  const failed = dead.characters.map((job) => ({ ...describe(job), reason: job.failedReason ?? '' }));
  const shares = shown.reduce((sum, { progress }) => sum + progress, 0);
  const left = waiting + running.length - shares;
  const secondsLeft = estimate(left, recent.characters);
  return {
    workers: clients,
    waiting,
    running: running.length,
    done: counts.completed ?? 0,
    failed: counts.failed ?? 0,
    ...(secondsLeft !== undefined && { secondsLeft }),
    characters: [...shown, ...failed],
    malformed: [...moving.malformed, ...dead.malformed].slice(0, limit),
  };
}

function describe(job: CharacterJob): CharacterStatus {
  const { input, output, chunks } = job.data;
  return {
    id: job.id!,
    state: job.failedReason === undefined ? 'running' : 'failed',
    input: placeOf(input),
    output: placeOf(output),
    progress: 0,
    chunks: countOf(chunks),
    attempts: job.attemptsMade,
  };
}

async function describeRunning(job: CharacterJob): Promise<CharacterStatus> {
  const { unprocessed = 0 } = await job.getDependenciesCount({ unprocessed: true });
  const count = countOf(job.data.chunks);
  // The merge is about as much work as the frames together.
  const progress = count > 0 ? (count - unprocessed) / count / 2 : 0;
  return { ...describe(job), state: 'running', progress };
}

const countOf = (chunks: unknown): number => (typeof chunks === 'number' && chunks > 0 ? chunks : 0);

function estimate(left: number, recent: readonly CharacterJob[]): number | undefined {
  if (left <= 0) return 0;
  const since = Date.now() - WINDOW;
  const done = recent.filter(({ finishedOn }) => (finishedOn ?? 0) > since);
  if (done.length === 0) return undefined;
  const start = Math.min(...done.map(({ processedOn, finishedOn }) => Math.max(since, processedOn ?? finishedOn!)));
  return Math.ceil((left * (Date.now() - start)) / done.length / 1000);
}
