import { BAKE_DEFAULTS } from '@isoskin/gltf';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BakeFileOptions, bakeFile } from '../bake-file.js';
import { formatBake } from '../format-bake.js';
import { print, printJson } from '../print.js';
import { addStackOptions } from '../stack-options.js';

interface Options extends BakeFileOptions {
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ isoskin bake fox.glb -o fox-kept.glb --report fox.html
  $ isoskin bake hero.glb -o small.glb --compress meshopt
  $ isoskin bake twist.glb -o twist-cache.glb --as cache`;

export function addBake(program: Command): void {
  const command = program
    .command('bake')
    .description('Write a standard glTF whose volume holds in every viewer.')
    .argument('<model>', 'a .glb or .gltf file')
    .requiredOption('-o, --output <file>', 'the .glb to write')
    .option('--clip <name>', 'correct this clip only (may be given several times)', collect)
    .option('--fps <number>', 'frames per second that the result is judged at', readNumber, BAKE_DEFAULTS.fps)
    .addOption(
      new Option('--as <kind>', 'morph: targets on top of the skin; cache: one target per key pose, no skin')
        .choices(['morph', 'cache'])
        .default(BAKE_DEFAULTS.as),
    )
    .option(
      '--tolerance <share>',
      'largest error of positions (of the size) and volumes',
      readNumber,
      BAKE_DEFAULTS.tolerance,
    )
    .option('--max-targets <count>', 'most morph targets active in a frame', readNumber, BAKE_DEFAULTS.maxTargets)
    .option('--no-quantise', 'store deltas as floats, for viewers without KHR_mesh_quantization')
    .addOption(new Option('--compress <codec>', 'compress the whole file').choices(['meshopt']))
    .option('--report <file>', 'write an HTML page with plots and pictures')
    .option('--jobs <count>', 'threads (default: one per core, one for a small file)', readNumber);
  addStackOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      const facts = await bakeFile(path, options);
      if (options.json) printJson(facts.json);
      else print(formatBake(facts));
    });
}

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number.');
}
