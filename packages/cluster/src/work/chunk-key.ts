import { createHash } from 'node:crypto';
import { VERSION } from '../version.js';
import type { BakeSettings, CharacterWork, InputFile } from './cluster-work.js';

/**
 * The name of a chunk in the store: a hash of everything that its bytes depend on, and of nothing else. Tolerance, targets
 * and compression are the merge's business, so that a bake with another tolerance finds its frames ready.
 */
export function chunkKey(
  { input, settings }: CharacterWork,
  clips: readonly string[] | undefined,
  first: number,
  end: number,
): string {
  const { fps, as, stack } = settings;
  const hash = hashJson(['chunk', VERSION, hashFiles(input.files), stack, fps, as === 'cache', clips, first, end]);
  return `chunks/${hash.slice(0, 2)}/${hash}`;
}

/** Whether it has the form of a chunk's name; only computing it again tells whether it is one. */
export function isChunkKey(key: unknown): key is string {
  return typeof key === 'string' && /^chunks\/([\da-f]{2})\/\1[\da-f]{62}$/.test(key);
}

/** The name of a whole bake. */
export function contentKey(files: readonly InputFile[], settings: BakeSettings): string {
  return hashJson(['character', VERSION, hashFiles(files), settings]);
}

export function hashBytes(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hashFiles(files: readonly InputFile[]): string {
  return hashJson(files.map(({ name, sha256 }, n) => (n === 0 ? sha256 : [name, sha256])));
}

function hashJson(value: unknown): string {
  return hashBytes(stableJson(value));
}

/** Equal for equal values, in whatever order their fields were written. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
