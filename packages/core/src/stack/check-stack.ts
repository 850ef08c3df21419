/**
 * The door of the stack: says what is wrong with a stack's JSON, where, and what would be right.
 *
 * Every option is described once, in the tables below; unknown names get the nearest known one as advice.
 */
import { IsoskinError } from '../error.js';
import { MAP_KINDS } from '../maps/plan-map.js';
import { REGION_KINDS } from '../regions/plan-regions.js';
import { SKINNINGS } from '../skinning/plan-skinning.js';
import type { StackSpec } from './stack-spec.js';

type Check = (value: unknown, path: string) => void;
type Table = Readonly<Record<string, Check>>;

const VOLUME_METHOD_NAMES = [
  'axis-linear',
  'axis-exact',
  'normal-linear',
  'normal-exact',
  'small-steps',
  'laplacian',
  'regions-linear',
  'regions-exact',
  'regions-smooth',
] as const;

const curve: Check = (value, path) => {
  if (typeof value === 'number') return number(0)(value, path);
  keys(value, path);
};

const MAP: Table = {
  kind: oneOf(MAP_KINDS),
  p: number(0),
  q: number(0),
  a: number(0),
  b: number(0),
  smooth: (value, path) => value === false || number(2, 1000)(value, path),
  bones: list(text),
  paint: (value, path) => typeof value === 'string' || list(number(0))(value, path),
  local: flag,
  floor: number(0, 1),
  fixed: list(index),
};

const REGIONS: Table = {
  by: oneOf(REGION_KINDS),
  merge: list(object({ name: text, joints: list(text) }, ['name', 'joints'])),
  ignore: list(text),
  minShare: number(0, 1),
  minTriangles: number(0),
};

/** Options of the volume methods; each method reads those that concern it. */
const METHOD_OPTIONS: Table = {
  smoothing: number(0),
  limit: number(0, 10),
  sweeps: number(0, 100),
  tolerance: number(0, 1),
  steps: number(1, 1000),
  maxSteps: number(1, 1000),
  areaNorm: flag,
  along: oneOf(['normals', 'field']),
  shares: list(number(0)),
  order: text,
  frame: oneOf(['world', 'skeleton']),
  estimator: oneOf(['exact', 'prism']),
};

const LAYERS: Readonly<Record<string, Table>> = {
  skin: { layer: text, enabled: flag, skinning: oneOf(SKINNINGS) },
  contact: {
    layer: text,
    enabled: flag,
    gap: number(0, 1),
    band: number(0, 1),
    joints: flag,
    parts: flag,
    relax: flag,
  },
  volume: {
    layer: text,
    enabled: flag,
    method: oneOf(VOLUME_METHOD_NAMES),
    map: object(MAP),
    regions: object(REGIONS),
    target: object({ all: curve, regions: dictionary(curve) }),
    directions: object({ spread: number(0, 1000), sweeps: number(0, 100) }),
    shape: list(
      object({ region: text, along: number(0), axis: number(0), across: number(0), profile: keys }, ['region']),
    ),
    progressive: number(0, 1000),
    options: object(METHOD_OPTIONS),
  },
};

/** Throws an `IsoskinError` that names the place, or returns the same object as a `StackSpec`. */
export function checkStack(value: unknown): StackSpec {
  object({ layers: list(checkLayer) }, ['layers'])(value, '');
  const { layers } = value as StackSpec;
  const skins = layers.filter(({ layer }) => layer === 'skin').length;
  if (skins > 1) fail('Only one skin layer makes sense: remove the others.', 'layers');
  if (skins === 1 && layers[0]!.layer !== 'skin')
    fail('The skin layer must come first: later layers work on its result.', 'layers');
  const order = layers.filter(({ enabled }) => enabled !== false).map(({ layer }) => layer);
  if (order.includes('contact') && order.lastIndexOf('contact') > order.indexOf('volume') && order.includes('volume'))
    fail(
      'The contact layer must come before the volume layer, which restores the volume around what touches.',
      'layers',
    );
  return value as StackSpec;
}

