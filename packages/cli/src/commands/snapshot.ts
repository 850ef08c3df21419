import { extname } from 'node:path';
import { checkBudget, IsoskinError, presetStack } from '@isoskin/core';
import { SNAPSHOT_FORMATS, type SnapshotFormat, snapshotCharacter } from '@isoskin/gltf';
import { type Command, Option } from 'commander';
import { chooseClips } from '../choose-clips.js';
import { PIPE, readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { plainText } from '../plain-text.js';
import { besideOf, print } from '../print.js';
import { numberReader } from '../read-number.js';
import { addStackOptions, readStack, type StackOptions } from '../stack-options.js';
import { refuseAllInputs, writeWhole } from '../write-whole.js';

interface Options extends StackOptions, LoadOptions {
  readonly clip?: string;
  readonly time?: number;
  readonly output: string;
  readonly format?: SnapshotFormat;
}

const EXAMPLES = `
Examples:
  $ isoskin snapshot fox.glb --clip Run --time 0.5 -o pose.glb     with materials, without a skeleton
  $ isoskin snapshot fox.glb --clip Run --time 0.5 -o pose.stl     to print it`;

const readTime = numberReader('Give a time in seconds, 0 or more.', { min: 0 });

export function addSnapshot(program: Command): void {
  const command = program
    .command('snapshot')
    .description('Write the corrected character at one moment as a static mesh.')
    .argument('<model>', 'a .glb, .gltf or .vrm file, or - for stdin')
    .requiredOption(
      '-o, --output <file>',
      `the file to write: ${SNAPSHOT_FORMATS.map((f) => `.${f}`).join(', ')}, or - for stdout`,
    )
    .addOption(
      new Option('--format <kind>', 'what to write (default: by the name of the file)').choices(SNAPSHOT_FORMATS),
    )
    .option('--clip <name>', 'the clip (default: the pose that the file is saved in)')
    .option('--time <seconds>', 'the time in the clip (default: 0)', readTime);
  addLoadOptions(addStackOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      const { output, time = 0 } = options;
      if (options.time !== undefined && options.clip === undefined) {
        const message = `The pose that the file is saved in has no time: name the clip that ${time} s are meant in with --clip.`;
        throw new IsoskinError('TIME_WITHOUT_CLIP', message);
      }
      const format = options.format ?? chooseFormat(output);
      await refuseAllInputs([output], [path, options.stack]);
      const stack = await readStack(options, presetStack());
      const read = await readInput(path, loadOptions(options));
      checkBudget(read.character, budgetOptions(options));
      const clip = options.clip === undefined ? undefined : chooseClips(read.character, options.clip)[0]!.name;
      const bytes = await snapshotCharacter(read, { stack, format, time, ...(clip !== undefined && { clip }) });
      await writeWhole(output, bytes);
      const moment = clip === undefined ? 'default pose' : `${plainText(clip)} at ${time} s`;
      print(`${plainText(output)}: ${moment}, corrected.`, besideOf(output));
    });
}

function chooseFormat(output: string): SnapshotFormat {
  const format = SNAPSHOT_FORMATS.find((name) => extname(output).toLowerCase() === `.${name}`);
  if (format) return format;
  if (output === PIPE)
    throw new IsoskinError('OUTPUT_FORMAT', 'A pipe has no name to tell the kind of file: add --format glb.');
  const known = SNAPSHOT_FORMATS.map((name) => `.${name}`).join(', ');
  throw new IsoskinError('OUTPUT_FORMAT', `"${output}" is no kind of file that can be written here: choose ${known}.`);
}
