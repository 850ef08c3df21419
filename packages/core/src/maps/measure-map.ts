/**
 * D1–D9. The correction map γ, #V: large where the flesh may move, 0 where it must not.
 *
 *   uniform       D1  γ = 1
 *   power         D2  γ = (1 − ω^q)^p
 *   rubber        D3  γ = (1 − ω)^a
 *   organic       D4  γ = (1 − ω)^a · (d / d̄)^b
 *   intermediate  D6  γ = (4β(1 − β))₊^a,  β = 2(1 − Σ_i ω_ki²): 0 on the joint (β = 1) and on the rigid bone (β = 0)
 *
 * ω  largest weight, smoothed (D5);  d  distance to the nearest bone (D9: of a subset);  d̄  its mean over the region.
 * γ spreads along the skin as far as `spread` times the flesh t = d/2 is thick (smooth-over-skin.ts): thick flesh gives way further from its joint.
 * Then γ ← floor + (1 − floor)γ, times the painted map (D7), times the region-local factor (D8); 0 at fixed vertices (C4)
 * and outside all regions.
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008, eq. 6–8.
 */
import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { smoothOverSkin } from '../flesh/smooth-over-skin.js';
import { findRegion } from '../regions/find-region.js';
import type { Regions } from '../regions/plan-regions.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { gatherPaint, holdFixed } from './gather-paint.js';
import { measureBoneDistance } from './measure-bone-distance.js';
import { measureLargestWeight } from './measure-largest-weight.js';
import { planRegionWeights, type RegionWeights } from './plan-region-weights.js';

export const MAP_KINDS = ['uniform', 'power', 'rubber', 'organic', 'intermediate'] as const;
export type MapKind = (typeof MAP_KINDS)[number];

export interface MapOptions {
  readonly kind?: MapKind;
  /** D2: outer exponent. */
  readonly p?: number;
  /** D2: exponent of the weight. */
  readonly q?: number;
  /** D3, D4, D6: exponent of the weight term. */
  readonly a?: number;
  /** D4: exponent of the distance. */
  readonly b?: number;
  /** D5: the largest weight is a p-norm of this order; false for the plain maximum. */
  readonly smooth?: number | false;
  /** D9: joints whose bones the distance is taken to, for all regions or by the name of a region. Default: all. */
  readonly bones?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** D7: attribute that multiplies the map, or one number per welded vertex. */
  readonly paint?: string | ArrayLike<number>;
  /** D8: let γ go to 0 at the borders of the regions. */
  readonly local?: boolean;
  /** How far the automatic map spreads along the skin, in thicknesses of the flesh. */
  readonly spread?: number;
  /** Least value of the automatic map, 0 … 1. */
  readonly floor?: number;
  /** C4: welded vertices that never move, or the name of a painted attribute that is above ½ there. */
  readonly fixed?: string | ArrayLike<number>;
}

export const MAP_DEFAULTS = {
  kind: 'rubber',
  p: 8,
  q: 15,
  a: 2,
  b: 2,
  smooth: 8,
  local: false,
  spread: 0,
  floor: 0,
} as const satisfies MapOptions;

/** Flesh is half of the way from the skin to its bone (plan-harmonics.ts); a bone outside is no further than the room. */
const FLESH = 0.5;
/** Least local factor off the border: it is 0 on the border only. */
const LOCAL_LEAST = 1e-3;

/** What maps of one kind have in common, whatever their exponents: Ω of every vertex, and d. */
export interface MapGround {
  readonly shares: RegionWeights;
  readonly distances: Float64Array;
}

export function planMapGround(
  character: Character,
  regions: Regions,
  volumes: RegionVolumes,
  options: MapOptions = {},
): MapGround {
  const shares = planRegionWeights(character, regions, volumes);
  return { shares, distances: measureDistances(character, regions, shares, { ...MAP_DEFAULTS, ...options }) };
}

/** @param average changes the automatic map, before it is painted and held: layers share one (plan-layers.ts) */
export function measureMap(
  character: Character,
  regions: Regions,
  volumes: RegionVolumes,
  options: MapOptions = {},
  room?: Float64Array,
  { shares, distances } = planMapGround(character, regions, volumes, options),
  average?: (gamma: Float64Array) => Float64Array,
): Float64Array {
  const settings = { ...MAP_DEFAULTS, ...options };
  checkOptions(settings);
  const { vertexCount } = character.surface;
  const own = new Float64Array(vertexCount);
  fillKind(own, character, regions, shares, distances, settings);
  const width = (d: number, k: number) => settings.spread * FLESH * Math.min(d, room?.[k] ?? d);
  let gamma = settings.spread > 0 ? smoothOverSkin(own, character.surface, distances.map(width)) : own;
  const { floor, paint, fixed } = settings;
  for (let k = 0; k < vertexCount; k++) {
    gamma[k] = shares.offsets[k] === shares.offsets[k + 1] ? 0 : floor + (1 - floor) * gamma[k]!;
  }
  if (average) gamma = average(gamma);
  if (paint !== undefined) {
    const painted = gatherPaint(character, paint);
    for (let k = 0; k < vertexCount; k++) gamma[k]! *= painted[k]!;
  }
  if (settings.local) {
    const factor = measureLocalFactor(shares, volumes);
    for (let k = 0; k < vertexCount; k++) gamma[k]! *= factor[k]!;
  }
  holdFixed(gamma, character, fixed);
  return gamma;
}

