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

export async function openSource(source: SourceData): Promise<OpenedSource> {
  if (source.kind === 'demo') {
    if (source.packed) return { character: createCharacter(unpackArrays(source.packed) as CharacterInput) };
    const { createDemo } = await import('@isoskin/demos');
    return { character: createDemo(source.name) };
  }
  const { readCharacterFromBytes } = await import('@isoskin/gltf');
  const file = await readCharacterFromBytes(source.bytes, {
    name: source.name.replace(/\.(glb|gltf|vrm)$/i, ''),
    draco,
    ...(source.files && { resolve: async (path) => findFile(source.files!, path) }),
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
