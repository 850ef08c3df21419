import { resolve } from 'node:path';
import { createFileStorage } from './create-file-storage.js';
import { createS3Storage } from './create-s3-storage.js';
import type { Storage } from './storage.js';

/** `s3://bucket/prefix`, or a folder. */
export function openStorage(url: string): Storage {
  return /^s3:\/\//i.test(url) ? createS3Storage(url) : createFileStorage(resolve(url));
}

/** Whether `url` is `root` or lies below it; both as `Storage.url` has them. */
export function isInside(url: string, root: string): boolean {
  return url === root || url.startsWith(root.endsWith('/') ? root : `${root}/`);
}
