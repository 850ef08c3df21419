/**
 * Corrections of all samples → a few morph targets and animated weights per group, within a tolerance that is checked by
 * really evaluating what the file will hold.
 */
import type { Character, Stack } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { type BakedSurface, planBakedSurface } from './baked-surface.js';
import type { FrameBlock, MeasureLayout } from './bake-frames.js';
import { createNormalFit } from './fit-normals.js';
import { activeAt, addTargets, type GroupTargets } from './group-targets.js';
import type { Sample } from './list-samples.js';
import type { SourceSkin } from './plan-source-skin.js';
import { planRegionProbe } from './probe-regions.js';
import { planTargets } from './plan-targets.js';
import { planPolish, type PolishedSample, type PolishOptions } from './polish-weights.js';
import { type DeltaArray, measureReach, quantiseDeltas, readDeltas } from './quantise-targets.js';
import { listDirections, type PartDirections } from './list-directions.js';
import { thinKeys } from './thin-keys.js';
import type { BakedGroup, PartTargets, WeightKeys } from './baked-group.js';

export interface MorphOptions {
  /** Largest position error, world units, and largest relative volume error. */
  readonly position: number;
  readonly volume: number;
  readonly maxTargets: number;
  readonly quantise: boolean;
  /** Samples of each clip: first and one after the last. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Called with the welded positions (#V×3) of every sample as the file gives them. */
  readonly onSample?: ((sample: number, positions: Float64Array) => void) | undefined;
}

/** What is left of the tolerance for each step. */
const SHARE = { basis: 0.7, quantise: 0.1, thin: 0.2, quiet: 0.03 };
/** Largest direction error of quantised normals, and change that is not stored (about ½° and ¼°). */
const NORMAL = { tolerance: 0.008, quiet: 0.004 };
const NORMAL_FRAMES = 40;

export interface MorphBake {
  readonly groups: readonly BakedGroup[];
  /** Clip → samples: volumes as the file gives them, and the largest position error (world units). */
  readonly check: BakedCheck;
}

export interface BakedCheck {
  /** Volume of every component, #samples×#components. */
  readonly volumes: Float64Array;
  /** Largest distance to the exact correction, world units, #samples. */
  readonly errors: Float64Array;
}

export function bakeMorphs(
  read: ReadResult,
  stack: Stack,
  source: SourceSkin,
  samples: readonly Sample[],
  block: FrameBlock,
  layout: MeasureLayout,
  options: MorphOptions,
): MorphBake {
  const { character } = read;
  const width = 3 * source.pointCount;
  const rows = samples.map((_, n) => block.deltas.subarray(n * width, (n + 1) * width));
  const surface = planBakedSurface(character, source);
  const volumesOf = (n: number) => {
    const from = n * layout.stride + layout.correctedComponents;
    return block.measures.subarray(from, from + character.surface.components.length);
  };
  const polishOptions = { position: 0.1 * options.position, component: options.volume / 20, total: options.volume / 100 };
  const drafts = chooseTargets(stack, source, samples, rows, surface, volumesOf, polishOptions, options);
  const groups = finishGroups(read, source, samples, rows, surface, drafts, options);
  const polish = planPolish(character, source, groups, surface);
  const pose = (n: number) => surface.pose(samples[n]!);
  const polished = options.ranges.flatMap((range) =>
    polish.polishRange(range, rows, pose, volumesOf, { ...polishOptions, steps: 2 }),
  );
  let check: BakedCheck | undefined;
  for (const share of [1, 0.3, 0]) {
    for (const [g, group] of groups.entries()) {
      group.keys = options.ranges.map((range) => thinGroup(group, g, range, samples, polished, character, share, options));
    }
    check = checkSamples(character, source, groups, samples, rows, surface, options.onSample);
    if (!samples.some((_, n) => isOff(character, check!.volumes, n, volumesOf(n), options.volume))) break;
  }
  return { groups, check: check! };
}

/** Samples of a clip that a choice of targets is tried on. */
const PROBES = 16;

