import type { PiecesOptions } from '@isoskin/cluster/pieces';
import type { Command } from 'commander';
import { addBakeOptions, type BakedFileOptions, readBakeSettings } from './bake-options.js';
import { budgetOptions } from './load-options.js';
import { readNumber } from './read-number.js';

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
  const { store, chunk } = options;
  const { maxWork } = budgetOptions(options);
  const key = process.env.ISOSKIN_CLUSTER_KEY;
  return {
    ...{ model, store, settings: await readBakeSettings(options) },
    ...(chunk !== undefined && { chunkSize: chunk }),
    ...(maxWork !== undefined && { maxWork }),
    ...(key && { key }),
  };
}
