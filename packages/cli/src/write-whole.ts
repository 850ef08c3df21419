import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, writeFile } from 'node:fs/promises';
import { IsoskinError } from '@isoskin/core';

/** Refuses to write over a file that is being read, also through links. */
export async function refuseInputs(output: string, inputs: readonly string[]): Promise<void> {
  const real = (path: string) => realpath(path).catch(() => undefined);
  const target = await real(output);
  for (const input of inputs) {
    if (target === undefined || target !== (await real(input))) continue;
    const message = `"${output}" is one of the inputs and is not overwritten: choose another file for -o.`;
    throw new IsoskinError('OUTPUT_IS_INPUT', message);
  }
}

/** All or nothing: neither a crash nor Ctrl-C leaves half a file under the name asked for, or a temporary one beside it. */
export async function writeWhole(path: string, data: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  let stopped: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    stopped = signal;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await writeFile(temporary, data);
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

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: ', the disk is full',
  EDQUOT: ', your share of the disk is full',
  EROFS: ', the disk is read-only',
};

function reasonOf(cause: unknown): string {
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? '';
}
