import type { LoadOptions as ModelLoadOptions } from '@isoskin/gltf';
import { type Command, InvalidArgumentError } from 'commander';

export interface LoadOptions {
  /** MB. */
  readonly maxMemory?: number;
}

/** For every command that opens a model. */
export function addLoadOptions(command: Command): Command {
  return command.option('--max-memory <MB>', 'refuse a model whose data takes more than this', readMemory);
}

export function loadOptions({ maxMemory }: LoadOptions): ModelLoadOptions {
  return maxMemory === undefined ? {} : { maxMemory: maxMemory * 2 ** 20 };
}

function readMemory(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number of megabytes above 0.');
}
