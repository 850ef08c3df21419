import { posix } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { listModelFiles } from '@isoskin/gltf';
import type { Storage } from '../storage/storage.js';
import { hashBytes } from '../work/chunk-key.js';
import type { InputFile } from '../work/cluster-work.js';

/** The model and the files it refers to; what is wrong or missing is left to the reader, in the safety of a child process. */
export async function hashInput(storage: Storage, key: string): Promise<InputFile[]> {
  const model = await storage.get(key);
  if (!model) throw new IsoskinError('FILE_MISSING', 'It is no longer there.');
  const files: InputFile[] = [{ name: posix.basename(key), sha256: hashBytes(model) }];
  for (const name of listFiles(model)) {
    const bytes = await storage.get(posix.join(posix.dirname(key), name));
    if (bytes) files.push({ name, sha256: hashBytes(bytes) });
  }
  return files;
}

/** Files that a model names; none for one that is no model. */
export function listFiles(model: Uint8Array): string[] {
  try {
    return listModelFiles(model);
  } catch (error) {
    if (error instanceof IsoskinError) return [];
    throw error;
  }
}
