import { checkStack, IsoskinError, PRESET_NAMES, type PresetName, presetStack, type StackSpec } from '@isoskin/core';
import { SKINNINGS, type Skinning } from '@isoskin/core/kernels';
import { isLayerList } from '@isoskin/core/stack';
import { type Command, Option } from 'commander';
import { print } from './print.js';
import { readText } from './read-text.js';

/** The options by which every command that deforms a character chooses its stack. */
export interface StackOptions {
  readonly preset?: PresetName;
  readonly stack?: string;
  readonly skinning?: Skinning;
}

export function addStackOptions(command: Command): Command {
  return command
    .addOption(new Option('--preset <name>', 'keep the volume with a preset').choices(PRESET_NAMES).conflicts('stack'))
    .option('--stack <file>', 'keep the volume with a stack of your own (JSON)')
    .addOption(new Option('--skinning <kind>', 'how the skin follows the bones (default: linear)').choices(SKINNINGS));
}

/** The stack that the options ask for, `fallback` if they name none; `--skinning` goes into its skin layer. */
export async function readStack(options: StackOptions, fallback: StackSpec): Promise<StackSpec> {
  const { preset, stack, skinning } = options;
  const spec = stack !== undefined ? await readStackFile(stack) : preset ? presetStack(preset) : fallback;
  if (!skinning) return spec;
  return { ...spec, skin: { ...spec.skin, skinning } };
}

async function readStackFile(path: string): Promise<StackSpec> {
  let text: string;
  try {
    text = await readText(path);
  } catch (cause) {
    if (cause instanceof IsoskinError) throw cause;
    throw new IsoskinError('STACK_FILE', `The stack "${path}" cannot be opened: check the path`, '', { cause });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new IsoskinError('STACK_FILE', `The stack "${path}" is not JSON: ${reason}`, '', { cause });
  }
  if (isLayerList(json)) {
    print(
      `  ! ${path} is a list of layers, the form of before: write { "skin": {}, "volume": { … } }, see docs/stack.md.`,
      process.stderr,
    );
  }
  return checkStack(json);
}
