/**
 * Gentler settings where a correction looks worse than plain skinning, round after round, and the sentences about them. Harm that is seen in one
 * place is calmed there (`volume.options.calm`). Other harm (jumps, hems, misplaced flesh), or what does not get better by it, lowers the limits of
 * the regions to blame: from the share of their ceilings that they used, so that every round has an effect.
 */
import type { CalmPlace } from '../correction/measure-pliancy.js';
import { LEAST_LIMIT, SHAPE_DEFAULTS } from '../correction/plan-shapes.js';
import type { Warning } from '../error.js';
import { comparePlaces } from '../mesh/plan-clusters.js';
import type { HarmFigure } from '../quality/measure-harm.js';
import type { HarmPlan } from '../quality/plan-harm.js';
import { listUsedLayers, type StackSpec } from '../stack/stack-spec.js';
import { GATE_LIMITS, type GateKind, type JudgedHarm, LOCAL_KINDS, type PlayedHarm } from './judge-harm.js';

/** A round aims at this share of what is allowed, and leaves at least so much of a limit or a push. */
const GENTLER = { aim: 0.85, most: 0.25 };
/** A limit is lowered from this many times the share of it that was used. */
const USED_MARGIN = 1.2;
/** Harm of a limit that is told apart. */
const HARM_STEPS = 1e5;
/** Share of its limit at which a region hardly moves: the end. */
const STILL = 0.025;
/** Radius of a calm place, of the size, of the thickness and in edges, whichever is most; share of a push below which nothing is left of it; new ones of a round. */
const CALM = { radius: 0.06, thickness: 0.5, edges: 2.5, least: 0.1, most: 24 };

export interface Mends {
  /** Region → what it did first, and the share that is left of its limit. */
  readonly regions: ReadonlyMap<string, { readonly kind: GateKind; readonly harm: JudgedHarm; readonly share: number }>;
  readonly calm: readonly CalmPlace[];
  /** Harm that was calmed, as it was first seen. */
  readonly calmed: ReadonlyMap<GateKind, JudgedHarm>;
}

export const NO_MENDS: Mends = { regions: new Map(), calm: [], calmed: new Map() };

/** The gentler stack; undefined where nothing can be gentler. @param isLast regions to blame hardly move */
export function softenStack(
  given: StackSpec,
  harm: PlayedHarm,
  names: readonly string[],
  before: Mends,
  isLast: boolean,
  plan?: HarmPlan,
  thickness?: Float64Array,
): { stack: StackSpec; mends: Mends } | undefined {
  const { volume } = listUsedLayers(given);
  if (!volume || (volume.method ?? 'shapes') !== 'shapes') return undefined;
  const local = harm.broken.filter((kind) => LOCAL_KINDS.includes(kind) && harm.blamed.get(kind)?.length);
  const calm =
    (plan && local.length > 0 && !isLast && calmPlaces(plan, thickness, harm.places, before.calm)) || before.calm;
  const isCalmer = calm !== before.calm;
  const calmed = new Map(before.calmed);
  if (isCalmer) for (const kind of local) if (!calmed.has(kind)) calmed.set(kind, harm.worst[kind]);
  const regions = new Map(before.regions);
  for (const [kind, blamed] of harm.blamed) {
    if (isCalmer && local.includes(kind)) continue;
    const own = harm.worst[kind];
    const factor = beGentler(own.value / GATE_LIMITS[kind]);
    for (const { region, used } of blamed) {
      const name = names[region]!;
      const known = regions.get(name);
      const from = (before.regions.get(name)?.share ?? 1) * (used > 0 ? Math.min(1, USED_MARGIN * used) : 1);
      const next = isLast ? STILL : Math.max(STILL, factor * from);
      regions.set(name, { kind, harm: own, ...known, share: Math.min(known?.share ?? 1, next) });
    }
  }
  if (!isCalmer && [...regions].every(([name, { share }]) => before.regions.get(name)?.share === share))
    return undefined;
  type Options = { limits?: Record<string, number>; calm?: readonly CalmPlace[] };
  const { limits: own, calm: asked = [], ...others }: Options = volume.options ?? {};
  const limits = { ...own };
  for (const [name, { share }] of regions) limits[name] = Math.max(LEAST_LIMIT, share * limitOf(given, name));
  const options = {
    ...others,
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(asked.length + calm.length > 0 && { calm: [...asked, ...calm] }),
  };
  return { stack: { ...given, volume: { ...given.volume, options } }, mends: { regions, calm, calmed } };
}

/** What is left of a limit or a push whose harm is `ratio` times what is allowed. */
function beGentler(ratio: number): number {
  return Math.min(1, Math.max(GENTLER.most, GENTLER.aim / ratio));
}

