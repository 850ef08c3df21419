import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { VERSION } from '../version.js';
import { hashBytes } from '../work/chunk-key.js';
import type { CharacterWork, Chunk, Place } from '../work/cluster-work.js';
import type { MergeResult } from '../work/create-job-runner.js';

/** A character: splits itself into chunks, waits for them, merges them. Its id is a hash of the place that it writes. */
export interface CharacterData extends CharacterWork {
  /** 1 first … 10 last. */
  readonly priority: number;
  /** When it was split: the number of its chunks. */
  readonly chunks?: number;
}

/** A range of frames of a character. */
export interface ChunkData {
  readonly work: CharacterWork;
  readonly chunk: Chunk;
}

export type CharacterJob = Job<CharacterData, MergeResult>;
export type BakeJob = Job<CharacterData | ChunkData>;

/** One queue per version: a worker never sees work that it would do differently. */
export const QUEUE_NAME = `isoskin-${VERSION}`;

/** Numbers of BullMQ: the lower the sooner, 0 before all. A character is split when no chunk of its priority waits. */
export const chunkPriority = (priority: number): number => 2 * priority - 1;
export const splitPriority = (priority: number): number => 2 * priority;
export const MERGE_PRIORITY = 0;
export const PRIORITIES = Array.from({ length: 10 }, (_, n) => n + 1);

/** Attempts at what may pass: a storage that does not answer, a process that was killed. */
export const RETRIES = { attempts: 4, backoff: { type: 'exponential', delay: 500 } };

export function openQueue(connection: Redis): Queue<CharacterData | ChunkData> {
  return new Queue(QUEUE_NAME, { connection });
}

/** The connection that a queue was opened with. */
export function redisOf(queue: Queue): Redis {
  return queue.opts.connection as Redis;
}

export function isCharacter(job: Job | undefined): job is CharacterJob {
  return job?.name === 'character';
}

/** The id of the one job that may write this place. */
export function characterId({ storage, key }: Place): string {
  return hashBytes(`${storage}/${key}`).slice(0, 20);
}

/** A place as people read it. */
export const placeOf = ({ storage, key }: Place): string => `${storage}/${key}`;

/** The mark by which an active job is asked to stop, and the mark of the job that computes a chunk just now. */
export const cancelMark = (id: string): string => `isoskin:cancel:${id}`;
export const claimMark = (key: string): string => `isoskin:claim:${key}`;