function chooseTargets(
  stack: Stack,
  source: SourceSkin,
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  volumesOf: (n: number) => Float64Array,
  polishOptions: Omit<PolishOptions, 'steps'>,
  options: MorphOptions,
): GroupTargets[] {
  const { character } = stack;
  const regions = planRegionProbe(stack, surface, options.volume);
  const groups = Array.from({ length: source.groupOffsets.length - 1 }, (_, g) => g);
  const range = (g: number) => [3 * source.groupOffsets[g]!, 3 * source.groupOffsets[g + 1]!] as const;
  const own = groups.map((g) => rows.map((row) => row.subarray(...range(g))));
  return planTargets(own, {
    limit: options.maxTargets,
    ranges: options.ranges,
    tolerances: groups.map((g) => (SHARE.basis * options.position) / scaleOf(character, g)),
    still: groups.map((g) => (1e-4 * options.position) / scaleOf(character, g)),
    probe(targets, clip) {
      const failing: { group: number; sample: number }[] = [];
      const polish = planPolish(character, source, targets, surface);
      const [first, end] = options.ranges[clip]!;
      const step = Math.max(1, (end - first) / PROBES);
      for (let at = first; Math.floor(at) < end; at += step) {
        const n = Math.floor(at);
        surface.pose(samples[n]!);
        regions.prepare(n, rows[n]!);
        const { weights } = polish.polish(n, rows[n]!, volumesOf(n), { ...polishOptions, steps: 2 });
        surface.offsets.fill(0);
        targets.forEach((target, g) => addTargets(surface.offsets, range(target.group)[0], target, weights[g]!));
        surface.place();
        surface.measure();
        const off = regions.listOff(n);
        for (const g of groups) {
          const isPoor =
            off.has(g) ||
            measureError(rows[n]!, surface, ...range(g)) > 0.9 * options.position ||
            isGroupOff(character, g, surface.volumes, volumesOf(n), options.volume / 3);
          if (isPoor) failing.push({ group: g, sample: n });
        }
      }
      return failing;
    },
  });
}

function scaleOf({ parts }: Character, group: number): number {
  return Math.abs(parts.find((part) => part.group === group)!.scale);
}

function finishGroups(
  read: ReadResult,
  source: SourceSkin,
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  chosen: readonly GroupTargets[],
  options: MorphOptions,
): BakedGroup[] {
  const { character } = read;
  const drafts = chosen.map((plan) => {
    const { group } = plan;
    const polish = planPolish(character, source, [plan], surface);
    const weights = rows.map((row, n) => polish.project(n, row)[0]!);
    const directions = listDirections(read, source, group);
    const fit = createNormalFit(character.surface, source.welded, directions, plan.vectors.length);
    return { group, scale: scaleOf(character, group), plan, weights, directions, fit };
  });
  fitDirections(drafts, samples, rows, surface, source, options);
  return drafts.map(({ group, scale, plan, weights, directions, fit }) => {
    const solved = fit.solve();
    const parts = listParts(read, group);
    const first = source.groupOffsets[group]!;
    const points: DeltaArray[] = [];
    const targets: PartTargets[] = parts.map((part) => ({ part, targets: [] }));
    plan.vectors.forEach((vector, k) => {
      const largest = weights.reduce((most, w) => Math.max(most, Math.abs(w[k]!)), 0) || 1;
      const deltas = directions.map((_, d) => solved[d]![k]!);
      const unit = options.quantise ? Math.max(measureReach(vector), ...deltas.map(measureReach)) : 1 / largest;
      const active = Math.sqrt(Math.max(1, ...plan.spans.map(({ active }) => (active.includes(k) ? active.length : 0))));
      const fine = (tolerance: number) => (options.quantise ? tolerance / (largest * active) : 0);
      const quiet = (SHARE.quiet * options.position) / (scale * largest);
      const position = quantiseDeltas(vector, unit, fine((SHARE.quantise * options.position) / scale), quiet);
      points.push(position);
      targets.forEach(({ part, targets: list }) => {
        const index = source.partPoints[part]!;
        const gathered = new (position.constructor as Int8ArrayConstructor)(3 * index.length);
        index.forEach((u, v) => {
          for (let i = 0; i < 3; i++) gathered[3 * v + i] = position[3 * (u - first) + i]!;
        });
        const direction = (semantic: PartDirections['semantic']) => {
          const d = directions.findIndex((one) => one.part === part && one.semantic === semantic);
          if (d < 0) return undefined;
          return quantiseDeltas(deltas[d]!, unit, fine(NORMAL.tolerance), NORMAL.quiet / largest);
        };
        list.push({ position: gathered, normal: direction('NORMAL'), tangent: direction('TANGENT') });
      });
    });
    return {
      group,
      count: points.length,
      active: Math.max(...plan.spans.map(({ active }) => active.length)),
      spans: plan.spans,
      vectors: points.map(readDeltas),
      parts: targets,
      keys: [],
    };
  });
}

