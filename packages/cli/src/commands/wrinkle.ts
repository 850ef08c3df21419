import {
  type Character,
  checkBudget,
  checkStack,
  createFrameSource,
  IsoskinError,
  placeTool,
  placeTools,
  planBody,
  presetStack,
  type StackSpec,
  type WrinkleTool,
} from '@isoskin/core';
import {
  ATTENUATIONS,
  COMBINATIONS,
  type Combination,
  CURVE_STRATEGIES,
  type CurveLevel,
  type PlaceToolOptions,
  planWrinkles,
  WRINKLE_PRESET_NAMES,
  type WrinklePresetName,
} from '@isoskin/core/wrinkles';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { chooseClips } from '../choose-clips.js';
import { formatNumber } from '../format-number.js';
import { PIPE, readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { plainText } from '../plain-text.js';
import { print } from '../print.js';
import { numberReader, readNumber } from '../read-number.js';
import { addStackOptions, readStack, type StackOptions } from '../stack-options.js';
import { refuseInputs, writeWhole } from '../write-whole.js';

interface Options extends StackOptions, LoadOptions, Parameters {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly kind?: WrinklePresetName;
  readonly clip?: string;
  readonly time?: number;
  readonly refine?: number;
  readonly combine?: Combination;
  readonly volume?: boolean;
  readonly output?: string;
}

/** What a tool can be told, as in its JSON. */
const PARAMETERS = [
  'name',
  'width',
  'points',
  'strength',
  'curved',
  'strategy',
  'maxHeight',
  'spacing',
  'crest',
  'levels',
  'attenuation',
  'profile',
  'restLength',
] as const;
type Parameters = Pick<PlaceToolOptions, (typeof PARAMETERS)[number]>;

const readTime = numberReader('Give a time in seconds, 0 or more.', { min: 0 });

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
    .requiredOption('--from <x,y,z>', 'A: where folds start, a point on the skin at rest (or in --clip)', readPoint)
    .requiredOption('--to <x,y,z>', 'B: folds run across the line from A to B', readPoint)
    .addOption(new Option('--kind <name>', 'a kind of wrinkle').choices(WRINKLE_PRESET_NAMES))
    .option('--name <text>', 'a name for the tool')
    .option('--width <length>', 'length of the folds (default: by the kind)', readNumber)
    .option('--points <number>', 'points of the curve: more make finer folds', readNumber)
    .option('--strength <factor>', 'factor of the height', readNumber)
    .option('--curved', 'follow the skin from A to B')
    .addOption(new Option('--strategy <name>', 'where folds come up first').choices(CURVE_STRATEGIES))
    .option('--max-height <length>', 'height after which the next fold starts', readNumber)
    .option('--spacing <steps>', 'flat steps between folds', readNumber)
    .option('--crest <points>', 'points on the crest of a fold', readNumber)
    .option('--levels <share[:height],…>', 'finer folds on the coarse ones, e.g. 0.2:0.01', readLevels)
    .addOption(new Option('--attenuation <name>', 'how folds fade across the width').choices(ATTENUATIONS))
    .addOption(new Option('--profile <name>', 'rounded folds, or straight ones').choices(['smooth', 'linear']))
    .option('--rest-length <length>', 'length that the skin wants to have (default: as drawn)', readNumber)
    .option('--clip <name>', 'draw it in a pose of this clip: A, B and the length are those there')
    .option('--time <seconds>', 'the time in the clip (default: 0)', readTime)
    .addOption(new Option('--combine <name>', 'what overlapping series make together').choices(COMBINATIONS))
    .option('--refine <levels>', 'most times that a triangle is split, 0 … 4', readNumber)
    .option('--no-volume', 'let the folds hold volume of their own')
    .option('-o, --output <file>', 'the stack to write (default: print it)');
  addLoadOptions(addStackOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      if (options.output !== undefined) await refuseInputs(options.output, [path]);
      const stack = await readStack(options, presetStack());
      const { character } = await readInput(path, loadOptions(options));
      checkBudget(character, budgetOptions(options));
      const tools = place(character, options, stack);
      const { tools: planned } = planWrinkles(character, { tools });
      const json = `${JSON.stringify(checkStack(addTools(stack, tools, options)), null, 2)}\n`;
      if (options.output === undefined || options.output === PIPE) return print(json.trimEnd());
      await writeWhole(options.output, json);
      const list = planned.map(({ name, length }) => `${plainText(name)}, ${formatNumber(length)} long`).join('; ');
      print(`${plainText(options.output)}: ${list}. It folds when A and B come closer than that.`);
    });
}

function place(character: Character, options: Options, { wrinkles: _, ...stack }: StackSpec): WrinkleTool[] {
  const { from, to, kind, clip, time = 0 } = options;
  const own = Object.fromEntries(
    PARAMETERS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])),
  );
  if (options.time !== undefined && clip === undefined) {
    throw new IsoskinError('TIME_WITHOUT_CLIP', `Name the clip that ${time} s are meant in with --clip.`);
  }
  const drawnOn = clip && createFrameSource(planBody(character), stack).seek(chooseClips(character, clip)[0]!, time);
  const all = { ...own, ...(drawnOn && { drawnOn: drawnOn.positions }) };
  return kind ? placeTools(character, from, to, kind, all) : [placeTool(character, from, to, all)];
}

/** The stack with these tools in its wrinkles layer. */
function addTools(stack: StackSpec, tools: readonly WrinkleTool[], options: Options): StackSpec {
  const known = stack.wrinkles;
  if (known?.enabled === false) {
    const message = 'The wrinkles layer of the stack is switched off: switch it on ("enabled": true) or remove it.';
    throw new IsoskinError('STACK', message);
  }
  const { refine, combine, volume } = options;
  const layer = {
    ...(refine !== undefined && { refine }),
    ...(combine && { combine }),
    ...(volume === false && { keepVolume: false }),
  };
  return { ...stack, wrinkles: { ...known, ...layer, tools: [...(known?.tools ?? []), ...tools] } };
}

/** 0.2:0.01,0.1 → shares and heights. */
function readLevels(text: string): CurveLevel[] {
  return text.split(',').map((part) => {
    const [share, maxHeight] = part.split(':').map(readNumber);
    return { share: share!, ...(maxHeight !== undefined && { maxHeight }) };
  });
}

function readPoint(text: string): number[] {
  const point = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (point.length === 3 && point.every(Number.isFinite)) return point;
  throw new InvalidArgumentError('Give three numbers: x,y,z.');
}
