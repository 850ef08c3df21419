import { checkStack, IsoskinError } from '@isoskin/core';
import type { BakeOptions } from '@isoskin/gltf';
import { checkKey } from '../storage/storage.js';
import { contentKey } from './chunk-key.js';
import { isWorkSigned } from './sign-work.js';

/** What a bake is told to do, as plain JSON: the options of `isoskin bake`. Clips are named as the user named them. */
export interface BakeSettings
  extends Required<Pick<BakeOptions, 'stack' | 'fps' | 'as' | 'tolerance' | 'maxTargets' | 'compact'>>,
    Pick<BakeOptions, 'compress' | 'clips' | 'drive' | 'range'> {}

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
  /** Of all the other fields, with the key that submitters and workers share. */
  readonly signature: string;
}

export interface WorkLimits {
  /** MiB that a job may use. */
  readonly memory: number;
  /** Seconds that a job may take. */
  readonly seconds: number;
  /** Vertices × moments; default: that of the core's `LIMITS`. */
  readonly work?: number;
}

/** A range of samples, and the key that its result has in the store. Whoever uses one computes its key again. */
export interface Chunk {
  readonly key: string;
  readonly first: number;
  readonly end: number;
}

export const LIMIT_DEFAULTS: WorkLimits = { memory: 4096, seconds: 900 };

/** Looks at what comes from Redis before a file is touched: another program may have put it there. */
export function checkWork(work: CharacterWork, key: string): void {
  if (!isWork(work)) throw new IsoskinError('CLUSTER_JOB', NOT_OURS);
  if (!isWorkSigned(work, key)) {
    const message =
      'The job is not signed with the key of this worker and is not done: set the same ISOSKIN_CLUSTER_KEY wherever you submit and work, and submit it again.';
    throw new IsoskinError('CLUSTER_SIGNATURE', message);
  }
  checkKey(work.input.key);
  checkKey(work.output.key);
  checkStack(work.settings.stack);
  if (work.content !== contentKey(work.input.files, work.settings)) throw new IsoskinError('CLUSTER_JOB', NOT_OURS);
}

export const NOT_OURS = 'The job is not one that `isoskin cluster submit` writes: submit it again.';

/** Whether it has the shape of work; not whether it may be done. */
export function isWork(value: unknown): value is CharacterWork {
  const { input, output, store, settings, limits, content } = Object(value) as Partial<CharacterWork>;
  const isText = (part: unknown) => typeof part === 'string' && part.length > 0 && part.length <= 4096;
  const isAmount = (part: unknown) => typeof part === 'number' && part > 0 && part < 1e9;
  const files: unknown[] = Array.isArray(input?.files) ? input.files : [];
  const isFile = (file: unknown): boolean => {
    const { name, sha256 } = Object(file) as Partial<InputFile>;
    return isText(name) && isText(sha256) && /^[\da-f]{64}$/.test(sha256!);
  };
  return (
    [input?.storage, input?.key, output?.storage, output?.key, store, content].every(isText) &&
    files.length > 0 &&
    files.every(isFile) &&
    [limits?.memory, limits?.seconds].every(isAmount) &&
    typeof settings === 'object' &&
    settings !== null
  );
}
