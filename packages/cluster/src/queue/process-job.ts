import { IsoskinError } from '@isoskin/core';
import { DelayedError, type Queue, UnrecoverableError, WaitingChildrenError } from 'bullmq';
import type { Redis } from 'ioredis';
import { isChunkKey } from '../work/chunk-key.js';
import { type Chunk, checkWork, NOT_OURS } from '../work/cluster-work.js';
import { type ChildPool, isPassing } from '../work/create-child-pool.js';
import type { ChunkResult, MergeResult, SplitResult } from '../work/create-job-runner.js';
import {
  type BakeJob,
  type CharacterData,
  type CharacterJob,
  type ChunkData,
  characterId,
  chunkPriority,
  claimMark,
  isCharacter,
  MERGE_PRIORITY,
  PRIORITIES,
  RETRIES,
} from './bake-queue.js';

export interface JobContext {
  readonly queue: Queue<CharacterData | ChunkData>;
  readonly redis: Redis;
  readonly pool: ChildPool;
  /** The cluster's secret. */
  readonly key: string;
}

/** How long a job waits before it looks again whether another has computed its chunk. */
const LOOK_AGAIN = 1000;

/**
 * What a worker does with a job. Every step may be repeated at any point by anyone: chunks are stored once under the hash of
 * what they depend on, and a file is written whole.
 */
export async function processJob(
  job: BakeJob,
  token: string,
  signal: AbortSignal,
  context: JobContext,
): Promise<MergeResult | ChunkResult> {
  try {
    if (isCharacter(job)) return await processCharacter(job, token, signal, context);
    if (isChunk(job)) return await processChunk(job, token, signal, context);
    throw new IsoskinError('CLUSTER_JOB', NOT_OURS);
  } catch (error) {
    if (error instanceof WaitingChildrenError || error instanceof DelayedError || isPassing(error)) throw error;
    throw new UnrecoverableError((error as Error).message);
  }
}

async function processCharacter(
  job: CharacterJob,
  token: string,
  signal: AbortSignal,
  { queue, pool, key }: JobContext,
): Promise<MergeResult> {
  const { priority, chunks: planned, ...work } = Object(job.data) as CharacterData;
  checkWork(work, key);
  // One place, one job: a copy under another id would bake it beside the first.
  const isOwn = job.id === characterId(work.output) && PRIORITIES.includes(priority);
  if (!isOwn) throw new IsoskinError('CLUSTER_JOB', NOT_OURS);
  const [reason] = Object.values(await job.getIgnoredChildrenFailures());
  if (reason !== undefined) {
    await job.removeUnprocessedChildren();
    throw new UnrecoverableError(reason);
  }
  if (planned === undefined) {
    const split = await pool.run<SplitResult>({ kind: 'split', work }, signal);
    await job.changePriority({ priority: MERGE_PRIORITY });
    await queue.addBulk(
      split.missing.map((chunk) => ({
        name: 'chunk',
        data: { work, chunk },
        opts: {
          ...RETRIES,
          jobId: `${job.id}-${chunk.first}`,
          priority: chunkPriority(priority),
          parent: { id: job.id!, queue: job.queueQualifiedName },
          continueParentOnFailure: true, // the character fails with the reason of its chunk
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    );
    await job.updateData({ ...job.data, chunks: split.chunks.length });
  }
  if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
  try {
    return await pool.run<MergeResult>({ kind: 'merge', work, isRepeat: isRepeat(job) }, signal);
  } catch (error) {
    // The next attempt looks what the store has, and has the rest computed again.
    if (isPassing(error)) await job.updateData({ priority, ...work });
    throw error;
  }
}

/** The same chunk may belong to two characters, such as copies of a file: the second waits for the first. */
async function processChunk(
  job: BakeJob & { data: ChunkData },
  token: string,
  signal: AbortSignal,
  { queue, redis, pool, key }: JobContext,
): Promise<ChunkResult> {
  const { work, chunk } = job.data;
  checkWork(work, key);
  const mark = claimMark(chunk.key);
  const seconds = Math.ceil(work.limits.seconds) + 60;
  const holder = await redis.set(mark, job.id!, 'EX', seconds, 'NX', 'GET');
  if (holder !== null && holder !== job.id) {
    // A claim ends with its job: that of one that was cancelled while its worker was dead belongs to nobody.
    if (!(await isOpen(queue, holder))) await release(redis, mark, holder);
    await job.moveToDelayed(Date.now() + LOOK_AGAIN, token);
    throw new DelayedError();
  }
  try {
    return await pool.run<ChunkResult>({ kind: 'chunk', work, chunk, isRepeat: isRepeat(job) }, signal);
  } finally {
    await release(redis, mark, job.id!);
  }
}

function isChunk(job: BakeJob): job is BakeJob & { data: ChunkData } {
  const { first, end, key } = Object((Object(job.data) as ChunkData).chunk) as Partial<Chunk>;
  return job.name === 'chunk' && isChunkKey(key) && Number.isSafeInteger(first) && Number.isSafeInteger(end);
}

async function isOpen(queue: JobContext['queue'], id: string): Promise<boolean> {
  return !['unknown', 'completed', 'failed'].includes(await queue.getJobState(id));
}

/** Takes a claim away if it is still this job's. */
async function release(redis: Redis, mark: string, id: string): Promise<void> {
  const script = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
  await redis.eval(script, 1, mark, id);
}

const isRepeat = ({ stalledCounter, attemptsMade }: BakeJob | CharacterJob) => stalledCounter + attemptsMade > 0;
