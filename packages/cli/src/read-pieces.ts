import type { PiecesOptions } from '@isoskin/cluster/pieces';
import { presetStack } from '@isoskin/core';
import type { Command } from 'commander';
import { addBakeOptions, type BakedFileOptions } from './bake-options.js';
import { budgetOptions } from './load-options.js';
import { readNumber } from './read-number.js';
import { readStack } from './stack-options.js';

/** What `bake-chunk` and `bake-merge` have in common: they must be given the same. */
export interface PiecesFileOptions extends BakedFileOptions {
  readonly store: string;
  readonly chunk?: number;
  readonly json?: boolean;
}

export function addPiecesOptions(command: Command): Command {
  command
    .requiredOption('--store <place>', 'folder or s3://bucket/folder that all processes see, for finished frames')
    .option('--chunk <frames>', 'half frames per chunk (default: by the number of vertices)', readNumber);
  return addBakeOptions(command).option('--json', 'print JSON');
}

export async function readPieces(model: string, options: PiecesFileOptions): Promise<PiecesOptions> {
  const { clip, fps, as, tolerance, maxTargets, quantise, compress, store, chunk } = options;
  const { maxWork } = budgetOptions(options);
  const settings = {
    stack: await readStack(options, presetStack()),
    ...{ fps, as, tolerance, maxTargets, quantise },
    ...(compress && { compress }),
    ...(clip && { clips: clip }),
  };
  const key = process.env.ISOSKIN_CLUSTER_KEY;
  return {
    ...{ model, store, settings },
    ...(chunk !== undefined && { chunkSize: chunk }),
    ...(maxWork !== undefined && { maxWork }),
    ...(key && { key }),
  };
}
