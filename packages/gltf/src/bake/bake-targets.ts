/**
 * C15, C18 as a file: what players draw of a plan becomes morph targets, its weights become tracks, the same targets in every clip.
 *
 *   δ_u = φ_k n̄_k / scale for point u at welded vertex k
 *   w ≥ 0 or w ≤ 0 in all clips    target (w_max or w_min) δ,   weight w/w_max or w/w_min
 *   both ways                      target (w_max − w_min) δ,    weight (w − w_min)/(w_max − w_min)
 *   offset                         target Σ w_min δ of those that go both ways, weight 1 wherever anything moves
 *
 * A player morphs and then skins, which is what the model does: nothing is fitted. All weights stay within 0 … 1, and all 0 is the author's own shape, so that
 * tools which keep eight bits of a weight, or lose the tracks, do no harm. What else moves the skin gets few targets beside them (plan-extras.ts). Normals turn
 * as the pushed rest surface does (turn-directions.ts). O(samples · K + points · entries).
 */
import { UNUSED_PUSH } from '@isoskin/core/kernels';
import { sumVertexAreas } from '@isoskin/core/mesh';
import { type BakeJob, exactVolumes, partsOf, scaleOf } from './bake-job.js';
import type { BakedGroup, PartTargets, WeightKeys } from './baked-group.js';
import { checkSamples } from './check-samples.js';
import { isShapesAlone } from './create-frame-baker.js';
import { listPushes } from './drawn-shapes.js';
import type { SampleRange } from './list-samples.js';
import { planBakedSurface } from './plan-baked-surface.js';
import { type Extra, planExtras } from './plan-extras.js';
import { type DeltaArray, measureReach, quantiseDeltas, readDeltas } from './quantise-deltas.js';
import { pickDeltas, type SparseDeltas } from './sparse-deltas.js';
import { thinKeys } from './thin-keys.js';
import { createTurner, type GroupPushes, listDirections } from './turn-directions.js';

export interface MorphBake {
  readonly groups: readonly BakedGroup[];
  /** Volumes of the components that the file is to play, #samples×#components. */
  readonly claimed: Float64Array;
}

/** Parts of the tolerance: pushes that are not stored, rounding of compact deltas, thinned keys: positions, regions, their sum. */
const SHARE = { quiet: 0.25, rounding: 0.05, thin: 0.3, volume: 0.8, total: 0.12 };
/** Of a shape that hardly pushes no more than this share of its largest push is left out. */
const FRINGE = 0.05;
/** Rounding of compact deltas moves no vertex by more than this share of the largest push. */
const FINEST = 1 / 250;
/** Turns of normals, in radians: error of compact ones (½°), what is not stored (3°), and what thinned keys may make of one target (1°). */
const NORMAL = { tolerance: 0.008, quiet: 0.05, keys: 0.017 };

/** Every weight is a number in every sample: those of the shapes that are drawn, and of the extra targets. */
interface TargetPlan {
  readonly shapeCount: number;
  readonly names: readonly string[];
  /** Least and largest weight in all samples; 0 where it is none. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly drafts: readonly Draft[];
  weightOf(sample: number, shape: number): number;
}

interface Draft {
  readonly group: number;
  /** Target → the shape that it draws, none of the offset: weight = w · unit + bias. */
  readonly used: readonly DrawnTarget[];
  /** What of a weight moves, once for both ways: how far 1 of it moves a vertex, world units, turns a normal, and changes the regions, as shares of them. */
  readonly effects: readonly Effect[];
  readonly moves: readonly SparseDeltas[];
  readonly parts: readonly PartTargets[];
}

/** @see BakedGroup.used */
type DrawnTarget = NonNullable<BakedGroup['used']>[number];
/** The shape of the offset. */
const OFFSET = -1;

interface Effect {
  readonly amount: number;
  readonly reach: number;
  readonly turn: number;
  readonly gains: ReadonlyMap<number, number>;
}

