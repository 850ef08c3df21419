/**
 * The door of the stack: says what is wrong with a stack's JSON, where, and what would be right.
 *
 * Options are described in the tables below, those of a volume method by what it reads; unknown names get the nearest known one as advice.
 */
import {
  type Check,
  checkJson,
  dictionary,
  fail,
  flag,
  index,
  list,
  number,
  object,
  oneOf,
  show,
  type CheckTable as Table,
  text,
  tuple,
} from '../check-json.js';
import { MORPH_TARGETS } from '../correction/plan-targets.js';
import { MAP_KINDS } from '../maps/plan-map.js';
import { REGION_KINDS } from '../regions/plan-regions.js';
import { SKINNINGS } from '../skinning/plan-skinning.js';
import { CURVE_STRATEGIES } from '../wrinkles/plan-control-curve.js';
import { MOST_LEVELS } from '../wrinkles/plan-refinement.js';
import { ATTENUATIONS } from '../wrinkles/wrinkle-tool.js';
import type { StackSpec } from './stack-spec.js';
import type { VolumeLayerOptions, VolumeMethod } from './volume-layer.js';

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
  bones: (value, path) => (Array.isArray(value) ? list(text) : dictionary(list(text)))(value, path),
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

const FIELD: Table = { limit: number(0, 10), areaNorm: flag };
const AXES: Table = { ...FIELD, shares: list(number(0)), order: text, frame: oneOf(['world', 'skeleton']) };
const NORMAL: Table = { ...FIELD, along: oneOf(['normals', 'field']) };

/** Every volume method with the options that it reads. */
const METHODS: Readonly<Record<VolumeMethod, Table>> = {
  shapes: {
    smoothing: number(0),
    limit: number(0, 10),
    harmonics: number(0, 2),
    tolerance: number(0, 1),
    evaluations: number(1, 1000),
  },
  'axis-linear': AXES,
  'axis-exact': AXES,
  'normal-linear': NORMAL,
  'normal-exact': NORMAL,
  'small-steps': { ...FIELD, steps: number(1, 1000), tolerance: number(0, 1) },
  laplacian: { ...FIELD, smoothing: number(0), tolerance: number(0, 1) },
  'regions-linear': { ...NORMAL, estimator: oneOf(['exact', 'prism']) },
  'regions-exact': { ...NORMAL, tolerance: number(0, 1), maxSteps: number(1, 1000) },
};

/** A map, a painted attribute or a number. */
const softness: Check = (value, path) => {
  if (typeof value === 'string') return;
  if (typeof value === 'number') number(0, 1)(value, path);
  else object(MAP)(value, path);
};

const SPRING: Table = { frequency: number(0.05, 60), damping: number(0.01, 20), maxStretch: number(0, 10) };

const anchor = object({ triangle: index, barycentric: tuple(number(), 3) }, ['triangle', 'barycentric']);

const restLength: Check = (value, path) => {
  if (typeof value === 'number') number(0)(value, path);
  else if (typeof value === 'object' && value !== null && 'keys' in value) object({ keys })(value, path);
  else object({ morph: text, from: number(0), to: number(0) }, ['morph', 'to'])(value, path);
};

/** Numbers that depend on each other are looked at when the curve is planned. */
const WRINKLE_TOOL: Table = {
  name: text,
  enabled: flag,
  a: anchor,
  b: anchor,
  via: list(anchor),
  length: number(0),
  width: number(0),
  attenuation: oneOf(ATTENUATIONS),
  restLength,
  strength: number(0, 100),
  profile: oneOf(['smooth', 'linear']),
  points: number(3, 10_000),
  strategy: oneOf(CURVE_STRATEGIES),
  maxHeight: number(0),
  spacing: number(0, 10_000),
  crest: number(1, 10_000),
  levels: list(object({ share: number(0, 1), maxHeight: number(0) }, ['share'])),
};

/** An option that was there once: says what to write instead. */
const gone =
  (advice: string): Check =>
  (_value, path) =>
    fail(advice, path);

