import { presetStack } from '@isoskin/core';
import { BAKE_DEFAULTS, type BakeOptions } from '@isoskin/gltf';
import { type Command, Option } from 'commander';
import { addLoadOptions, type LoadOptions } from './load-options.js';
import { readNumber } from './read-number.js';
import { addStackOptions, readStack, type StackOptions } from './stack-options.js';

/** The options that decide what is in a baked file, for every command that bakes. */
export interface BakedFileOptions
  extends StackOptions,
    LoadOptions,
    Required<Pick<BakeOptions, 'fps' | 'as' | 'tolerance' | 'maxTargets' | 'compact'>>,
    Pick<BakeOptions, 'compress' | 'drive' | 'range'> {
  readonly clip?: readonly string[];
}

export function addBakeOptions(command: Command): Command {
  command
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
    .option('--max-targets <count>', 'most morph targets beside the shapes', readNumber, BAKE_DEFAULTS.maxTargets)
    .option('--compact', 'store deltas as normalised integers: smaller, but several tools undo or break them', false)
    .addOption(new Option('--compress <codec>', 'compress the whole file').choices(['meshopt']))
    .option('--drive', 'also teach the amounts as a function of the pose, for motions that are not in the clips')
    .option(
      '--range <degrees>',
      'with --drive: how far joints may turn (default: from the clips, widened)',
      readNumber,
    );
  return addLoadOptions(addStackOptions(command));
}

/** What of it a bake in pieces goes by, anywhere. */
export async function readBakeSettings(options: BakedFileOptions) {
  const { clip, fps, as, tolerance, maxTargets, compact, compress, drive, range } = options;
  return {
    stack: await readStack(options, presetStack()),
    ...{ fps, as, tolerance, maxTargets, compact },
    ...(compress && { compress }),
    ...(drive && { drive }),
    ...(range !== undefined && { range }),
    ...(clip && { clips: clip }),
  };
}

/** For an option that may be given several times. */
export function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}
