/**
 * Where a child process works: the three kinds of job, on a character that stays loaded from one job to the next.
 *
 * split: the ranges of samples and which of them are not in the store yet. chunk: evaluates a range and stores it, once.
 * merge: puts the ranges together, exactly as the local bake does, and writes the file.
 */
import { checkBudget, IsoskinError } from '@isoskin/core';
import { listUsedLayers } from '@isoskin/core/stack';
import {
  bakeCharacter,
  type EvaluateSamples,
  type FrameBlock,
  joinBlocks,
  listSamples,
  splitSamples,
} from '@isoskin/gltf';
import { openStorage } from '../storage/open-storage.js';
import type { Storage } from '../storage/storage.js';
import { chunkKey, hashBytes } from './chunk-key.js';
import { type CharacterWork, type Chunk, NOT_OURS } from './cluster-work.js';
import { decodeChunk, encodeChunk } from './encode-chunk.js';
import { chooseClipNames, type LoadedCharacter, loadCharacter } from './load-character.js';

export type Task =
  | { readonly kind: 'split'; readonly work: CharacterWork }
  | ({ readonly kind: 'chunk'; readonly work: CharacterWork; readonly chunk: Chunk } & Repeat)
  | ({ readonly kind: 'merge'; readonly work: CharacterWork } & Repeat);

interface Repeat {
  /** It was begun before, and may have been killed while it wrote. */
  readonly isRepeat: boolean;
}

export interface SplitResult {
  readonly chunks: readonly Chunk[];
  readonly missing: readonly Chunk[];
  readonly vertices: number;
}

export interface ChunkResult {
  /** False when the store had it already. */
  readonly computed: boolean;
  readonly samples: number;
}

export interface MergeResult {
  readonly bytes: number;
  readonly sha256: string;
  readonly samples: number;
  readonly vertices: number;
  readonly positionError: number;
  readonly warnings: readonly string[];
}

export interface JobRunnerOptions {
  /** Storages that may be touched; all without. */
  readonly roots?: readonly string[];
  /** Hears of everything that is done, before and after. */
  readonly log?: (event: string, facts: object) => void;
  /** The cluster's secret; chunks of others are not believed. */
  readonly key?: string;
}

/** Sample·vertices of a chunk: a few seconds, so that reading and planning the character do not count. */
const CHUNK_WORK = 5_000_000;