/**
 * The targets, for a share of the tolerance that thinned keys and extra targets may use.
 *
 * @param taught weights beyond the samples that the targets must be good for: least and largest of every shape.
 */
export async function bakeTargets(
  job: BakeJob,
  taught?: readonly (readonly [number, number])[],
): Promise<(share: number) => Promise<MorphBake>> {
  const { stack, samples, ranges } = job;
  const isExact = isShapesAlone(stack);
  let plan = planTargets(job, 1, taught);
  return async (share) => {
    if (share < 1 && !isExact) plan = planTargets(job, share, taught);
    const groups = plan.drafts.map((draft): BakedGroup => {
      const kept = ranges.map((range) => thinWeights(job, draft, range, share, plan));
      return {
        ...draft,
        names: draft.used.map(({ amount }) => (amount === OFFSET ? 'offset' : plan.names[amount]!)),
        active: draft.used.length,
        extra: draft.used.filter(({ amount }) => amount >= plan.shapeCount).length,
        keys: kept.map((keys) => writeKeys(job, draft, keys, plan)),
      };
    });
    const claimed = isExact
      ? Float64Array.from(samples.flatMap((_, n) => [...exactVolumes(job, n)]))
      : checkSamples(job, groups, planBakedSurface(job));
    return { groups, claimed };
  };
}

/** @param share of the tolerance that extra targets may leave. */
function planTargets(job: BakeJob, share: number, taught: readonly (readonly [number, number])[] = []): TargetPlan {
  const { stack, samples, source, drawn } = job;
  const extras = isShapesAlone(stack) ? [] : planExtras(job, drawn, share);
  const shapeCount = drawn?.shapes.shapeCount ?? 0;
  const weightOf = (n: number, a: number) =>
    a < shapeCount ? drawn!.weightOf(n, a) : extras[a - shapeCount]!.weights[n]!;
  const ranges = Array.from({ length: shapeCount + extras.length }, (_, a): readonly [number, number] => {
    let [low, high] = taught[a] ?? [0, 0];
    for (let n = 0; n < samples.length; n++) {
      const weight = weightOf(n, a);
      low = Math.min(low, weight);
      high = Math.max(high, weight);
    }
    return [low, high];
  });
  const pushes = [...source.morphs.keys()].map((group) => {
    const active = [...ranges.keys()].filter((a) => ranges[a]![0] < 0 || ranges[a]![1] > 0);
    const all = drawn
      ? [
          ...listPushes(
            job,
            drawn,
            group,
            active.filter((a) => a < shapeCount),
          ),
        ]
      : [];
    for (const a of active) if (extras[a - shapeCount]?.group === group) all.push([a, extras[a - shapeCount]!.vector]);
    return new Map(all.filter(([, vector]) => measureReach(vector) > 0));
  });
  const turn = createTurner(job, pushes);
  const gains = measureGains(job);
  const drafts = pushes.map((_, group) => encodeGroup(job, ranges, pushes, turn, gains, group));
  const names = [...(drawn?.names ?? []), ...extras.map((_: Extra, i) => `extra ${i + 1}`)];
  return { shapeCount, names, ranges, weightOf, drafts: drafts.filter(({ used }) => used.length > 0) };
}

/** Shape → region → share of the region's volume that weight 1 adds to it, to first order. */
function measureGains({ stack, drawn }: BakeJob): ReadonlyMap<number, number>[] {
  const { surface } = stack.character;
  const { volume } = stack;
  if (!drawn || !volume) return [];
  const areas = sumVertexAreas(surface);
  const { offsets, shapes, values, shapeCount } = drawn.shapes;
  const out = Array.from({ length: shapeCount }, () => new Map<number, number>());
  const { triangleRegion } = volume.regions;
  for (let k = 0; k < surface.vertexCount; k++) {
    const corner = surface.corners.values[surface.corners.offsets[k]!];
    const region = corner === undefined ? -1 : triangleRegion[Math.trunc(corner / 3)]!;
    const rest = volume.rest[region];
    if (!rest) continue;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const own = out[shapes[e]!]!;
      own.set(region, (own.get(region) ?? 0) + (areas[k]! * values[e]!) / Math.abs(rest));
    }
  }
  return out;
}