function checkLayer(value: unknown, path: string): void {
  const name = (value as { layer?: unknown } | null)?.layer;
  const table = typeof name === 'string' && Object.hasOwn(LAYERS, name) ? LAYERS[name] : undefined;
  if (!table)
    fail(
      `A layer needs “layer”: ${Object.keys(LAYERS)
        .map((n) => `“${n}”`)
        .join(' or ')}, not ${show(name)}.`,
      `${path}.layer`,
    );
  object(table!)(value, path);
}

function object(table: Table, required: readonly string[] = []): Check {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      fail(`Expected an object with ${Object.keys(table).join(', ')}; found ${show(value)}.`, path);
    }
    for (const [key, inner] of Object.entries(value as object)) {
      const at = path ? `${path}.${shorten(key)}` : shorten(key);
      if (!Object.hasOwn(table, key)) {
        fail(`There is no option “${shorten(key)}” here; did you mean “${nearest(key, Object.keys(table))}”?`, at);
      }
      if (inner !== undefined) table[key]!(inner, at);
    }
    for (const key of required) {
      if (!Object.hasOwn(value as object, key)) fail(`“${key}” is missing.`, path);
    }
  };
}

function dictionary(check: Check): Check {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      fail(`Expected an object; found ${show(value)}.`, path);
    for (const [key, inner] of Object.entries(value as object)) check(inner, `${path}.${key}`);
  };
}

function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) fail(`Expected a list; found ${show(value)}.`, path);
    for (const [i, item] of (value as unknown[]).entries()) check(item, `${path}[${i}]`);
  };
}

function number(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Check {
  return (value, path) => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most) return;
    const range = Number.isFinite(most)
      ? ` between ${least} and ${most}`
      : Number.isFinite(least)
        ? ` of at least ${least}`
        : '';
    fail(`Expected a number${range}; found ${show(value)}.`, path);
  };
}

function index(value: unknown, path: string): void {
  if (!Number.isInteger(value) || (value as number) < 0) {
    fail(`Expected a whole number of at least 0; found ${show(value)}.`, path);
  }
}

function oneOf(names: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === 'string' && names.includes(value)) return;
    const advice = typeof value === 'string' ? ` Did you mean “${nearest(value, names)}”?` : '';
    fail(`${show(value)} is not one of ${names.join(', ')}.${advice}`, path);
  };
}

function text(value: unknown, path: string): void {
  if (typeof value !== 'string') fail(`Expected a text; found ${show(value)}.`, path);
}

function flag(value: unknown, path: string): void {
  if (typeof value !== 'boolean') fail(`Expected true or false; found ${show(value)}.`, path);
}

function pair(value: unknown, path: string): void {
  const good =
    Array.isArray(value) && value.length === 2 && value.every((v) => typeof v === 'number' && Number.isFinite(v));
  if (!good) fail(`Expected a pair of numbers [x, y]; found ${show(value)}.`, path);
}

/** Pairs [x, y] with x ascending: keys of a curve. */
function keys(value: unknown, path: string): void {
  list(pair)(value, path);
  const pairs = value as [number, number][];
  for (let i = 1; i < pairs.length; i++) {
    if (pairs[i]![0] < pairs[i - 1]![0])
      fail(`The keys must ascend: ${pairs[i]![0]} follows ${pairs[i - 1]![0]}.`, path);
  }
}

function fail(message: string, path: string): never {
  throw new IsoskinError('STACK', message, path ? `stack: ${path}` : 'stack');
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? showList(value) : 'an object';
  return shorten(typeof value === 'string' ? JSON.stringify(value) : String(value));
}

/** Lists of plain values are shown, others (they may be deep, or contain themselves) are only named. */
function showList(value: readonly unknown[]): string {
  return value.every((item) => typeof item !== 'object' || item === null)
    ? shorten(`[${value.slice(0, 60).map(show).join(', ')}]`)
    : 'a list';
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The known name with the smallest edit distance. */
function nearest(wrong: string, known: readonly string[]): string {
  const name = shorten(wrong);
  return known.reduce((best, next) => (editDistance(name, next) < editDistance(name, best) ? next : best));
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