export function createJobRunner({ roots, log = () => {}, key: secret = '' }: JobRunnerOptions = {}) {
  let loaded: { readonly key: string; readonly character: LoadedCharacter } | undefined;
  const open = (url: string): Storage => openStorage(url, roots);
  const load = async (work: CharacterWork): Promise<LoadedCharacter> => {
    const key = warmKey(work);
    if (loaded?.key === key) return loaded.character;
    loaded = undefined; // before the next is read: both together may be too large
    const character = await loadCharacter(work, open(work.input.storage));
    loaded = { key, character };
    return character;
  };

  /** The chunks of a character, from its work alone: what a job says about them is never used. */
  const plan = async (work: CharacterWork) => {
    const character = await load(work);
    const clips = chooseClipNames(character, work.settings.clips);
    const played = character.read.character.clips.filter(({ name }) => clips?.includes(name) ?? true);
    // Memory is looked at while it works.
    checkBudget(character.read.character, { clips: played, rate: 2 * work.settings.fps, maxWork: work.limits.work });
    const { samples } = listSamples(character.read.character, { ...work.settings, clips: clips ?? all(character) });
    const { vertexCount } = character.read.character.surface;
    const size = work.chunkSize ?? Math.max(8, Math.ceil(CHUNK_WORK / vertexCount));
    const pieces = isRefined(work) ? [] : splitSamples(samples, work.settings.stack, size);
    const chunks = pieces.map(([first, end]): Chunk => ({ key: chunkKey(work, clips, first, end), first, end }));
    return { character, clips, samples, chunks, vertices: vertexCount };
  };

  const split = async (work: CharacterWork): Promise<SplitResult> => {
    const { chunks, vertices } = await plan(work);
    const store = open(work.store);
    const isStored = await Promise.all(chunks.map(({ key }) => store.exists(key)));
    return { chunks, missing: chunks.filter((_, n) => !isStored[n]), vertices };
  };

  const bakeChunk = async (work: CharacterWork, asked: Chunk, isRepeat: boolean): Promise<ChunkResult> => {
    const { character, chunks, samples } = await plan(work);
    const { key, first, end } = chunks.find((each) => each.first === asked.first && each.end === asked.end) ?? asked;
    if (key !== asked.key || !chunks.some((each) => each.key === key)) throw new IsoskinError('CLUSTER_JOB', NOT_OURS);
    const store = open(work.store);
    if (isRepeat) await store.tidy(key);
    if (await store.exists(key)) {
      log('found', { key });
      return { computed: false, samples: end - first };
    }
    log('compute', { key });
    const block = (await character.baker())(samples.slice(first, end));
    const wrote = await store.putIfAbsent(key, encodeChunk(block, key, secret));
    log('stored', { key, wrote });
    return { computed: true, samples: end - first };
  };

  const merge = async (work: CharacterWork): Promise<MergeResult> => {
    const { character, clips, chunks, vertices } = await plan(work);
    loaded = undefined; // the bake changes the document
    const { read } = character;
    const store = open(work.store);
    const output = open(work.output.storage);
    const { clips: _, ...settings } = work.settings;
    let count = 0;
    const evaluate: EvaluateSamples = async (samples, _, onDone) => {
      const blocks: FrameBlock[] = [];
      for (const chunk of chunks) blocks.push(await readChunk(store, chunk, secret));
      onDone(samples.length);
      return joinBlocks(blocks);
    };
    log('merge', { key: work.content });
    const { glb, positionError, warnings } = await bakeCharacter(read, {
      ...settings,
      ...(clips && { clips }),
      planned: character.stack(),
      maxWork: work.limits.work,
      ...(!isRefined(work) && { evaluate }),
      onProgress: (_, total) => {
        count = total;
      },
    });
    await output.put(work.output.key, glb);
    log('written', { key: work.content });
    return {
      bytes: glb.length,
      sha256: hashBytes(glb),
      samples: count,
      vertices,
      positionError,
      warnings: [...read.character.warnings, ...warnings].map(({ code }) => code),
    };
  };

  return {
    async run(task: Task): Promise<SplitResult | ChunkResult | MergeResult> {
      const { work } = task;
      if (task.kind === 'split') return split(work);
      if (task.kind === 'chunk') return bakeChunk(work, task.chunk, task.isRepeat);
      if (task.isRepeat) await open(work.output.storage).tidy(work.output.key);
      return merge(work);
    },
  };
}

/** Jobs with this in common share a loaded and planned character. */
export function warmKey({ input, settings }: CharacterWork): string {
  const place = [input.storage, input.key];
  return JSON.stringify([place, input.files.map(({ sha256 }) => sha256), settings.stack, settings.as === 'cache']);
}

/** Folded skin is baked on a mesh that depends on all frames together: such a character is one piece of work, its merge. */
function isRefined({ settings }: CharacterWork): boolean {
  return listUsedLayers(settings.stack).wrinkles !== undefined;
}

function all({ read }: LoadedCharacter): string[] {
  return read.character.clips.map(({ name }) => name);
}

async function readChunk(store: Storage, { key, first, end }: Chunk, secret: string): Promise<FrameBlock> {
  const bytes = await store.get(key);
  const block = bytes && decodeChunk(bytes, key, secret);
  if (block && block.measures.length % (end - first) === 0) return block;
  // Whatever it is, it is not the chunk whose name it has: the next attempt computes it again. The name is a hash that was
  // computed here, so nothing but a chunk can be meant.
  if (bytes) await store.remove(key);
  const what = bytes ? 'was damaged, or written with another key,' : 'has gone';
  throw new IsoskinError('CHUNK_LOST', `The chunk ${key} ${what} in the store: it is computed again.`);
}
