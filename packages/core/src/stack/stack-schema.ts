/**
 * Every option of a stack, once: what it may be, what it means, what it is when it is not given. The door (check-stack.ts), the tables of the
 * documentation and the studio's panel read it; the compiler holds it to the types that the layers take.
 */
import {
  type Check,
  type CheckTable,
  dictionary,
  fail,
  flag,
  index,
  list,
  number,
  object,
  oneOf,
  option,
  text,
} from '../check-json.js';
import { CONTACT_DEFAULTS, type ContactOptions } from '../contact/plan-contact.js';
import { DIRECTION_DEFAULTS, type DirectionOptions } from '../correction/measure-directions.js';
import { MORPH_TARGETS, type TargetOptions } from '../correction/plan-target-volumes.js';
import { VOLUME_METHODS } from '../correction/volume-methods.js';
import { SOFTNESS_DEFAULTS } from '../flesh/plan-softness.js';
import { MAP_DEFAULTS, MAP_KINDS, type MapOptions } from '../maps/measure-map.js';
import {
  REGION_DEFAULTS,
  REGION_KINDS,
  type RegionOptions,
  RIGID_KINDS,
  STILL_KINDS,
} from '../regions/plan-regions.js';
import { SKINNINGS } from '../skinning/plan-skinning.js';
import { COMBINATIONS } from '../wrinkles/fold-sum.js';
import { MOST_LEVELS } from '../wrinkles/plan-refinement.js';
import { WRINKLE_DEFAULTS } from '../wrinkles/wrinkle-tool.js';
import { FLESH_DEFAULTS, type FleshRegionOptions } from './flesh-layer.js';
import type { LayerName, LayerOptions } from './stack-spec.js';
import { keys, names, type Schema, WRINKLE_TOOL } from './wrinkle-tool-schema.js';

const curve: Check = (value, path) => {
  if (typeof value === 'number') return number(0)(value, path);
  keys(value, path);
};

const MAP: Schema<MapOptions> = {
  kind: option(oneOf(MAP_KINDS), `where the flesh gives way: ${names(MAP_KINDS)}`, MAP_DEFAULTS.kind),
  p: option(number(0), 'D2: outer exponent', MAP_DEFAULTS.p),
  q: option(number(0), 'D2: exponent of the weight', MAP_DEFAULTS.q),
  a: option(
    number(0),
    'D3, D4, D6: exponent of the weight term; higher: only flesh near the joints moves',
    MAP_DEFAULTS.a,
  ),
  b: option(number(0), 'D4: exponent of the distance; higher: flesh far from the bones moves more', MAP_DEFAULTS.b),
  smooth: option(
    (value, path) => value === false || number(2, 1000)(value, path),
    'D5: the largest weight is a p-norm of this order; `false` for the plain maximum, which makes a crease',
    MAP_DEFAULTS.smooth,
  ),
  bones: option(
    (value, path) => (Array.isArray(value) ? list(text) : dictionary(list(text)))(value, path),
    'D9: joints whose bones the distance is taken to, for all regions or by region; all',
  ),
  paint: option(
    (value, path) => typeof value === 'string' || list(number(0))(value, path),
    'D7: a vertex attribute of any name (`_ISOSKIN_GAMMA`, `_MUSCLE`, `COLOR_0.r` …) that multiplies the map',
  ),
  local: option(flag, 'D8: γ goes to 0 at the borders of the regions', MAP_DEFAULTS.local),
  spread: option(
    number(0, 10),
    'how far the map spreads along the skin, in thicknesses of the flesh',
    MAP_DEFAULTS.spread,
  ),
  floor: option(number(0, 1), 'how much the stiffest flesh still gives way, 0 … 1', MAP_DEFAULTS.floor),
  fixed: option(
    (value, path) => typeof value === 'string' || list(index)(value, path),
    'C4: what never moves: welded vertices, or the name of a painted attribute (`_FIXED`) that is above ½ there',
  ),
};

