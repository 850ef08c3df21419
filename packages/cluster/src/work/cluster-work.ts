import { checkStack, IsoskinError, type StackSpec } from '@isoskin/core';
import { checkKey } from '../storage/storage.js';

/** What a bake is told to do, as plain JSON: the options of `isoskin bake`. */
export interface BakeSettings {
  readonly stack: StackSpec;
  readonly fps: number;
  readonly as: 'morph' | 'cache';
  readonly tolerance: number;
  readonly maxTargets: number;
  readonly quantise: boolean;
  readonly compress?: 'meshopt';
  /** Names as the user gave them; all clips without. */
  readonly clips?: readonly string[];
}

export interface Place {
  /** `Storage.url` */
  readonly storage: string;
  readonly key: string;
}

export interface InputFile {
  /** Relative to the folder of the model. */
  readonly name: string;
  readonly sha256: string;
}

/** The bake of one character: what travels through Redis. Bytes never do. */
export interface CharacterWork {
  /** The model, and every file that belongs to it; the model itself is the first. */
  readonly input: Place & { readonly files: readonly InputFile[] };
  readonly output: Place;
  /** Where chunks are kept. */
  readonly store: string;
  readonly settings: BakeSettings;
  /** Hash of the input, the settings and the version. */
  readonly content: string;
  /** Samples of a chunk. Default: by the number of vertices. */
  readonly chunkSize?: number;
  readonly limits: WorkLimits;
}

export interface WorkLimits {
  /** MiB that a job may use. */
  readonly memory: number;
  /** Seconds that a job may take. */
  readonly seconds: number;
}

/** A range of samples, and the key that its result has in the store. */
export interface Chunk {
  readonly key: string;
  readonly first: number;
  readonly end: number;
}

export const LIMIT_DEFAULTS: WorkLimits = { memory: 4096, seconds: 900 };

/** Looks at what comes from Redis before a file is touched: another program may have put it there. */
export function checkWork(work: CharacterWork): void {
  const { input, output, store, settings, limits } = Object(work) as CharacterWork;
  const isText = (value: unknown) => typeof value === 'string' && value.length > 0 && value.length <= 4096;
  const files = Array.isArray(input?.files) ? input.files : [];
  const isWhole =
    [input?.storage, input?.key, output?.storage, output?.key, store].every(isText) &&
    files.length > 0 &&
    files.every(({ name, sha256 }) => isText(name) && /^[\da-f]{64}$/.test(sha256)) &&
    limits?.memory > 0 &&
    limits.seconds > 0;
  if (!isWhole) {
    throw new IsoskinError('CLUSTER_JOB', 'The job is not one that `isoskin cluster submit` writes: submit it again.');
  }
  checkKey(input.key);
  checkKey(output.key);
  checkStack(settings.stack);
}
