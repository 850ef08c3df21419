import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { type ReadOptions, type ReadResult, readCharacterFromBytes } from './read-character-from-bytes.js';

/** Reads a .glb, or a .gltf with the files in its folder (and in no other, even through links). Node only. */
export async function readCharacter(path: string, options: ReadOptions = {}): Promise<ReadResult> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const message = `The model "${path}" cannot be opened${reasonOf(cause)}: check the path`;
    throw new IsoskinError('FILE_MISSING', message, '', { cause });
  }
  return readCharacterFromBytes(bytes, {
    name: basename(path, extname(path)),
    resolve: (file) => readInside(dirname(path), file),
    draco: async () => (await import('draco3dgltf')).default.createDecoderModule(),
    ...options,
  });
}

async function readInside(folder: string, file: string): Promise<Uint8Array> {
  const root = await realpath(folder);
  const target = await realpath(join(root, file));
  const inside = relative(root, target);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    const message = `The file "${file}" is a link out of the model's folder and is not opened: put the file itself there`;
    throw new IsoskinError('URI_REFUSED', message);
  }
  return readFile(target);
}

const REASONS: Record<string, string> = {
  ENOENT: ', it does not exist',
  EISDIR: ', it is a folder',
  EACCES: ', reading it is not permitted',
};

function reasonOf(cause: unknown): string {
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? '';
}
