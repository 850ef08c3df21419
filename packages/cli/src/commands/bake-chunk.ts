import type { Command } from 'commander';
import { plainText } from '../plain-text.js';
import { print, printJson } from '../print.js';
import { readNumber } from '../read-number.js';
import { addPiecesOptions, type PiecesFileOptions, readPieces } from '../read-pieces.js';

interface Options extends PiecesFileOptions {
  readonly index: number;
  readonly count: number;
}

const EXAMPLES = `
Examples:
  $ isoskin bake-chunk hero.glb --store frames --index 0 --count 2      on one machine
  $ isoskin bake-chunk hero.glb --store frames --index 1 --count 2      on another
  $ isoskin bake-merge hero.glb --store frames -o kept.glb              when both are done`;

export function addBakeChunk(program: Command): void {
  const command = program
    .command('bake-chunk')
    .description('Compute a share of the frames of a bake, for bake-merge: many machines, no Redis.')
    .argument('<model>', 'a .glb, .gltf or .vrm file, or s3://bucket/file')
    .option('--index <number>', 'which share, from 0 (default: JOB_COMPLETION_INDEX)', readNumber, readIndex())
    .option('--count <number>', 'shares in all', readNumber, 1);
  addPiecesOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (model: string, options: Options) => {
      const { bakeShare } = await import('@isoskin/cluster/pieces');
      const facts = await bakeShare(await readPieces(model, options), options.index, options.count);
      const { chunks, own, computed } = facts;
      if (options.json) printJson({ model, ...facts });
      else print(plainText(`${model}: ${own} of ${chunks} chunks are this share’s, ${computed} were computed.`));
    });
}

/** The variable that Kubernetes gives every pod of an Indexed Job. */
function readIndex(): number {
  return Number(process.env.JOB_COMPLETION_INDEX ?? 0);
}
