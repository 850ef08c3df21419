import { resolve } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { createFileStorage } from './create-file-storage.js';
import { createS3Storage } from './create-s3-storage.js';
import type { Storage } from './storage.js';

/** `s3://bucket/prefix`, or a folder; with `roots` only what lies in one of them, wherever links lead. */
export function openStorage(url: string, roots?: readonly string[]): Storage {
  const isS3 = /^s3:\/\//i.test(url);
  const storage = isS3 ? createS3Storage(url) : createFileStorage(resolve(url), roots);
  if (!roots || roots.some((root) => isInside(storage.url, root))) return storage;
  throw new IsoskinError(
    'STORAGE_ROOT',
    `This worker may not touch "${storage.url}": start it with --root ${storage.url}.`,
  );
}

/** Whether `url` is `root` or lies below it; both as `Storage.url` has them. */
export function isInside(url: string, root: string): boolean {
  return url === root || url.startsWith(root.endsWith('/') ? root : `${root}/`);
}