function listParts({ character }: ReadResult, group: number): number[] {
  return [...character.parts.keys()].filter((p) => character.parts[p]!.group === group);
}

type Draft = { weights: readonly Float64Array[]; plan: GroupTargets; fit: ReturnType<typeof createNormalFit>; directions: readonly PartDirections[] };

/** Evenly spread samples of every clip, skinned and corrected, go into the fits of all groups. */
function fitDirections(
  drafts: readonly Draft[],
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  source: SourceSkin,
  options: MorphOptions,
): void {
  if (drafts.every(({ directions }) => directions.length === 0)) return;
  const skinned = new Float64Array(surface.positions.length);
  for (const [first, end] of options.ranges) {
    const step = Math.max(1, (end - first) / NORMAL_FRAMES);
    for (let at = first; Math.floor(at) < end; at += step) {
      const n = Math.floor(at);
      const active = drafts.filter(({ plan }) => activeAt(plan, n).length > 0);
      if (active.length === 0) continue;
      surface.pose(samples[n]!);
      for (let v = 0; v < source.leaders.length; v++) {
        const u = source.leaders[v]!;
        for (let i = 0; i < 3; i++) skinned[3 * v + i] = surface.skinned[3 * u + i]!;
      }
      surface.offsets.set(rows[n]!);
      surface.place();
      for (const { fit, weights } of active) fit.add(weights[n]!, skinned, surface.positions, surface.blends);
    }
  }
}

function thinGroup(
  group: BakedGroup,
  g: number,
  [first, end]: readonly [number, number],
  samples: readonly Sample[],
  polished: readonly PolishedSample[],
  character: Character,
  share: number,
  options: MorphOptions,
): WeightKeys {
  const count = group.vectors.length;
  const spans = group.spans.filter((span) => span.first >= first && span.end <= end);
  if (spans.length === 0) return { times: Float32Array.of(0), values: new Float32Array(count) };
  const times = samples.slice(first, end).map(({ time }) => time);
  const weights = polished.slice(first, end).map((one) => one.weights[g]!);
  const slopes = polished.slice(first, end).map((one) => one.slopes[g]!);
  const reach = group.vectors.map((vector) => Math.sqrt(3) * measureReach(vector) * scaleOf(character, group.group));
  const limits = { position: share * SHARE.thin * options.position, volume: share * 0.3 * options.volume };
  const cuts = new Set(spans.filter((span) => span.end - span.first === 1).map((span) => span.first - first));
  const keys = thinKeys(times, cuts, (a, b, m, u) => {
    let moved = 0;
    for (let k = 0; k < count; k++) {
      const change = weights[a]![k]! + u * (weights[b]![k]! - weights[a]![k]!) - weights[m]![k]!;
      moved += Math.abs(change) * reach[k]!;
      difference[k] = change;
    }
    if (moved > limits.position) return false;
    const lines = slopes[m]!.length / count;
    for (let row = 0; row < lines; row++) {
      let volume = 0;
      for (let k = 0; k < count; k++) volume += slopes[m]![row * count + k]! * difference[k]!;
      if (Math.abs(volume) > limits.volume) return false;
    }
    return true;
  });
  const values = new Float32Array(keys.length * count);
  keys.forEach((key, i) => {
    values.set(weights[key]!, i * count);
  });
  return { times: Float32Array.from(keys, (key) => times[key]!), values };
}
const difference: number[] = [];

