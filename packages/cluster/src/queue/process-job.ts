import { DelayedError, type Queue, UnrecoverableError, WaitingChildrenError } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ChunkResult, MergeResult, SplitResult } from '../work/create-bench.js';
import { type ChildPool, isPassing } from '../work/create-child-pool.js';
import {
  type BakeJob,
  type CharacterData,
  type CharacterJob,
  type ChunkData,
  chunkPriority,
  claimMark,
  isCharacter,
  MERGE_PRIORITY,
  RETRIES,
} from './bake-queue.js';

export interface JobContext {
  readonly queue: Queue<CharacterData | ChunkData>;
  readonly redis: Redis;
  readonly pool: ChildPool;
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
    return isCharacter(job)
      ? await processCharacter(job, token, signal, context)
      : await processChunk(job as BakeJob & { data: ChunkData }, token, signal, context);
  } catch (error) {
    if (error instanceof WaitingChildrenError || error instanceof DelayedError || isPassing(error)) throw error;
    throw new UnrecoverableError((error as Error).message);
  }
}

async function processCharacter(
  job: CharacterJob,
  token: string,
  signal: AbortSignal,
  { queue, pool }: JobContext,
): Promise<MergeResult> {
  const [reason] = Object.values(await job.getIgnoredChildrenFailures());
  if (reason !== undefined) {
    await job.removeUnprocessedChildren();
    throw new UnrecoverableError(reason);
  }
  const { priority, chunks: planned, ...work } = job.data;
  let chunks = planned;
  if (!chunks) {
    const split = await pool.run<SplitResult>({ kind: 'split', work }, signal);
    chunks = split.chunks;
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
    await job.updateData({ ...job.data, chunks });
  }
  if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
  try {
    return await pool.run<MergeResult>({ kind: 'merge', work, chunks, isRepeat: isRepeat(job) }, signal);
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
  { redis, pool }: JobContext,
): Promise<ChunkResult> {
  const { work, chunk } = job.data;
  const mark = claimMark(chunk.key);
  const holder = await redis.set(mark, job.id!, 'EX', Math.ceil(work.limits.seconds) + 60, 'NX', 'GET');
  if (holder !== null && holder !== job.id) {
    await job.moveToDelayed(Date.now() + LOOK_AGAIN, token);
    throw new DelayedError();
  }
  try {
    return await pool.run<ChunkResult>({ kind: 'chunk', work, chunk, isRepeat: isRepeat(job) }, signal);
  } finally {
    await redis.del(mark);
  }
}

const isRepeat = ({ stalledCounter, attemptsMade }: BakeJob | CharacterJob) => stalledCounter + attemptsMade > 0;
