import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type ChildPoolOptions, createChildPool } from '../work/create-child-pool.js';
import { type BakeJob, type CharacterData, type ChunkData, cancelMark, openQueue, QUEUE_NAME } from './bake-queue.js';
import { chooseKey } from './choose-key.js';
import { processJob } from './process-job.js';

export interface WorkerSettings extends Omit<ChildPoolOptions, 'ready'> {
  readonly redis: Redis;
  /** Jobs at a time, each in a process of its own. Default 1. */
  readonly concurrency?: number;
  /** Seconds of silence after which a worker counts as dead and its jobs go to others. Default 20. */
  readonly lock?: number;
  readonly onEvent?: (event: WorkerEvent) => void;
}

export interface WorkerEvent {
  readonly kind: 'completed' | 'failed' | 'connection';
  readonly job?: BakeJob | undefined;
  readonly message: string;
}

export interface RunningWorker {
  /** Finishes what it has begun, or kills it. False when Redis had gone and could not be told, at the latest after some seconds. */
  close(force?: boolean): Promise<boolean>;
}

/** How long a worker that is asked to end waits for a Redis that has gone. */
const GONE = 5000;
/** How often the marks of cancelled jobs are looked at. */
const CANCEL_INTERVAL = 500;
/** Deaths of its worker that a job survives. Its own sins are paid for in the child. */
const MAX_STALLS = 20;

export function startWorker(settings: WorkerSettings): RunningWorker {
  const { redis, concurrency = 1, lock = 20, onEvent = () => {} } = settings;
  const { roots, log } = settings;
  const key = chooseKey(redis, settings.key);
  const pool = createChildPool({ ready: concurrency, key, ...(roots && { roots }), ...(log && { log }) });
  const queue = openQueue(redis);
  const active = new Map<AbortController, string>();
  const worker = new Worker<CharacterData | ChunkData>(
    QUEUE_NAME,
    async (job, token) => {
      const controller = new AbortController();
      active.set(controller, job.parent?.id ?? job.id!);
      try {
        return await processJob(job, token!, controller.signal, { queue, redis, pool, key });
      } finally {
        active.delete(controller);
      }
    },
    {
      connection: redis,
      concurrency,
      lockDuration: 1000 * lock,
      stalledInterval: 500 * lock,
      maxStalledCount: MAX_STALLS,
      runRetryDelay: 1000,
      removeOnComplete: { age: 7 * 24 * 3600, count: 20_000 },
    },
  );
  worker.on('completed', (job) => onEvent({ kind: 'completed', job, message: '' }));
  worker.on('failed', (job, error) => onEvent({ kind: 'failed', job, message: error.message }));
  worker.on('error', (error) => onEvent({ kind: 'connection', message: error.message }));
  queue.on('error', () => {}); // the worker tells it

  const watch = setInterval(async () => {
    if (active.size === 0 || redis.status !== 'ready') return;
    const entries = [...active];
    const marks = await redis.mget(entries.map(([, id]) => cancelMark(id))).catch(() => []);
    entries.forEach(([controller], n) => {
      if (marks[n]) controller.abort();
    });
  }, CANCEL_INTERVAL);

  return {
    async close(force = false) {
      if (force) pool.close();
      let isWaiting = true;
      const finish = worker.close(force).then(() => queue.close());
      const isClean = await Promise.race([finish.then(() => redis.status === 'ready'), isLost(redis, () => isWaiting)]);
      isWaiting = false;
      clearInterval(watch);
      pool.close();
      return isClean;
    },
  };
}

/** False as soon as Redis has been away for a while; for as long as `isWaiting`. */
async function isLost(redis: Redis, isWaiting: () => boolean): Promise<false> {
  for (let since = Date.now(); isWaiting() && Date.now() - since < GONE; ) {
    if (redis.status === 'ready') since = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}