function encodeGroup(
  job: BakeJob,
  ranges: TargetPlan['ranges'],
  pushes: GroupPushes,
  turn: ReturnType<typeof createTurner>,
  gains: readonly ReadonlyMap<number, number>[],
  group: number,
): Draft {
  const { source, size, tolerance, compact } = job;
  const { character } = job.read;
  const scale = scaleOf(character, group);
  const parts = partsOf(character, group);
  const directions = listDirections(job, group);
  const used: Draft['used'][number][] = [];
  const effects: Effect[] = [];
  const moves: SparseDeltas[] = [];
  const targets: PartTargets[] = parts.map((part) => ({ part, targets: [] }));
  /** A target as it is stored; `exactly`: nothing of it is left out. */
  const store = (whole: Float64Array, turns: readonly Float64Array[], exactly = false): Stored => {
    // Integers hold up to 1: their scale goes into the weight.
    const unit = compact ? Math.max(measureReach(whole), ...turns.map(measureReach)) : 1;
    const fine = (error: number) => (compact ? error : 0);
    const quiet = exactly ? 0 : Math.min((SHARE.quiet * tolerance * size) / scale, FRINGE * measureReach(whole));
    const rounding = Math.min(fine((SHARE.rounding * tolerance * size) / scale), FINEST * measureReach(whole));
    const position = quantiseDeltas(whole, unit, fine(rounding), quiet);
    const turning = turns.map((list) => quantiseDeltas(list, unit, fine(NORMAL.tolerance), exactly ? 0 : NORMAL.quiet));
    for (const { part, targets: list } of targets) {
      const find = (semantic: 'NORMAL' | 'TANGENT') => {
        const d = directions.findIndex((one) => one.part === part && one.semantic === semantic);
        return d < 0 ? undefined : turning[d];
      };
      const gathered = gather(position, source.partPoints[part]!, source.groupOffsets[group]!);
      list.push({ position: gathered, normal: find('NORMAL'), tangent: find('TANGENT') });
    }
    moves.push(pickDeltas(readDeltas(position), 3 * source.groupOffsets[group]!));
    return { unit, position: readDeltas(position), turns: turning.map(readDeltas) };
  };
  // The offset is made of what is stored: at w = 0 it and the others cancel.
  const offset = {
    vector: new Float64Array(3 * (source.groupOffsets[group + 1]! - source.groupOffsets[group]!)),
    turned: directions.map(({ points }) => new Float64Array(3 * points.length)),
    isUsed: false,
  };
  for (const [amount, vector] of pushes[group]!) {
    const [low, high] = ranges[amount]!;
    const reach = measureReach(vector) * scale;
    const isSeen = (most: number) => most * reach > UNUSED_PUSH * size;
    const [least, most] = [isSeen(-low) ? low : 0, isSeen(high) ? high : 0];
    const span = most - least || 0;
    if (span === 0) continue;
    const turned = turn(amount, directions);
    const turning = Math.max(0, ...turned.map(measureReach));
    effects.push({ amount, reach: Math.sqrt(3) * reach, turn: turning, gains: gains[amount] ?? new Map() });
    const isBoth = least < 0 && most > 0;
    const factor = isBoth ? span : least < 0 ? least : most;
    const stored = store(
      vector.map((value) => factor * value),
      turned.map((list) => list.map((value) => factor * value)),
    );
    const unit = stored.unit / factor;
    used.push({ amount, unit, bias: isBoth ? -least * unit : 0 });
    if (isBoth) addTo(offset, stored, least / factor);
  }
  if (offset.isUsed) used.push({ amount: OFFSET, unit: 0, bias: store(offset.vector, offset.turned, true).unit });
  return { group, used, effects, moves, parts: targets };
}

