/**
 * The bytes of a model and of the files beside it, read once: whatever happens to the files later, everything that is done with
 * the model, on any thread, sees the same.
 */
import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { listModelFiles } from './list-model-files.js';
import { type ReadOptions, type ReadResult, readCharacterFromBytes } from './read-character-from-bytes.js';
import { type Rig, readRigFromBytes } from './read-rig.js';
import { readWholeFile } from './read-whole-file.js';

/** Plain data: it can be sent to a worker. */
export interface LoadedModel {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Files beside the model by their path, those that are there. */
  readonly files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  readonly maxMemory?: number;
}

export interface LoadOptions {
  /** Most bytes that the files, and their data unpacked, may take. Default: what the files themselves make plausible. */
  readonly maxMemory?: number;
}

export async function loadModel(
  path: string,
  { maxMemory = Number.POSITIVE_INFINITY }: LoadOptions = {},
): Promise<LoadedModel> {
  let left = maxMemory;
  const read = async (file: string): Promise<Uint8Array<ArrayBuffer>> => {
    const data = await readWholeFile(file, left);
    left -= data.length;
    return data;
  };
  const bytes = await read(path).catch((cause: unknown) => {
    if (cause instanceof IsoskinError) throw cause;
    const message = `The model "${path}" cannot be opened${reasonOf(cause)}: check the path`;
    throw new IsoskinError('FILE_MISSING', message, '', { cause });
  });
  const files: Record<string, Uint8Array<ArrayBuffer>> = Object.create(null);
  for (const file of listModelFiles(bytes)) {
    const target = await findInside(dirname(path), file);
    const data = target && (await read(target).catch(ignoreMissing));
    if (data) files[file] = data;
  }
  return {
    name: basename(path, extname(path)),
    bytes,
    files,
    ...(Number.isFinite(maxMemory) && { maxMemory }),
  };
}

/** Reads a .glb, or a .gltf with the files in its folder (and in no other, even through links). */
export async function readCharacter(path: string, options: ReadOptions & LoadOptions = {}): Promise<ReadResult> {
  return readLoadedModel(await loadModel(path, options), options);
}

/** The character of a loaded model. */
export function readLoadedModel(model: LoadedModel, options: ReadOptions = {}): Promise<ReadResult> {
  return readCharacterFromBytes(model.bytes, { ...optionsFor(model), ...options });
}

/** The skeleton and the clips of a file. */
export async function readRig(path: string, options: LoadOptions = {}): Promise<Rig> {
  const model = await loadModel(path, options);
  return readRigFromBytes(model.bytes, optionsFor(model));
}

function optionsFor({ name, files, maxMemory }: LoadedModel): ReadOptions {
  return {
    name,
    async resolve(file) {
      const data = files[file];
      if (data) return data;
      throw new Error(`"${file}" is not there`); // the reader says which part of the model needs it
    },
    draco: createDracoDecoder,
    ...(maxMemory !== undefined && { maxMemory }),
  };
}

/** Node's decoder of Draco compression, loaded when a file needs it. */
export async function createDracoDecoder(): Promise<unknown> {
  return (await import('draco3dgltf')).default.createDecoderModule();
}

/** Real path of a file in the model's folder and in no other, even through links; undefined when it is not there. */
async function findInside(folder: string, file: string): Promise<string | undefined> {
  const root = await realpath(folder);
  const target = await realpath(join(root, file)).catch(ignoreMissing);
  if (target === undefined) return undefined;
  const inside = relative(root, target);
  if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return target;
  const message = `The file "${file}" is a link out of the model's folder and is not opened: put the file itself there`;
  throw new IsoskinError('URI_REFUSED', message);
}

function ignoreMissing(cause: unknown): undefined {
  if (cause instanceof IsoskinError) throw cause;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: ', it does not exist',
  EISDIR: ', it is a folder',
  EACCES: ', reading it is not permitted',
};

function reasonOf(cause: unknown): string {
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? '';
}
