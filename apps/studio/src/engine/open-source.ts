/** From a source to a character: a demo made in code, or the bytes of a file. Readers are loaded when first needed. */
import { type Character, type CharacterInput, checkBudget, createCharacter, IsoskinError } from '@isoskin/core';
import type { ReadResult } from '@isoskin/gltf';
import { unpackArrays } from './pack-arrays.js';
import type { SourceData } from './protocol.js';

/** Loaded only when a file needs it. */
export const draco = async (): Promise<unknown> => (await import('./load-draco.js')).loadDraco();

export interface OpenedSource {
  readonly character: Character;
  /** The file behind the character, for writing it back; a demo has none. */
  readonly file?: ReadResult;
}

/** @param options for a mesh that is to be bound to a skeleton */
export async function openSource(source: SourceData, options: { unskinned?: boolean } = {}): Promise<OpenedSource> {
  if (source.kind === 'demo') {
    if (source.packed) return { character: createCharacter(unpackArrays(source.packed) as CharacterInput) };
    const { createDemo } = await import('@isoskin/demos');
    return { character: createDemo(source.name) };
  }
  const { readCharacterFromBytes } = await import('@isoskin/gltf');
  const name = source.name.replace(/\.(glb|gltf|vrm)$/i, '');
  const resolve = source.files && (async (path: string) => findFile(source.files!, path));
  const read = (unskinned = false) =>
    readCharacterFromBytes(source.bytes, { name, draco, unskinned, ...(resolve && { resolve }) });
  const file = await read(options.unskinned).catch(async (error: unknown) => {
    if (!(error instanceof IsoskinError && error.code === 'NOTHING_TO_DEFORM')) throw error;
    await read(true).catch(() => Promise.reject(error)); // there is no mesh either
    throw new IsoskinError('NO_SKIN', error.message);
  });
  checkBudget(file.character, {}); // the page would stand still while it plans
  return { character: file.character, file };
}

/** Files are dropped without their folders, so the last part of a path must do. */
function findFile(files: Readonly<Record<string, Uint8Array>>, path: string): Uint8Array {
  const found = files[path] ?? files[path.slice(path.lastIndexOf('/') + 1)];
  if (!found) {
    const message = `The model needs the file "${path}": drop it together with the .gltf, or pack everything as .glb`;
    throw new IsoskinError('FILE_MISSING', message);
  }
  return found;
}