const REGIONS: Schema<RegionOptions> = {
  by: option(
    oneOf(REGION_KINDS),
    `what keeps its own volume: ${names(REGION_KINDS)}; by joint, or by bone on coarse skin`,
  ),
  merge: option(
    list(object({ name: text, joints: list(text) }, ['name', 'joints'])),
    'E3: joints that form one region: `[{ "name": "hand", "joints": ["thumb", "index"] }]`',
  ),
  join: option(list(list(text)), 'C18: regions that share one volume and one shape: `[["neck 1", "neck 2"]]`'),
  ignore: option(list(text), 'E3: joints without a region of their own; their triangles go to the parent'),
  minShare: option(
    number(0, 1),
    'smaller patches join a neighbour: share of the part’s volume',
    REGION_DEFAULTS.minShare,
  ),
  minTriangles: option(number(0), 'patches with fewer triangles join a neighbour', REGION_DEFAULTS.minTriangles),
  rigid: option(
    oneOf(RIGID_KINDS),
    'parts that hang on one bone (armour, eyes, weapons): `leave` them alone, or `cut` them into regions like the rest',
    REGION_DEFAULTS.rigid,
  ),
  still: option(
    oneOf(STILL_KINDS),
    'E2: half bones at joints where nothing bends (tips without skin, the root of a chain): `cut` as regions of their own, or they `join` the joint that bends',
    REGION_DEFAULTS.still,
  ),
};

/** A map, a painted attribute or a number. */
const softness: Check = (value, path) => {
  if (typeof value === 'string') return;
  if (typeof value === 'number') number(0, 1)(value, path);
  else object(MAP)(value, path);
};

const SPRING: Schema<Omit<FleshRegionOptions, 'softness'>> = {
  frequency: option(number(0.05, 60), 'how fast it swings, Hz: a heavy belly 1.5, a cheek 5', FLESH_DEFAULTS.frequency),
  damping: option(
    number(0.01, 20),
    'ratio to critical damping: 0.05 swings long, 1 comes back without swinging',
    FLESH_DEFAULTS.damping,
  ),
  maxStretch: option(
    number(0, 10),
    'how far it gives at most, relative to the local thickness',
    FLESH_DEFAULTS.maxStretch,
  ),
};

/** An option that was there once: says what to write instead. */
const gone = (advice: string) => (_value: unknown, path: string) => fail(advice, path);

const GONE_FROM_CONTACT: CheckTable = {
  joints: gone('Contact no longer tells joints from parts: remove “joints”, or remove the contact layer.'),
  parts: gone('Contact no longer tells joints from parts: remove “parts”, or remove the contact layer.'),
  relax: gone('Contact is smooth by itself: remove “relax”; for a gentler one write “strength” below 1.'),
  band: gone('Contact starts softly by itself: remove “band”; for more distance write “gap”.'),
  retreat: gone('Contact never turns joints back, the pose is yours: remove “retreat”.'),
};

const CONTACT: Schema<ContactOptions> = {
  strength: option(number(0, 1), 'share of the overlap that is parted', CONTACT_DEFAULTS.strength),
  gap: option(number(0, 0.2), 'distance kept where skin touches, in local thicknesses', CONTACT_DEFAULTS.gap),
};

const TARGET: Schema<TargetOptions> = {
  all: option(curve, 'factor of the volume to keep, or keys `[seconds, factor]`', 1),
  regions: option(dictionary(curve), 'factors of single regions by name'),
  morphs: option(oneOf(MORPH_TARGETS), 'whether morph targets change the volume that is kept', 'follow'),
};

const DIRECTIONS: Schema<DirectionOptions> = {
  spread: option(
    number(0, 1000),
    'how far the directions of the push are averaged, in squared edges',
    DIRECTION_DEFAULTS.spread,
  ),
  sweeps: option(number(0, 100), 'how often the directions are smoothed, once, at rest', DIRECTION_DEFAULTS.sweeps),
};

