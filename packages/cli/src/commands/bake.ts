import { type Command, Option } from 'commander';
import { type BakeFileOptions, bakeFile } from '../bake-file.js';
import { addBakeOptions } from '../bake-options.js';
import { formatBake } from '../format-bake.js';
import { plainText } from '../plain-text.js';
import { formatPlan, planFile } from '../plan-file.js';
import { besideOf, print, printJson } from '../print.js';
import { readNumber } from '../read-number.js';

interface Options extends BakeFileOptions {
  readonly json?: boolean;
  readonly plan?: boolean;
}

const EXAMPLES = `
Examples:
  $ isoskin bake fox.glb -o fox-kept.glb --report fox.html
  $ isoskin bake hero.glb -o small.glb --compress meshopt
  $ isoskin bake hero.glb -o driven.glb --drive
  $ isoskin bake hero.glb -o planned.glb --plan
  $ isoskin bake twist.glb -o twist-cache.glb --as cache
  $ cat fox.glb | isoskin bake - -o - > fox-kept.glb`;

/** Exit code of a bake that looks worse than plain skinning, or made a region of a clip worse. */
const BAD_RESULT = 3;

function paintRed(text: string): string {
  return process.stderr.isTTY ? `\u001b[31m${text}\u001b[39m` : text;
}

export function addBake(program: Command): void {
  const command = program
    .command('bake')
    .description('Write a standard glTF whose volume holds in every viewer.')
    .argument('<model>', 'a .glb, .gltf or .vrm file, or - for stdin')
    .requiredOption('-o, --output <file>', 'the .glb or .vrm to write, or - for stdout');
  addBakeOptions(command)
    .addOption(
      new Option(
        '--plan',
        'put the plan into the file instead, for runtimes that solve; clips stay as they are',
      ).conflicts([
        'as',
        'clip',
        'drive',
        'force',
        'fps',
        'jobs',
        'maxTargets',
        'compact',
        'range',
        'report',
        'tolerance',
      ]),
    )
    .option('--report <file>', 'write an HTML page with plots and pictures')
    .option('--jobs <count>', 'threads (default: one per core, one for a small file)', readNumber)
    .option('--force', 'keep the file even if it looks worse, or its worst region is worse, than plain skinning')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      if (options.plan) {
        const planned = await planFile(path, options);
        if (options.json) printJson(planned, besideOf(options.output));
        else print(formatPlan(planned), besideOf(options.output));
        return;
      }
      const facts = await bakeFile(path, options);
      const beside = besideOf(options.output, options.report);
      if (options.json) printJson(facts, beside);
      else print(formatBake(facts), beside);
      if (facts.fault === undefined) return;
      const fate = facts.written ? 'The file was written.' : 'Nothing was written; --force keeps the file.';
      process.stderr.write(`${paintRed(`isoskin: ${plainText(facts.fault)} ${fate}`)}\n`);
      process.exitCode = BAD_RESULT;
    });
}