function fillKind(
  out: Float64Array,
  character: Character,
  regions: Regions,
  shares: RegionWeights,
  distances: Float64Array,
  { kind, p, q, a, b, smooth }: Required<Pick<MapOptions, keyof typeof MAP_DEFAULTS>> & MapOptions,
): void {
  const { binding } = character;
  const count = out.length;
  if (kind === 'uniform') {
    out.fill(1);
    return;
  }
  if (kind === 'intermediate') {
    for (let k = 0; k < count; k++) {
      let squares = 0;
      for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) squares += binding.weights[n]! ** 2;
      const beta = Math.min(1, Math.max(0, 2 * (1 - squares)));
      out[k] = (4 * beta * (1 - beta)) ** a;
    }
    return;
  }
  measureLargestWeight(out, binding, smooth);
  for (let k = 0; k < count; k++) out[k] = kind === 'power' ? (1 - out[k]! ** q) ** p : (1 - out[k]!) ** a;
  if (kind !== 'organic') return;
  const means = measureRegionMeans(distances, regions.count, shares);
  for (let k = 0; k < count; k++) {
    let mean = 0;
    for (let n = shares.offsets[k]!; n < shares.offsets[k + 1]!; n++) {
      mean += shares.weights[n]! * means[shares.values[n]!]!;
    }
    out[k]! *= mean > 0 ? (distances[k]! / mean) ** b : 1;
  }
}

/** d_k, from the bones chosen for the regions that vertex k has a share in. */
function measureDistances(
  character: Character,
  regions: Regions,
  shares: RegionWeights,
  { kind, spread, bones }: MapOptions & { spread: number },
): Float64Array {
  const out = new Float64Array(character.surface.vertexCount);
  if (kind !== 'organic' && spread === 0) return out;
  const isList = bones === undefined || Array.isArray(bones);
  measureBoneDistance(out, character, regions.segments, isList ? (bones as readonly string[] | undefined) : undefined);
  if (isList) return out;
  const everywhere = out.slice();
  const own = new Float64Array(out.length);
  for (const [name, list] of Object.entries(bones)) {
    const s = findRegion(name, regions, 'map.bones');
    measureBoneDistance(own, character, regions.segments, list);
    for (let k = 0; k < out.length; k++) {
      for (let n = shares.offsets[k]!; n < shares.offsets[k + 1]!; n++) {
        if (shares.values[n] === s) out[k]! += shares.weights[n]! * (own[k]! - everywhere[k]!);
      }
    }
  }
  return out;
}

/** Mean of a value over each region, every vertex counted by its share in the region. */
function measureRegionMeans(values: Float64Array, count: number, shares: RegionWeights): Float64Array {
  const sums = new Float64Array(count);
  const totals = new Float64Array(count);
  for (let k = 0; k < values.length; k++) {
    for (let n = shares.offsets[k]!; n < shares.offsets[k + 1]!; n++) {
      sums[shares.values[n]!]! += shares.weights[n]! * values[k]!;
      totals[shares.values[n]!]! += shares.weights[n]!;
    }
  }
  return sums.map((sum, s) => (totals[s]! > 0 ? sum / totals[s]! : 0));
}

/** D8. Ω₍₁₎ − Ω₍₂₎, the lead of a vertex's first region over its second; exactly 0 on the borders themselves. */
function measureLocalFactor(shares: RegionWeights, volumes: RegionVolumes): Float64Array {
  const { offsets, weights } = shares;
  const out = new Float64Array(offsets.length - 1);
  for (let k = 0; k < out.length; k++) {
    let first = 0;
    let second = 0;
    for (let n = offsets[k]!; n < offsets[k + 1]!; n++) {
      if (weights[n]! > first) {
        second = first;
        first = weights[n]!;
      } else if (weights[n]! > second) second = weights[n]!;
    }
    out[k] = Math.max(LOCAL_LEAST, first - second);
  }
  // A vertex with two pairs takes part in two regions.
  const { pairVertex, pairCount } = volumes;
  const paired = new Uint8Array(out.length);
  for (let p = 0; p < pairCount; p++) if (paired[pairVertex[p]!]++) out[pairVertex[p]!] = 0;
  return out;
}

function checkOptions({ kind, p, q, a, b, smooth, spread, floor }: Record<string, unknown>): void {
  if (!MAP_KINDS.includes(kind as MapKind)) {
    throw new IsoskinError(
      'MAP_KIND',
      `“${kind}” is not a correction map; use one of ${MAP_KINDS.join(', ')}.`,
      'map.kind',
    );
  }
  for (const [name, value] of Object.entries({ p, q, a, b, spread })) {
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) continue;
    throw new IsoskinError('MAP_OPTION', `The exponent “${name}” of a map must be a number ≥ 0.`, `map.${name}`);
  }
  if (smooth !== false && !(typeof smooth === 'number' && smooth >= 2 && smooth <= 1000)) {
    throw new IsoskinError('MAP_OPTION', '“smooth” must be a number between 2 and 1000, or false.', 'map.smooth');
  }
  if (!(typeof floor === 'number' && floor >= 0 && floor <= 1)) {
    throw new IsoskinError('MAP_OPTION', '“floor” must be between 0 and 1.', 'map.floor');
  }
}