const GONE_FROM_CONTACT: Table = {
  joints: gone('Contact no longer tells joints from parts: remove “joints”, or remove the contact layer.'),
  parts: gone('Contact no longer tells joints from parts: remove “parts”, or remove the contact layer.'),
  relax: gone('Contact is smooth by itself: remove “relax”; for a gentler one write “strength” below 1.'),
  band: gone('Contact starts softly by itself: remove “band”; for more distance write “gap”.'),
  retreat: gone('Contact never turns joints back, the pose is yours: remove “retreat”.'),
};

const LAYERS: Readonly<Record<string, Table>> = {
  skin: { layer: text, enabled: flag, skinning: oneOf(SKINNINGS) },
  flesh: {
    layer: text,
    enabled: flag,
    ...SPRING,
    softness,
    regions: dictionary(object({ ...SPRING, softness: number(0, 1) })),
    split: object(REGIONS),
    loop: flag,
  },
  contact: {
    layer: text,
    enabled: flag,
    strength: number(0, 1),
    gap: number(0, 0.2),
    ...GONE_FROM_CONTACT,
  },
  volume: {
    layer: text,
    enabled: flag,
    method: oneOf(Object.keys(METHODS)),
    map: object(MAP),
    regions: object(REGIONS),
    target: object({ all: curve, regions: dictionary(curve), morphs: oneOf(MORPH_TARGETS) }),
    directions: object({ spread: number(0, 1000), sweeps: number(0, 100) }),
    shape: list(
      object({ region: text, along: number(0), axis: number(0), across: number(0), profile: keys }, ['region']),
    ),
    progressive: number(0, 1000),
    options: object({}, []),
  },
  wrinkles: {
    layer: text,
    enabled: flag,
    refine: number(0, MOST_LEVELS),
    keepVolume: flag,
    tools: list(object(WRINKLE_TOOL, ['a', 'b', 'width'])),
  },
};

/** Throws an `IsoskinError` that names the place, or returns the same object as a `StackSpec`. */
export function checkStack(value: unknown): StackSpec {
  checkJson(value, checkLayers, 'STACK', 'stack');
  return value as StackSpec;
}

function checkLayers(value: unknown, path: string): void {
  object({ layers: list(checkLayer) }, ['layers'])(value, path);
  const { layers } = value as StackSpec;
  const skins = layers.filter(({ layer }) => layer === 'skin').length;
  if (skins > 1) fail('Only one skin layer makes sense: remove the others.', 'layers');
  if (skins === 1 && layers[0]!.layer !== 'skin')
    fail('The skin layer must come first: later layers work on its result.', 'layers');
  const order = layers.filter(({ enabled }) => enabled !== false).map(({ layer }) => layer);
  const others = order.findIndex((layer) => layer !== 'skin' && layer !== 'flesh');
  if (others >= 0 && order.lastIndexOf('flesh') > others)
    fail('The flesh layer must come right after the skin: the other layers work on what has swung.', 'layers');
  if (order.includes('contact') && order.lastIndexOf('contact') > order.indexOf('volume') && order.includes('volume'))
    fail(
      'The contact layer must come before the volume layer, which restores the volume around what touches.',
      'layers',
    );
  if (order.indexOf('wrinkles') >= 0 && order.indexOf('wrinkles') < order.length - 1) {
    const message =
      order.lastIndexOf('wrinkles') > order.indexOf('wrinkles')
        ? 'Only one wrinkles layer makes sense: put all tools into one.'
        : 'The wrinkles layer must come last: it folds what the other layers leave.';
    fail(message, 'layers');
  }
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
  if (name === 'volume') checkVolume(value as VolumeLayerOptions, path);
  else object(table)(value, path);
}

/** A method's own options, and what only the shapes can do. */
function checkVolume(value: VolumeLayerOptions, path: string): void {
  const { method = 'shapes' } = value;
  const options = METHODS[method] ?? {};
  object({ ...LAYERS.volume, options: object(options) })(value, path);
  if (value.shape && method !== 'shapes')
    fail(`“shape” steers the method “shapes” only: remove it, or the method “${method}”.`, `${path}.shape`);
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