/** New places where harm is worst, the worst first, and calmer ones where it still is; undefined where all are as calm as they get. */
function calmPlaces(
  { size, surface }: HarmPlan,
  thickness: Float64Array | undefined,
  harm: Float64Array,
  before: readonly CalmPlace[],
): CalmPlace[] | undefined {
  const { positions: x, neighbours } = surface;
  const out = [...before];
  const isSeen = new Set<number>();
  let changes = 0;
  const order = listWorst(harm, surface);
  const distanceTo = ({ at }: CalmPlace, k: number) =>
    Math.hypot(x[3 * k]! - at[0], x[3 * k + 1]! - at[1], x[3 * k + 2]! - at[2]);
  for (const k of order) {
    if (changes >= CALM.most) break;
    const i = out.findIndex((place) => distanceTo(place, k) < 0.5 * place.radius);
    if (isSeen.has(i)) continue;
    isSeen.add(i < 0 ? out.length : i);
    const factor = beGentler(harm[k]!);
    if (i >= 0) {
      if (out[i]!.left === 0) continue;
      const left = factor * out[i]!.left;
      out[i] = { ...out[i]!, left: left < CALM.least ? 0 : left };
    } else {
      let edges = 0;
      const [first, end] = [neighbours.offsets[k]!, neighbours.offsets[k + 1]!];
      const at = [x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!] as const;
      for (let e = first; e < end; e++)
        edges += distanceTo({ at, radius: 0, left: 0 }, neighbours.values[e]!) / (end - first);
      const radius = Math.max(CALM.radius * size, CALM.edges * edges, CALM.thickness * (thickness?.[k] ?? 0));
      out.push({ at, radius, left: factor });
    }
    changes++;
  }
  return changes > 0 ? out : undefined;
}

/** Vertices from the worst on. About equal ones by their place: neither rounding, a mirror nor the order of the vertices decides what is calmed. */
function listWorst(harm: Float64Array, { positions: x, signs }: HarmPlan['surface']): number[] {
  const steps = harm.map((value) => Math.round(HARM_STEPS * value));
  const compare = (a: number, b: number) => steps[b]! - steps[a]! || comparePlaces(x, a, b, signs);
  return [...harm.keys()].filter((k) => harm[k]! > 0).sort(compare);
}

/** The largest figure by its limit. */
export function measureGravity(harm: PlayedHarm | undefined): number {
  return Math.max(0, ...(harm?.broken ?? []).map((kind) => harm!.worst[kind].value / GATE_LIMITS[kind]));
}

/** A sentence for all regions that did the same and got the same limit, and one for every kind of harm that was calmed. */
export function describeMends(given: StackSpec, { regions, calm, calmed }: Mends): Warning[] {
  const groups = new Map<string, { names: string[]; kind: GateKind; harm: JudgedHarm; from: number; to: number }>();
  for (const [name, { kind, harm, share }] of regions) {
    const from = limitOf(given, name);
    const to = round(share * from);
    const group = groups.get(`${kind} ${from} ${to}`) ?? { names: [], kind, harm, from, to };
    group.names.push(name);
    groups.set(`${kind} ${from} ${to}`, group);
  }
  const places = calm.length === 1 ? '1 place of the skin moves' : `${calm.length} places of the skin move`;
  const local = [...calmed].map(([kind, harm]) => {
    const message = `${describeHarm(kind, harm, harm.region ? [harm.region] : [])}; ${places} less now`;
    return { code: 'HARM_MENDED', message, place: '' };
  });
  const limited = [...groups.values()].map(({ names, kind, harm, from, to }) => {
    const [own, limits] = names.length > 1 ? ['their', 'limits are'] : ['its', 'limit is'];
    const before = readLimits(given).limit > 0 ? `${round(from)}` : 'none';
    const message = `${describeHarm(kind, harm, names)}; ${own} ${limits} ${to} instead of ${before} of the local thickness`;
    return { code: 'HARM_MENDED', message, place: '' };
  });
  return [...local, ...limited];
}

const HARMS: Record<GateKind, readonly [did: string, of: string]> = {
  crumple: ['crumpled', 'of the surface'],
  crease: ['creased', 'of a right angle'],
  flipped: ['turned inside out', 'of the triangles'],
  torn: ['was torn', 'of the edges'],
  jump: ['jumped', 'of the size within 1/60 s'],
  poke: ['went through another part', 'of the skin next to other parts'],
  ledge: ['sheared its hems', 'of their length'],
  misplaced: ['put flesh in the wrong place, most', 'of what plain skinning misplaces'],
  volume: ['ended further from its volume than under plain skinning', 'of its volume'],
};

/** “The skin around “neck 2” crumpled at 0.50 s of “Run” (3.1 % of the surface)”. */
export function describeHarm(kind: GateKind, { value, clip, time }: HarmFigure, names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `“${name}”`);
  const more = names.length > 3 ? ` and ${names.length - 3} more regions` : '';
  const around = names[0] ? ` around ${shown.join(', ')}${more}` : '';
  const [did, of] = HARMS[kind];
  return `The skin${around} ${did} at ${time.toFixed(2)} s of “${clip}” (${value.toFixed(1)} % ${of})`;
}

/** A sentence for every kind of harm that passes its limit; regions that got worse have their own. */
export function listHarm(harm: Pick<PlayedHarm, 'worst' | 'broken'> | undefined): string[] {
  const seen = (harm?.broken ?? []).filter((kind) => kind !== 'volume');
  return seen.map((kind) => {
    const own = harm!.worst[kind];
    return `${describeHarm(kind, own, own.region ? [own.region] : [])}, more than ${GATE_LIMITS[kind]} %.`;
  });
}

function readLimits(spec: StackSpec): { limit: number; limits?: Readonly<Record<string, number>> } {
  return { limit: SHAPE_DEFAULTS.limit, ...spec.volume?.options };
}

/** Without a limit, the first step is the usual one. */
function limitOf(spec: StackSpec, name: string): number {
  const { limit, limits = {} } = readLimits(spec);
  return (Object.hasOwn(limits, name) ? limits[name]! : limit) || SHAPE_DEFAULTS.limit;
}

function round(share: number): number {
  return Number(share.toPrecision(2));
}
