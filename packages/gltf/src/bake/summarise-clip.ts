/** Volumes over a clip as skinned, as corrected and as baked; and, for a report, its regions and its worst pose. */
import { createFrameSource, createPose, planBody, samplePose } from '@isoskin/core';
import { measureBox, measureRegionError } from '@isoskin/core/mesh';
import { type Flesh, type FleshFigures, planFlesh } from '@isoskin/core/quality';
import type { PlayedCheck } from '../judge/check-played.js';
import type { BakeJob } from './bake-job.js';

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
  /** The surface where a region of plain skinning is worst, if details were asked for. */
  readonly pose?: BakedPose;
  /** Frames over the clip, for the clips that plain skinning spoils most. */
  readonly film?: BakedFilm;
}

/** Welded positions at moments of a clip, #V×3 each, and the bones there, #B×12 each. */
export interface BakedFilm extends Both<readonly Float32Array[]> {
  readonly times: readonly number[];
  readonly bones: readonly Float32Array[];
}

/** Welded positions, #V×3, and where the flesh is in them (Q9, Q10). */
export interface BakedPose extends Both<Float64Array> {
  readonly time: number;
  /** The region that is worst there, and the box around it: min x, y, z, max x, y, z. */
  readonly region?: string;
  readonly focus?: readonly number[];
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

export function summariseClip(job: BakeJob, c: number, check: PlayedCheck, details: Details | undefined): BakedClip {
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
    ...(details && { pose: describePose(job, details, c) }),
    ...(details?.films.has(c) && { film: details.films.get(c)! }),
    positionError: list.reduce((most, n) => Math.max(most, check.errors[n]!), 0) / size,
  };
}

function describePose(job: BakeJob, { poses, flesh }: Details, c: number): BakedPose {
  const { character } = job.stack;
  const { sample, ...pose } = poses[c]!;
  const target = job.block.measures[sample * job.layout.stride + job.layout.target] ?? 0;
  const rest = character.surface.components.reduce((sum, { volume }) => sum + volume, 0);
  const measure = (positions: Float64Array) => flesh.measure(positions, target / rest || 1);
  return { ...pose, flesh: { skinned: measure(pose.skinned), baked: measure(pose.baked) } };
}

/** What is measured beside, for a report. */
export interface Details {
  /** Volumes of the regions in the file, #samples×#regions. */
  readonly regions: Float64Array;
  /** Clip → its worst pose, and the sample that it is. */
  readonly poses: readonly (BakedPose & { readonly sample: number })[];
  /** Clip → its frames. */
  readonly films: ReadonlyMap<number, BakedFilm>;
  /** Sample → where its played surface goes. */
  readonly kept: ReadonlyMap<number, readonly { set(positions: Float64Array): void }[]>;
  readonly flesh: Flesh;
}

/** Clips that get a film, and how many numbers all of them may hold. */
const FILMED = 4;
const FILM_NUMBERS = 8e6;
const MOST_FRAMES = 49;
/** A region that holds less of the body is not what a picture is about. */
const SEEN = 0.003;

