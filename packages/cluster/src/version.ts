import { readFileSync } from 'node:fs';

/** Part of every key and of the queue's name: results of two versions never meet. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
