import type { BudgetOptions } from '@isoskin/core';
import type { LoadOptions as ModelLoadOptions } from '@isoskin/gltf/node';
import type { Command } from 'commander';
import { numberReader } from './read-number.js';

export interface LoadOptions {
  /** MB. */
  readonly maxMemory?: number;
  /** Million vertices × moments. */
  readonly maxWork?: number;
}

const readAmount = numberReader('Give a number above 0.', { above: 0 });

/** For every command that opens a model. */
export function addLoadOptions(command: Command): Command {
  return command
    .option('--max-memory <MB>', 'refuse a model whose data takes more than this', readAmount)
    .option('--max-work <million>', 'refuse more vertices × moments than this (default: 250)', readAmount);
}

export function loadOptions({ maxMemory }: LoadOptions): ModelLoadOptions {
  return maxMemory === undefined ? {} : { maxMemory: maxMemory * 2 ** 20 };
}

/** For `checkBudget`, before anything is planned or played. */
export function budgetOptions({ maxMemory, maxWork }: LoadOptions): Pick<BudgetOptions, 'maxMemory' | 'maxWork'> {
  return {
    ...(maxMemory !== undefined && { maxMemory: maxMemory * 2 ** 20 }),
    ...(maxWork !== undefined && { maxWork: maxWork * 1e6 }),
  };
}