const enabled = option(flag, '`false` switches the layer off and keeps its settings', true);

/** Layers, options, options of options. */
export const STACK_SCHEMA: { readonly [Name in LayerName]: Schema<LayerOptions[Name]> & CheckTable } = {
  skin: {
    enabled,
    skinning: option(
      oneOf(SKINNINGS),
      'A2, A3: how bones move the skin: `linear`, `dual-quaternion` or `rigid`; morph targets are applied first',
      'linear',
    ),
  },
  flesh: {
    enabled,
    ...SPRING,
    softness: option(
      softness,
      'where it is soft: a map, the name of a painted attribute, or a number 0 … 1',
      SOFTNESS_DEFAULTS,
    ),
    blend: option(
      number(0, 10),
      'how wide soft flesh passes into stiff flesh along the skin, relative to the mean thickness; 0 where `softness` is given',
      FLESH_DEFAULTS.blend,
    ),
    travel: option(
      number(0, 10),
      'G3: how far a swing reaches through the skin, in mean thicknesses',
      FLESH_DEFAULTS.travel,
    ),
    regions: option(
      dictionary(object({ ...SPRING, softness: number(0, 1) })),
      '`frequency`, `damping`, `maxStretch`, `softness` of regions by name',
    ),
    split: option(object(REGIONS), 'how the body is cut into these regions, as `regions` of the volume layer; by bone'),
    loop: option(flag, 'whether clips loop when they are sought or baked; those do that end as they begin'),
    memory: option(number(0.01, 60), 'seconds before a moment of a clip that its swing is made of; all since it began'),
  },
  contact: { enabled, ...CONTACT, ...GONE_FROM_CONTACT },
  volume: {
    enabled,
    method: option(
      (value, path) => oneOf(Object.keys(VOLUME_METHODS))(value, path),
      'one of the [methods](methods/index.md)',
      'shapes',
    ),
    map: option(object(MAP), '[correction map γ](methods/measure-map.md)'),
    regions: option(object(REGIONS), '[how the body is cut](methods/plan-regions.md)'),
    target: option(object(TARGET), '[volume to keep, over time](methods/plan-target-volumes.md)'),
    directions: option(object(DIRECTIONS), 'the field that the skin is pushed along'),
    shape: option(
      list(object({ region: text, along: number(0), axis: number(0), across: number(0), profile: keys }, ['region'])),
      '[directional control](methods/apply-shape.md), with `shapes`: `region`, `along`, `axis`, `across`, `profile`',
    ),
    progressive: option(number(0, 1000), '[C12](methods/plan-progressive-pose.md): steps of the pose; 0: at once', 0),
    options: option(object({}, []), 'options of the method: its page has them'),
  },
  wrinkles: {
    enabled,
    tools: option(
      list(object(WRINKLE_TOOL, ['a', 'b', 'width'])),
      'segments on the skin, see [the page](wrinkles.md#the-layer)',
    ),
    refine: option(
      number(0, MOST_LEVELS),
      'most times that a triangle is split into four where folds need it',
      WRINKLE_DEFAULTS.refine,
    ),
    keepVolume: option(flag, 'the skin between the folds gives way: they hold no volume', WRINKLE_DEFAULTS.keepVolume),
    combine: option(oneOf(COMBINATIONS), `H7: series that overlap: ${names(COMBINATIONS)}`, WRINKLE_DEFAULTS.combine),
  },
};

/** The option `map.a` of a layer: what it means and what it is when it is not given. */
export function describeOption(layer: LayerName, path: string): { readonly says: string; readonly initial: unknown } {
  let table: CheckTable | undefined = STACK_SCHEMA[layer];
  let found: Check | undefined;
  for (const key of path.split('.')) {
    found = table?.[key];
    table = found?.table;
  }
  return { says: found?.says ?? '', initial: found?.initial };
}
