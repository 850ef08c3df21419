import { posix } from 'node:path';
import { createFrameSource, type FrameSource, IsoskinError, planBody } from '@isoskin/core';
import {
  createFrameBaker,
  type FrameBaker,
  findClips,
  planSourceSkin,
  type ReadResult,
  readCharacterFromBytes,
} from '@isoskin/gltf';
import { createDracoDecoder } from '@isoskin/gltf/node';
import type { Storage } from '../storage/storage.js';
import { hashBytes } from './chunk-key.js';
import type { CharacterWork } from './cluster-work.js';

/** A character that is ready for the next job; what is planned is planned when it is first asked for. */
export interface LoadedCharacter {
  readonly read: ReadResult;
  stack(): FrameSource;
  baker(): Promise<FrameBaker>;
}

export async function loadCharacter(work: CharacterWork, storage: Storage): Promise<LoadedCharacter> {
  const { input, settings } = work;
  const hashes = new Map(input.files.map(({ name, sha256 }) => [name, sha256]));
  const folder = posix.dirname(input.key);
  const fetchFile = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await storage.get(posix.join(folder, name));
    if (bytes && hashBytes(bytes) === hashes.get(name)) return bytes;
    const what = bytes ? 'has changed' : 'has gone';
    throw new IsoskinError('INPUT_CHANGED', `"${name}" ${what} since the model was submitted: submit it again.`);
  };
  const [model] = input.files;
  const read = await readCharacterFromBytes(await fetchFile(model!.name), {
    name: posix.basename(input.key, posix.extname(input.key)),
    resolve: (file) => {
      // A texture that was missing when the model was submitted is shown white, as the local bake shows it.
      if (!hashes.has(file)) throw new IsoskinError('FILE_MISSING', `The file "${file}" was not there at submission`);
      return fetchFile(file);
    },
    draco: createDracoDecoder,
  });
  let stack: FrameSource | undefined;
  let baker: Promise<FrameBaker> | undefined;
  const planned = (): FrameSource =>
    (stack ??= createFrameSource(planBody(read.character), settings.stack, { rehearse: true }));
  return {
    read,
    stack: planned,
    baker: () => (baker ??= createFrameBaker(planned(), planSourceSkin(read), { world: settings.as === 'cache' })),
  };
}

/** The names that the user's names mean in this file. */
export function chooseClipNames({ read }: LoadedCharacter, names: readonly string[] | undefined): string[] | undefined {
  return names?.flatMap((name) => findClips(read.character.clips, name).map((clip) => clip.name));
}
