import { IsoskinError } from '@isoskin/core';

/**
 * Where models, chunks and results lie: a folder or a bucket. Keys are relative, parted by `/`, and never lead out. A key
 * appears whole or not at all, however many machines write it.
 */
export interface Storage {
  /** Absolute address, equal for equal places: `/assets` or `s3://bucket/assets`. */
  readonly url: string;
  /** Where a key lies, links on the way to it followed: equal for two names of one place, be there something or not. */
  place(key: string): Promise<string>;
  /** The bytes, or undefined when there is nothing under this key. */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  exists(key: string): Promise<boolean>;
  /** Writes or replaces. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Writes unless something is there already; whether it wrote. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Takes it away; nothing happens when it is not there. */
  remove(key: string): Promise<void>;
  /** Removes what writers of this key have left behind that were killed. */
  tidy(key: string): Promise<void>;
  /** All keys that start with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>;
}

/** Refuses a key that is absolute, leads out of its storage, or cannot be written as a file name everywhere. */
export function checkKey(key: string): string {
  const parts = key.split('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const isBad = parts.some((part) => part === '' || part === '.' || part === '..') || /[\\\x00-\x1f\x7f]/.test(key);
  if (!isBad && key.length <= 1024) return key;
  const message = `The name "${key.slice(0, 200)}" leads out of its folder or holds characters that no file name may have: rename the file`;
  throw new IsoskinError('STORAGE_KEY', message);
}

/** A place that cannot be read or written just now: worth another try, unlike a bad file. */
export function storageError(message: string, cause: unknown): IsoskinError {
  return new IsoskinError('STORAGE_FAILED', message, '', { cause });
}
