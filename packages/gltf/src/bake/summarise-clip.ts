/** Volumes over a clip as skinned, as corrected and as baked; and, for a report, its regions and its worst pose. */
import { createPose, samplePose } from '@isoskin/core';
import { measureRegionError } from '@isoskin/core/mesh';
import { type Flesh, type FleshFigures, planFlesh } from '@isoskin/core/quality';
import type { BakeJob } from './bake-job.js';
import type { BakedCheck } from './check-samples.js';

/** As plain skinning gives it, and as the file does. */
interface Both<T> {
  readonly skinned: T;
  readonly baked: T;
}

/** Volumes over one clip, at every sample, world units: `corrected` as the stack gives them, `baked` as the file does. */
export interface BakedClip
  extends Readonly<Record<'times' | 'target' | 'skinned' | 'corrected' | 'baked', readonly number[]>> {
  readonly name: string;
  readonly duration: number;
  /** Empty unless details were asked for. */
  readonly regions: readonly BakedRegion[];
  readonly components: readonly BakedRegion[];
  /** Largest relative change, signed. */
  readonly worst: Both<number> & { readonly time: number };
  /** Largest position error relative to the diagonal of the box. */
  readonly positionError: number;
  /** The surface where plain skinning is worst, if details were asked for. */
  readonly pose?: BakedPose;
}

/** Welded positions, #V×3, and where the flesh is in them (Q9, Q10). */
export interface BakedPose extends Both<Float64Array> {
  readonly time: number;
  readonly flesh?: Both<FleshFigures>;
}

/** Relative changes of one region or component. */
export interface BakedRegion {
  readonly name: string;
  readonly rest: number;
  readonly skinned: readonly number[];
  readonly corrected: readonly number[];
  readonly baked?: readonly number[];
}

export function summariseClip(job: BakeJob, c: number, check: BakedCheck, details: Details | undefined): BakedClip {
  const { stack, samples, layout, meter, size } = job;
  const { measures } = job.block;
  const { character } = stack;
  const clip = character.clips[c]!;
  const [first, end] = job.ranges[c]!;
  const count = character.surface.components.length;
  const list = Array.from({ length: end - first }, (_, i) => first + i);
  const pick = (at: number) => list.map((n) => measures[n * layout.stride + at]!);
  const target = pick(layout.target);
  const skinned = pick(layout.skinned);
  const baked = list.map((n) => check.volumes.subarray(n * count, (n + 1) * count).reduce((sum, v) => sum + v, 0));
  const change = (volumes: readonly number[]) => volumes.map((v, i) => (target[i] === 0 ? 0 : v / target[i]! - 1));
  const [worstSkinned, worstBaked] = [largest(change(skinned)), largest(change(baked))];
  const layer = stack.volume;
  const regions = (details ? (layer?.regions.names ?? []) : []).map((name, s): BakedRegion => {
    const goal = pick(layout.regionTargets + s);
    const relative = (volumes: readonly number[]) =>
      volumes.map((v, i) => measureRegionError(v, goal[i]!, meter.componentOfRegion[s]!));
    return {
      name,
      rest: layer!.rest[s]!,
      skinned: relative(pick(layout.skinnedRegions + s)),
      corrected: relative(pick(layout.correctedRegions + s)),
      ...(details && { baked: relative(list.map((n) => details.regions[n * meter.regions.count + s]!)) }),
    };
  });
  const components = character.surface.components.map(({ name, volume }, k): BakedRegion => {
    const exact = pick(layout.correctedComponents + k);
    const relative = (volumes: readonly number[]) => volumes.map((v, i) => (exact[i] === 0 ? 0 : v / exact[i]! - 1));
    return {
      name,
      rest: volume,
      skinned: relative(pick(layout.skinnedComponents + k)),
      corrected: exact.map(() => 0),
      baked: relative(list.map((n) => check.volumes[n * count + k]!)),
    };
  });
  return {
    name: clip.name,
    duration: clip.duration,
    times: list.map((n) => samples[n]!.time),
    target,
    skinned,
    corrected: pick(layout.corrected),
    baked,
    regions,
    components,
    worst: {
      skinned: worstSkinned.value,
      baked: worstBaked.value,
      time: samples[first + worstSkinned.index]?.time ?? 0,
    },
    ...(details && { pose: describePose(job, details, c, target[worstSkinned.index]) }),
    positionError: list.reduce((most, n) => Math.max(most, check.errors[n]!), 0) / size,
  };
}

function describePose({ stack: { character } }: BakeJob, { poses, flesh }: Details, c: number, target = 0): BakedPose {
  const pose = poses[c]!;
  const rest = character.surface.components.reduce((sum, { volume }) => sum + volume, 0);
  const measure = (positions: Float64Array) => flesh.measure(positions, target / rest || 1);
  return { ...pose, flesh: { skinned: measure(pose.skinned), baked: measure(pose.baked) } };
}

/** What is measured beside, for a report. */
export interface Details {
  /** Volumes of the regions in the file, #samples×#regions. */
  readonly regions: Float64Array;
  /** Clip → its worst pose. */
  readonly poses: BakedPose[];
  /** Called right after the meter has measured the played surface. */
  readonly onSample: (sample: number, positions: Float64Array) => void;
  readonly flesh: Flesh;
}

export function planDetails({ stack, ranges, samples, block: { measures }, layout, meter }: BakeJob): Details {
  const { character } = stack;
  const { count } = meter.regions;
  const regions = new Float64Array(samples.length * count);
  const pose = createPose(character);
  const worst = new Map<number, BakedPose>();
  const poses = ranges.map(([first, end], c): BakedPose => {
    const changes = Array.from({ length: end - first }, (_, i) => {
      const at = (first + i) * layout.stride;
      return measures[at + layout.skinned]! / (measures[at + layout.target]! || 1) - 1;
    });
    const n = first + largest(changes).index;
    const time = samples[n]?.time ?? 0;
    samplePose(pose, character, character.clips[c], time);
    const skinned = stack.evaluate(pose, time, 0).skinned.slice();
    const kept = { time, skinned, baked: skinned.slice() };
    if (end > first) worst.set(n, kept);
    return kept;
  });
  return {
    regions,
    poses,
    flesh: planFlesh(character),
    onSample(n, positions) {
      regions.set(meter.regionVolumes, n * count);
      worst.get(n)?.baked.set(positions);
    },
  };
}

function largest(changes: readonly number[]): { value: number; index: number } {
  let index = 0;
  // NaN is the largest of all.
  for (let i = 1; i < changes.length && !Number.isNaN(changes[index]); i++) {
    if (!(Math.abs(changes[i]!) <= Math.abs(changes[index]!))) index = i;
  }
  return { value: changes[index] ?? 0, index };
}
