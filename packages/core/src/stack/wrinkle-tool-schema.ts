/** The options of a wrinkle tool, and what several tables of the schema share. */
import {
  type Check,
  fail,
  flag,
  index,
  list,
  number,
  object,
  oneOf,
  option,
  show,
  text,
  tuple,
} from '../check-json.js';
import { CURVE_DEFAULTS, CURVE_STRATEGIES } from '../wrinkles/plan-control-curve.js';
import { ATTENUATIONS, WRINKLE_DEFAULTS, type WrinkleTool } from '../wrinkles/wrinkle-tool.js';

/** An entry for every option of T, and no other. */
export type Schema<T> = { readonly [K in keyof T]-?: Check };

export const names = (value: readonly string[]) => value.map((name) => `\`${name}\``).join(', ');

const anchor = object({ triangle: index, barycentric: tuple(number(), 3) }, ['triangle', 'barycentric']);

const restLength: Check = (value, path) => {
  if (typeof value === 'number') number(0)(value, path);
  else if (typeof value === 'object' && value !== null && 'keys' in value) object({ keys })(value, path);
  else object({ morph: text, from: number(0), to: number(0) }, ['morph', 'to'])(value, path);
};

/** Numbers that depend on each other are looked at when the curve is planned. */
export const WRINKLE_TOOL: Schema<WrinkleTool> = {
  name: text,
  enabled: flag,
  a: option(anchor, 'one end: `{ "triangle": 17, "barycentric": [0.2, 0.5, 0.3] }`'),
  b: option(anchor, 'the other end'),
  via: option(list(anchor), 'anchors between: the tool follows the skin along them'),
  length: option(number(0), 'the length of AB when the tool was placed: the unit of the lengths below'),
  width: option(number(0), 'H5: width of the influence rectangle: how long the folds are'),
  attenuation: option(
    oneOf(ATTENUATIONS),
    `H6: how folds fade across the width: ${names(ATTENUATIONS)}`,
    WRINKLE_DEFAULTS.attenuation,
  ),
  restLength: option(
    restLength,
    'a number, `{ "keys": [[seconds, length], …] }`, or `{ "morph": "brow up", "to": 1.1 }`; as placed',
  ),
  strength: option(number(0, 100), 'factor of the heights', WRINKLE_DEFAULTS.strength),
  profile: option(
    oneOf(['smooth', 'linear']),
    'rounded folds, or `linear` between the points',
    WRINKLE_DEFAULTS.profile,
  ),
  points: option(
    number(3, 10_000),
    'points of the control curve, both ends included: more make finer folds',
    CURVE_DEFAULTS.points,
  ),
  strategy: option(
    oneOf(CURVE_STRATEGIES),
    `H3: where folds come up first: ${names(CURVE_STRATEGIES)}`,
    CURVE_DEFAULTS.strategy,
  ),
  maxHeight: option(number(0), 'height after which the next fold starts; the length always wins; one step'),
  spacing: option(number(0, 10_000), 'flat steps between folds', CURVE_DEFAULTS.spacing),
  crest: option(number(1, 10_000), 'points on the crest of a fold', CURVE_DEFAULTS.crest),
  levels: option(
    list(object({ share: number(0, 1), maxHeight: number(0) }, ['share'])),
    'H4: finer folds on the coarse ones: `[{ "share": 0.2, "maxHeight": 0.01 }]`, points double each level',
  ),
};

function pair(value: unknown, path: string): void {
  const good =
    Array.isArray(value) && value.length === 2 && value.every((v) => typeof v === 'number' && Number.isFinite(v));
  if (!good) fail(`Expected a pair of numbers [x, y]; found ${show(value)}.`, path);
}

/** Pairs [x, y] with x ascending: keys of a curve. */
export function keys(value: unknown, path: string): void {
  list(pair)(value, path);
  const pairs = value as [number, number][];
  for (let i = 1; i < pairs.length; i++) {
    if (pairs[i]![0] < pairs[i - 1]![0])
      fail(`The keys must ascend: ${pairs[i]![0]} follows ${pairs[i - 1]![0]}.`, path);
  }
}
