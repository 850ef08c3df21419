import type { Command } from 'commander';
import { formatCount } from '../format-number.js';
import { plainText } from '../plain-text.js';
import { print, printJson } from '../print.js';
import { addPiecesOptions, type PiecesFileOptions, readPieces } from '../read-pieces.js';
import { checkGlbName, refuseAllInputs } from '../write-whole.js';

interface Options extends PiecesFileOptions {
  readonly output: string;
}

export function addBakeMerge(program: Command): void {
  const command = program
    .command('bake-merge')
    .description('Write the file whose frames bake-chunk has computed: the same bytes as bake writes.')
    .argument('<model>', 'the model that bake-chunk was given')
    .requiredOption('-o, --output <file>', 'the .glb or .vrm to write, or s3://bucket/file');
  addPiecesOptions(command).action(async (model: string, options: Options) => {
    checkGlbName(options.output);
    const isLocal = (path: string) => !/^s3:/i.test(path);
    await refuseAllInputs(
      [options.output].filter(isLocal),
      [model, options.stack].filter((path) => path && isLocal(path)),
    );
    const { mergeShares } = await import('@isoskin/cluster/pieces');
    const facts = await mergeShares(await readPieces(model, options), options.output);
    if (options.json) printJson({ model, output: options.output, ...facts });
    else
      print(
        plainText(
          `${options.output}: ${formatCount(facts.bytes)} bytes, ${facts.samples} half frames, ${facts.warnings.length} warnings.`,
        ),
      );
  });
}
