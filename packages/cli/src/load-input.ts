/** Opens the model that a command is given: a file or, for `-`, what is piped into it. A file of that name is `./-`. */
import { IsoskinError } from '@isoskin/core';
import { LIMITS } from '@isoskin/core/json';
import type { ReadOptions, ReadResult } from '@isoskin/gltf';
import { type LoadedModel, type LoadOptions, loadModel, readLoadedModel } from '@isoskin/gltf/node';

/** The name of stdin and stdout among the arguments. */
export const PIPE = '-';

export async function loadInput(path: string, options: LoadOptions): Promise<LoadedModel> {
  if (path !== PIPE) return loadModel(path, options);
  // What is piped in lies in no folder, so nothing lies beside it.
  return { name: 'model', bytes: await readStdin(options.maxMemory), files: {}, ...options };
}

export async function readInput(path: string, options: LoadOptions, read?: ReadOptions): Promise<ReadResult> {
  return readLoadedModel(await loadInput(path, options), read);
}

async function readStdin(maxMemory = Number.POSITIVE_INFINITY): Promise<Uint8Array<ArrayBuffer>> {
  if (process.stdin.isTTY) {
    const message = 'Nothing is piped in for "-": write for example isoskin inspect - < model.glb, or give a file.';
    throw new IsoskinError('FILE_SILENT', message);
  }
  const most = Math.min(maxMemory, LIMITS.pipe);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of process.stdin as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > most) {
      const message = `What is piped in takes more than the ${Math.round(most / 2 ** 20)} MB that are allowed: raise --max-memory, or make it smaller.`;
      throw new IsoskinError('TOO_LARGE', message);
    }
    parts.push(part);
  }
  if (length > 0) return new Uint8Array(Buffer.concat(parts));
  throw new IsoskinError('FILE_SILENT', 'Nothing was piped in for "-": look at the command before isoskin.');
}