/** Plays every sample from the keys, as a viewer would, and measures it. */
export function checkSamples(
  character: Character,
  source: SourceSkin,
  groups: readonly BakedGroup[],
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  onSample?: (sample: number, positions: Float64Array) => void,
): BakedCheck {
  const components = character.surface.components.length;
  const volumes = new Float64Array(samples.length * components);
  const errors = new Float64Array(samples.length);
  samples.forEach((sample, n) => {
    surface.pose(sample);
    surface.offsets.fill(0);
    for (const group of groups) {
      const weights = sampleKeys(group.keys[sample.clip]!, group.vectors.length, Math.fround(sample.time));
      addTargets(surface.offsets, 3 * source.groupOffsets[group.group]!, group, weights);
    }
    surface.place();
    surface.measure();
    volumes.set(surface.volumes, n * components);
    errors[n] = measureError(rows[n]!, surface);
    onSample?.(n, surface.positions);
  });
  return { volumes, errors };
}

function measureError(row: Float32Array, { offsets, blends }: BakedSurface, from = 0, to = row.length): number {
  let largest = 0;
  for (let i = from, b = 3 * from; i < to; i += 3, b += 9) {
    const x = offsets[i]! - row[i]!;
    const y = offsets[i + 1]! - row[i + 1]!;
    const z = offsets[i + 2]! - row[i + 2]!;
    const ex = blends[b]! * x + blends[b + 3]! * y + blends[b + 6]! * z;
    const ey = blends[b + 1]! * x + blends[b + 4]! * y + blends[b + 7]! * z;
    const ez = blends[b + 2]! * x + blends[b + 5]! * y + blends[b + 8]! * z;
    const square = ex * ex + ey * ey + ez * ez;
    if (square > largest) largest = square;
  }
  return Math.sqrt(largest);
}

/** LINEAR interpolation of the keys, all targets. */
export function sampleKeys({ times, values }: WeightKeys, width: number, time: number): Float64Array {
  let i = 0;
  while (i + 2 < times.length && times[i + 1]! <= time) i++;
  const j = Math.min(i + 1, times.length - 1);
  const span = times[j]! - times[i]!;
  const u = span > 0 ? Math.min(1, Math.max(0, (time - times[i]!) / span)) : 0;
  return Float64Array.from({ length: width }, (_, k) => values[i * width + k]! + u * (values[j * width + k]! - values[i * width + k]!));
}

/** The volume of a group, or of a component with 1 % of it, is off by more than is promised (3× for a component). */
function isGroupOff({ surface }: Character, group: number, volumes: Float64Array, exact: Float64Array, limit: number): boolean {
  let sum = 0;
  let target = 0;
  surface.components.forEach((component, c) => {
    if (component.group !== group) return;
    sum += volumes[c]!;
    target += exact[c]!;
  });
  if (Math.abs(sum - target) > limit * Math.abs(target)) return true;
  return surface.components.some(({ solid, group: own }, c) => {
    if (own !== group || !solid || Math.abs(exact[c]!) < 0.01 * Math.abs(target)) return false;
    return Math.abs(volumes[c]! - exact[c]!) > 3 * limit * Math.abs(exact[c]!);
  });
}

function isOff(character: Character, volumes: Float64Array, n: number, exact: Float64Array, limit: number): boolean {
  const own = volumes.subarray(n * exact.length, (n + 1) * exact.length);
  const groups = new Set(character.surface.components.map(({ group }) => group));
  return [...groups].some((group) => isGroupOff(character, group, own, exact, limit));
}