export function planDetails(job: BakeJob): Details {
  const { stack, ranges, samples, meter } = job;
  const { character } = stack;
  const { count } = meter.regions;
  const regions = new Float64Array(samples.length * count);
  const pose = createPose(character);
  const { skin } = stack.spec;
  const plain = createFrameSource(planBody(character), skin ? { skin } : {});
  const kept = new Map<number, { set(positions: Float64Array): void }[]>();
  const keep = (n: number, into: { set(positions: Float64Array): void }) => kept.set(n, [...(kept.get(n) ?? []), into]);
  const frameAt = (n: number, c: number) => {
    const time = samples[n]?.time ?? 0;
    samplePose(pose, character, character.clips[c], time);
    return plain.evaluate(pose, time, 0);
  };
  const worst = ranges.map(([first, end]) => findWorst(job, first, end));
  const poses = ranges.map(([first, end], c) => {
    const { sample, region } = worst[c]!;
    const skinned = frameAt(sample, c).skinned.slice();
    const baked = skinned.slice();
    if (end > first) keep(sample, baked);
    const focus = region < 0 ? {} : { region: meter.regions.names[region]!, focus: measureFocus(job, region, skinned) };
    return { time: samples[sample]?.time ?? 0, sample, skinned, baked, ...focus };
  });
  const films = new Map<number, BakedFilm>();
  const ranked = [...ranges.keys()].filter((c) => ranges[c]![1] - ranges[c]![0] > 1);
  ranked.sort((a, b) => worst[b]!.change - worst[a]!.change);
  const filmed = ranked.slice(0, FILMED);
  const most = Math.floor(FILM_NUMBERS / (6 * character.surface.vertexCount * filmed.length));
  for (const c of most < 2 ? [] : filmed) {
    const [first, end] = ranges[c]!;
    const frames = Math.min(most, MOST_FRAMES, end - first);
    const list = Array.from({ length: frames }, (_, i) => first + Math.round((i * (end - first - 1)) / (frames - 1)));
    // The worst moment is one of them.
    const nearest = list.reduce((a, b) => (Math.abs(b - worst[c]!.sample) < Math.abs(a - worst[c]!.sample) ? b : a));
    list[list.indexOf(nearest)] = worst[c]!.sample;
    const shown = list.map((n) => {
      const frame = frameAt(n, c);
      return { skinned: Float32Array.from(frame.skinned), bones: Float32Array.from(frame.bones) };
    });
    const baked = shown.map(({ skinned }) => skinned.slice());
    list.forEach((n, i) => void keep(n, baked[i]!));
    films.set(c, {
      times: list.map((n) => samples[n]!.time),
      bones: shown.map(({ bones }) => bones),
      skinned: shown.map(({ skinned }) => skinned),
      baked,
    });
  }
  return {
    regions,
    poses,
    films,
    flesh: planFlesh(character),
    kept,
  };
}

/** The sample in which plain skinning spoils a region most, and that region (−1 without regions: the whole). */
function findWorst({ samples, block: { measures }, layout, meter }: BakeJob, first: number, end: number) {
  const worst = { sample: Math.min(first, Math.max(0, samples.length - 1)), region: -1, change: -1 };
  const least = SEEN * Math.abs(meter.rest);
  for (let n = first; n < end; n++) {
    const at = n * layout.stride;
    const judge = (region: number, change: number): void => {
      if (Math.abs(change) > worst.change) Object.assign(worst, { sample: n, region, change: Math.abs(change) });
    };
    if (meter.regions.count === 0) judge(-1, measures[at + layout.skinned]! / (measures[at + layout.target]! || 1) - 1);
    for (let s = 0; s < meter.regions.count; s++) {
      if (Math.abs(meter.restRegions[s]!) < least) continue;
      const [volume, goal] = [measures[at + layout.skinnedRegions + s]!, measures[at + layout.regionTargets + s]!];
      judge(s, measureRegionError(volume, goal, meter.componentOfRegion[s]!));
    }
  }
  return worst;
}

/** The box around a region's vertices. */
function measureFocus({ stack, meter }: BakeJob, region: number, positions: Float64Array): number[] {
  const { triangles } = stack.character.surface;
  const points: number[] = [];
  for (let c = 0; c < triangles.length; c++) {
    if (meter.regions.triangleRegion[(c / 3) | 0] !== region) continue;
    for (let r = 0; r < 3; r++) points.push(positions[3 * triangles[c]! + r]!);
  }
  return measureBox(points);
}

function largest(changes: readonly number[]): { value: number; index: number } {
  let index = 0;
  // NaN is the largest of all.
  for (let i = 1; i < changes.length && !Number.isNaN(changes[index]); i++) {
    if (!(Math.abs(changes[i]!) <= Math.abs(changes[index]!))) index = i;
  }
  return { value: changes[index] ?? 0, index };
}
