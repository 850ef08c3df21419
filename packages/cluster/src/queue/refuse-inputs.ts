/**
 * Refuses a submission whose results would replace what is read: the models themselves, and the buffers and images that they name,
 * by the real folder that they lie in. Before the first is queued, as a worker may write it while the second is looked at.
 */
import { posix } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { openStorage } from '../storage/open-storage.js';
import { listFiles } from './hash-input.js';
import type { ListedInput } from './list-inputs.js';

export async function refuseInputs(inputs: readonly ListedInput[]): Promise<void> {
  const outputs = new Set<string>();
  const folders = new Set<string>();
  for (const { output } of inputs) {
    const place = await openStorage(output.storage).place(output.key);
    outputs.add(place);
    for (let folder = posix.dirname(place); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  for (const { storage, input } of inputs) {
    const place = await storage.place(input.key);
    if (outputs.has(place)) throw refusal(place);
    // A model reads in its own folder and below it only.
    if (!folders.has(posix.dirname(place))) continue;
    for (const name of await readNames(storage, input.key)) {
      const used = await storage.place(posix.join(posix.dirname(input.key), name)).catch(() => ''); // a bad name is for the reader
      if (outputs.has(used)) throw refusal(used);
    }
  }
}

/** What cannot be read is told when it is hashed. */
async function readNames(storage: ListedInput['storage'], key: string): Promise<string[]> {
  const model = await storage.get(key).catch(() => undefined);
  return model ? listFiles(model) : [];
}

function refusal(place: string): IsoskinError {
  const message = `"${place}" is one of the inputs and is not overwritten: choose another folder for --out.`;
  return new IsoskinError('OUTPUT_IS_INPUT', message);
}
