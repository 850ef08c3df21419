/**
 * A bake in plain processes, without Redis: any number of them compute the frames of a character, each its share, and put them into a
 * store; then one merges them, byte by byte as the local bake would. Whoever starts them (a Kubernetes Indexed Job, Open Job Description,
 * a shell) has to start the merge when all shares are done, and nothing else: a share that is started again finds what it has done.
 */
import { IsoskinError } from '@isoskin/core';
import { hashInput } from '../queue/hash-input.js';
import { openStorage } from '../storage/open-storage.js';
import { contentKey } from './chunk-key.js';
import { type BakeSettings, type CharacterWork, LIMIT_DEFAULTS, type Place } from './cluster-work.js';
import { type ChunkResult, createJobRunner, type MergeResult, type SplitResult } from './create-job-runner.js';

export interface PiecesOptions {
  /** The model: a path, or `s3://bucket/…`. */
  readonly model: string;
  /** Folder or `s3://bucket/folder` that all processes see, where finished frames are kept. */
  readonly store: string;
  readonly settings: BakeSettings;
  /** Half frames per chunk; the same for all shares and the merge. Default: by the number of vertices. */
  readonly chunkSize?: number;
  /** Vertices × moments; default: that of the core's `LIMITS`. */
  readonly maxWork?: number;
  /** Signs the frames, where others can write to the store. */
  readonly key?: string;
}

export interface ShareResult {
  /** Chunks of the whole bake. */
  readonly chunks: number;
  /** Those of this share, and how many of them were not in the store. */
  readonly own: number;
  readonly computed: number;
}

/** Computes every `count`th chunk, from number `index` (0 …) on. */
export async function bakeShare(options: PiecesOptions, index: number, count: number): Promise<ShareResult> {
  if (!(Number.isInteger(count) && count >= 1 && Number.isInteger(index) && index >= 0 && index < count)) {
    const message = `There is no share ${index} of ${count}: give a count of 1 or more, and an index from 0 to one less.`;
    throw new IsoskinError('BAKE_SHARE', message);
  }
  const work = await createWork(options, { storage: openStorage(options.store).url, key: 'unused.glb' });
  const runner = createJobRunner({ ...(options.key && { key: options.key }) });
  const { chunks } = (await runner.run({ kind: 'split', work })) as SplitResult;
  const own = chunks.filter((_, n) => n % count === index);
  let computed = 0;
  for (const chunk of own) {
    const result = (await runner.run({ kind: 'chunk', work, chunk, isRepeat: true })) as ChunkResult;
    if (result.computed) computed++;
  }
  return { chunks: chunks.length, own: own.length, computed };
}

/** Writes the file `output` from the frames in the store. */
export async function mergeShares(options: PiecesOptions, output: string): Promise<MergeResult> {
  const work = await createWork(options, placeOf(output));
  const runner = createJobRunner({ ...(options.key && { key: options.key }) });
  const { chunks, missing } = (await runner.run({ kind: 'split', work })) as SplitResult;
  if (missing.length > 0) {
    const message = `${missing.length} of ${chunks.length} chunks are not in "${work.store}": run all shares of bake-chunk with the same options first.`;
    throw new IsoskinError('BAKE_PIECES_MISSING', message);
  }
  return (await runner.run({ kind: 'merge', work, isRepeat: true })) as MergeResult;
}

async function createWork(options: PiecesOptions, output: Place): Promise<CharacterWork> {
  const { model, store, settings, chunkSize, maxWork } = options;
  const input = placeOf(model);
  const files = await hashInput(openStorage(input.storage), input.key);
  return {
    input: { ...input, files },
    output,
    store: openStorage(store).url,
    settings,
    content: contentKey(files, settings),
    limits: { ...LIMIT_DEFAULTS, ...(maxWork !== undefined && { work: maxWork }) },
    ...(chunkSize !== undefined && { chunkSize }),
    signature: '', // it never leaves this process
  };
}

/** A path or address as the folder and the name in it. */
function placeOf(path: string): Place {
  const cut = Math.max(path.lastIndexOf('/'), process.platform === 'win32' ? path.lastIndexOf('\\') : -1);
  const folder = cut < 0 ? '.' : path.slice(0, cut) || '/';
  return { storage: openStorage(folder).url, key: path.slice(cut + 1) };
}
