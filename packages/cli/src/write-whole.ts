import { randomBytes } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { listModelFiles } from '@isoskin/gltf';
import { PIPE } from './load-input.js';

/**
 * Refuses to write over a file that is being read: the inputs themselves, what a model among them refers to (buffers, images),
 * and other outputs, also through links.
 */
export async function refuseInputs(output: string, inputs: readonly string[]): Promise<void> {
  if (output === PIPE) return refuseTerminal();
  const target = await identify(output);
  if (!target) return;
  for (const input of (await Promise.all(inputs.map(listUsed))).flat()) {
    if (target !== (await identify(input))) continue;
    const message = `"${output}" is one of the inputs and is not overwritten: choose another file to write.`;
    throw new IsoskinError('OUTPUT_IS_INPUT', message);
  }
}

/** The same for several outputs, which must not be one file either. */
export async function refuseAllInputs(
  outputs: readonly (string | undefined)[],
  inputs: readonly (string | undefined)[],
): Promise<void> {
  const given = outputs.filter((path) => path !== undefined);
  const read = inputs.filter((path) => path !== undefined);
  for (const [i, output] of given.entries()) {
    await refuseInputs(output, read);
    if (!(await isOneOf(output, given.slice(0, i)))) continue;
    const message = `"${output}" is asked for twice and would be overwritten: choose another file for one of the two.`;
    throw new IsoskinError('OUTPUT_IS_INPUT', message);
  }
}

async function isOneOf(output: string, others: readonly string[]): Promise<boolean> {
  const place = async (path: string) => (await identify(path)) ?? join(await realFolder(path), basename(path));
  const own = await place(output);
  return (await Promise.all(others.map(place))).includes(own);
}

function realFolder(path: string): Promise<string> {
  return realpath(dirname(path)).catch(() => dirname(path));
}

/** The same for every name of a file that is there; undefined for one that is not. */
async function identify(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const { dev, ino } = await stat(real);
  return ino === 0 ? real : `${dev}:${ino}`;
}

/** A file and, if it is a model, the files beside it that it uses. */
async function listUsed(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isFile()) return [path];
    return [path, ...listModelFiles(await readFile(path)).map((file) => join(dirname(path), file))];
  } catch {
    return [path]; // no model, or a bad one: reading it says what is wrong
  }
}

/** Bytes on a terminal help nobody. */
function refuseTerminal(): void {
  if (!process.stdout.isTTY) return;
  const message =
    'The file would be shown on the terminal: pipe it into a command or a file, or name one instead of "-".';
  throw new IsoskinError('OUTPUT_TERMINAL', message);
}

/** What is written is a .glb under one of its names, or goes to stdout. */
export function checkGlbName(output: string): void {
  if (output === PIPE || /^\.(glb|vrm)$/i.test(extname(output))) return;
  const message = `"${output}" does not end in .glb (or .vrm, the same format), which is what is written.`;
  throw new IsoskinError('OUTPUT_FORMAT', message);
}

/** All or nothing: neither a crash nor Ctrl-C leaves half a file under the name asked for, or a temporary one beside it. */
export async function writeWhole(path: string, data: Uint8Array | string): Promise<void> {
  if (path === PIPE) return pipeOut(data);
  // Process numbers repeat from container to container.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  let stopped: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    stopped = signal;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await writeFile(temporary, data, { flag: 'wx' });
    if (stopped === undefined) await rename(temporary, path);
  } catch (cause) {
    const message = `"${path}" cannot be written${reasonOf(cause)}: check that its folder exists and that you may write there.`;
    throw new IsoskinError('OUTPUT_FAILED', message, '', { cause });
  } finally {
    await rm(temporary, { force: true });
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
  if (stopped) process.kill(process.pid, stopped);
}

function pipeOut(data: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => {
    // A reader that has seen enough is told of where the command starts.
    process.stdout.write(data, () => resolve());
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: ', the disk is full',
  EDQUOT: ', your share of the disk is full',
  EROFS: ', the disk is read-only',
};

function reasonOf(cause: unknown): string {
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? '';
}
