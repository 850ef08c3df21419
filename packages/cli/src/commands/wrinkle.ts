import {
  type Character,
  checkBudget,
  IsoskinError,
  placeTool,
  placeTools,
  presetStack,
  type StackSpec,
  type WrinkleTool,
} from '@isoskin/core';
import {
  type PlaceToolOptions,
  planWrinkles,
  WRINKLE_PRESET_NAMES,
  type WrinklePresetName,
} from '@isoskin/core/wrinkles';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatNumber } from '../format-number.js';
import { PIPE, readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { plainText } from '../plain-text.js';
import { print } from '../print.js';
import { readNumber } from '../read-number.js';
import { addStackOptions, readStack, type StackOptions } from '../stack-options.js';
import { refuseInputs, writeWhole } from '../write-whole.js';

interface Options extends StackOptions, LoadOptions {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly kind?: WrinklePresetName;
  readonly name?: string;
  readonly width?: number;
  readonly points?: number;
  readonly strength?: number;
  readonly curved?: boolean;
  readonly output?: string;
}

const EXAMPLES = `
Examples:
  $ isoskin wrinkle hero.glb --from 0.12,0.7,-0.09 --to 0.13,0.4,-0.09 --kind knee-back -o hero.json
  $ isoskin wrinkle hero.glb --from 0.1,1,0.1 --to 0.1,0.9,0.1 --stack hero.json -o hero.json    one more
  $ isoskin bake hero.glb --stack hero.json -o wrinkled.glb`;

export function addWrinkle(program: Command): void {
  const command = program
    .command('wrinkle')
    .description('Put a tool on the skin that folds it where it is compressed, and write the stack that holds it.')
    .argument('<model>', 'a .glb, .gltf or .vrm file, or - for stdin')
    .requiredOption('--from <x,y,z>', 'A: where folds start, a point on the skin of the rest shape', readPoint)
    .requiredOption('--to <x,y,z>', 'B: folds run across the line from A to B', readPoint)
    .addOption(new Option('--kind <name>', 'a kind of wrinkle').choices(WRINKLE_PRESET_NAMES))
    .option('--name <text>', 'a name for the tool')
    .option('--width <length>', 'length of the folds (default: by the kind)', readNumber)
    .option('--points <number>', 'points of the curve: more make finer folds', readNumber)
    .option('--strength <factor>', 'factor of the height', readNumber)
    .option('--curved', 'follow the skin from A to B')
    .option('-o, --output <file>', 'the stack to write (default: print it)');
  addLoadOptions(addStackOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      if (options.output !== undefined) await refuseInputs(options.output, [path]);
      const stack = await readStack(options, presetStack('organic'));
      const { character } = await readInput(path, loadOptions(options));
      checkBudget(character, budgetOptions(options));
      const tools = place(character, options);
      const json = `${JSON.stringify(addTools(stack, tools), null, 2)}\n`;
      const { tools: planned } = planWrinkles(character, { tools });
      if (options.output === undefined || options.output === PIPE) return print(json.trimEnd());
      await writeWhole(options.output, json);
      const list = planned.map(({ name, length }) => `${plainText(name)}, ${formatNumber(length)} long`).join('; ');
      print(`${plainText(options.output)}: ${list}. It folds when A and B come closer than that.`);
    });
}

function place(character: Character, options: Options): WrinkleTool[] {
  const { from, to, kind, name, width, points, strength, curved } = options;
  const own: PlaceToolOptions = {
    ...(name !== undefined && { name }),
    ...(width !== undefined && { width }),
    ...(points !== undefined && { points }),
    ...(strength !== undefined && { strength }),
    ...(curved && { curved }),
  };
  return kind ? placeTools(character, from, to, kind, own) : [placeTool(character, from, to, own)];
}

/** The stack with these tools in its wrinkles layer. */
function addTools(stack: StackSpec, tools: readonly WrinkleTool[]): StackSpec {
  const known = stack.wrinkles;
  if (known?.enabled === false) {
    const message = 'The wrinkles layer of the stack is switched off: switch it on ("enabled": true) or remove it.';
    throw new IsoskinError('STACK', message);
  }
  return { ...stack, wrinkles: { ...known, tools: [...(known?.tools ?? []), ...tools] } };
}

function readPoint(text: string): number[] {
  const point = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (point.length === 3 && point.every(Number.isFinite)) return point;
  throw new InvalidArgumentError('Give three numbers: x,y,z.');
}