interface Stored {
  readonly unit: number;
  readonly position: ArrayLike<number>;
  readonly turns: readonly ArrayLike<number>[];
}

function addTo(
  offset: { readonly vector: Float64Array; readonly turned: readonly Float64Array[]; isUsed: boolean },
  { unit, position, turns }: Stored,
  factor: number,
): void {
  offset.isUsed = true;
  const add = (to: Float64Array, from: ArrayLike<number>) => {
    for (let i = 0; i < to.length; i++) to[i]! += factor * unit * from[i]!;
  };
  add(offset.vector, position);
  turns.forEach((list, d) => void add(offset.turned[d]!, list));
}

function gather(values: DeltaArray, points: Uint32Array, first: number): DeltaArray {
  const out = new (values.constructor as Int8ArrayConstructor)(3 * points.length);
  points.forEach((u, v) => {
    for (let r = 0; r < 3; r++) out[3 * v + r] = values[3 * (u - first) + r]!;
  });
  return out;
}

/** Samples of a clip that become keys of a group's weights: as few as the positions, normals and volumes allow; none where nothing moves. */
function thinWeights(
  { samples, tolerance, size, stack }: BakeJob,
  { effects }: Draft,
  [first, end]: SampleRange,
  share: number,
  { shapeCount, weightOf }: TargetPlan,
): number[] {
  const isStill = !effects.some(({ amount }) => {
    for (let n = first; n < end; n++) if (weightOf(n, amount) !== 0) return true;
    return false;
  });
  if (end === first || isStill) return [];
  const times = samples.slice(first, end).map(({ time }) => time);
  const limits = {
    position: share * SHARE.thin * tolerance * size,
    volume: share * SHARE.volume * tolerance,
    total: share * SHARE.total * tolerance,
  };
  const rest = stack.volume?.rest ?? new Float64Array(0);
  const whole = rest.reduce((sum, volume) => sum + Math.abs(volume), 0);
  const lost = new Float64Array(rest.length);
  const keys = thinKeys(times, (a, b, m, u) => {
    let [moved, most, total] = [0, 0, 0];
    lost.fill(0);
    for (const { amount, reach, turn, gains } of effects) {
      const at = weightOf(first + a, amount);
      const change = at + u * (weightOf(first + b, amount) - at) - weightOf(first + m, amount);
      if (Math.abs(change) * turn > NORMAL.keys) return false;
      for (const [region, gain] of gains) lost[region]! += gain * change;
      // Shapes stand side by side, extra targets everywhere.
      const push = Math.abs(change) * reach;
      if (amount < shapeCount) most = Math.max(most, push);
      else moved += push;
    }
    for (let r = 0; r < lost.length; r++) {
      if (Math.abs(lost[r]!) > limits.volume) return false;
      total += lost[r]! * rest[r]!;
    }
    return moved + most <= limits.position && Math.abs(total) <= limits.total * whole;
  });
  return keys.map((key) => first + key);
}

/** Weights on a grid as fine as f32 is at 1: what is noise beside the largest is 0, on every engine. */
function writeKeys(
  { samples }: BakeJob,
  { used }: Draft,
  keys: readonly number[],
  { weightOf }: TargetPlan,
): WeightKeys {
  const count = used.length;
  if (keys.length === 0) return { times: Float32Array.of(0), values: new Float32Array(count) };
  const values = new Float32Array(keys.length * count);
  keys.forEach((n, i) => {
    used.forEach(({ amount, unit, bias }, k) => {
      const weight = amount === OFFSET ? bias : Math.max(0, weightOf(n, amount) * unit + bias);
      values[i * count + k] = Math.round(weight * GRID) / GRID;
    });
  });
  return { times: Float32Array.from(keys, (n) => samples[n]!.time), values };
}
const GRID = 2 ** 23;
