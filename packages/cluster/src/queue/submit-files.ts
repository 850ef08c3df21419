import { IsoskinError } from '@isoskin/core';
import type { Queue } from 'bullmq';
import { openStorage } from '../storage/open-storage.js';
import type { Storage } from '../storage/storage.js';
import { contentKey } from '../work/chunk-key.js';
import type { BakeSettings, InputFile, Place, WorkLimits } from '../work/cluster-work.js';
import { isWorkSigned, signWork } from '../work/sign-work.js';
import {
  type CharacterData,
  type CharacterJob,
  type ChunkData,
  characterId,
  isCharacter,
  PRIORITIES,
  RETRIES,
  redisOf,
  splitPriority,
} from './bake-queue.js';
import { chooseKey } from './choose-key.js';
import { hashInput } from './hash-input.js';
import { listInputs } from './list-inputs.js';
import { readJob } from './read-jobs.js';
import { refuseInputs } from './refuse-inputs.js';

export interface SubmitOptions {
  readonly patterns: readonly string[];
  /** Folder or `s3://…` that results go to. */
  readonly out: string;
  /** Where chunks are kept. Default: `.isoskin` in `out`. */
  readonly store?: string;
  readonly settings: BakeSettings;
  /** 1 first … 10 last. Default 5. */
  readonly priority?: number;
  readonly limits: WorkLimits;
  readonly chunkSize?: number;
  /** Characters that may wait in the queue; more are added when workers have taken some. Default 1000. */
  readonly lookahead?: number;
  /** The secret that the workers have too. Default: ISOSKIN_CLUSTER_KEY. */
  readonly key?: string;
  readonly onProgress?: (done: number, total: number, isWaiting: boolean) => void;
}

export interface Submission {
  /** Ids of the characters that are queued now. */
  readonly ids: readonly string[];
  readonly added: number;
  /** Already in the queue with the same input and options. */
  readonly queued: number;
  /** Done before with the same input and options, and the result is still there. */
  readonly unchanged: number;
  /** What was left out, and why. */
  readonly refused: readonly string[];
}

type BakeQueue = Queue<CharacterData | ChunkData>;

/** Puts every model that matches into the queue, once. Submitting the same again changes nothing. */
export async function submitFiles(queue: BakeQueue, options: SubmitOptions): Promise<Submission> {
  const { patterns, out, settings, priority = 5, limits, chunkSize, lookahead = 1000, onProgress } = options;
  if (!PRIORITIES.includes(priority)) {
    throw new IsoskinError('SUBMIT_PRIORITY', `${priority} is no priority: give a whole number from 1 (first) to 10.`);
  }
  const key = chooseKey(redisOf(queue), options.key);
  const target = openStorage(out);
  const store = openStorage(options.store ?? `${target.url}/.isoskin`).url;
  const { inputs, refused } = await listInputs(patterns, out);
  await refuseInputs(inputs);
  const refusals = [...refused];
  const ids: string[] = [];
  const counts = { added: 0, queued: 0, unchanged: 0 };
  for (const [n, { storage, input, output }] of inputs.entries()) {
    while ((await countWaiting(queue)) >= lookahead) {
      onProgress?.(n, inputs.length, true);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    let files: InputFile[];
    try {
      files = await hashInput(storage, input.key);
    } catch (error) {
      if (!(error instanceof IsoskinError) || error.code === 'STORAGE_FAILED') throw error;
      refusals.push(`${input.key}: ${error.message}`);
      continue;
    }
    const content = contentKey(files, settings);
    const place = { input: { ...input, files }, output, store };
    const work = { ...place, settings, content, limits, ...(chunkSize !== undefined && { chunkSize }) };
    const id = characterId(output);
    const outcome = await enqueue(queue, id, { ...signWork(work, key), priority }, target, key);
    counts[outcome]++;
    if (outcome !== 'unchanged') ids.push(id);
    onProgress?.(n + 1, inputs.length, false);
  }
  return { ids, ...counts, refused: refusals };
}

/** Adds a character unless it is there, or was done already. */
async function enqueue(queue: BakeQueue, id: string, data: CharacterData, target: Storage, key: string) {
  const before = await readJob(queue, id);
  if (before) {
    const state = await queue.getJobState(id);
    // What another program put there under this name counts for nothing.
    const isOurs = before !== 'malformed' && isCharacter(before) && isJobSigned(before, key);
    const isSame = isOurs && before.data.content === data.content;
    const isOver = !isOurs || state === 'completed' || state === 'failed' || state === 'unknown';
    if (isSame && state === 'completed' && (await target.exists(data.output.key))) return 'unchanged';
    if (isSame && !isOver) return 'queued';
    if (!isOver) throw busy(data.output);
    await queue.remove(id, { removeChildren: true });
  }
  await addCharacter(queue, id, data);
  const now = await readJob(queue, id);
  if (now && (now === 'malformed' || now.data.content !== data.content)) throw busy(data.output);
  return 'added';
}

export async function addCharacter(queue: BakeQueue, id: string, data: CharacterData): Promise<void> {
  await queue.add('character', data, { ...RETRIES, jobId: id, priority: splitPriority(data.priority) });
}

/** Whether the work of a job is that of one who has the key. */
export function isJobSigned({ data }: CharacterJob, key: string): boolean {
  const { priority: _, chunks: __, ...work } = data;
  return isWorkSigned(work, key);
}

function busy({ storage, key }: Place): IsoskinError {
  const message = `"${storage}/${key}" is being baked just now from another input or with other options: wait, cancel it, or choose another --out.`;
  return new IsoskinError('SUBMIT_BUSY', message);
}

async function countWaiting(queue: BakeQueue): Promise<number> {
  const counts = await queue.getCountsPerPriority(PRIORITIES.map(splitPriority));
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
