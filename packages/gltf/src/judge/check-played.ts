/** What the written bytes show at every sample: volumes of components and regions, and the distance to the exact surface. */
import { measureRegionError } from '@isoskin/core/mesh';
import type { BakeJob } from '../bake/bake-job.js';
import type { BakedCheck } from '../bake/check-samples.js';
import { type BakedSurface, planBakedSurface } from '../bake/plan-baked-surface.js';
import type { Playback } from './plan-playback.js';

/** Largest relative change of a region in the samples of a clip. */
export interface WorstRegion {
  readonly name: string;
  readonly clip: string;
  readonly time: number;
  readonly change: number;
}

export interface PlayedCheck extends BakedCheck {
  /** What the rounding of f32 may do to the volume of every sample: it grows with the distance from the origin. */
  readonly rounding: Float64Array;
  /** Every region of every clip where it is worst as skinned, and as the file plays. */
  readonly regions: readonly JudgedRegion[];
}

export interface JudgedRegion {
  readonly skinned: WorstRegion;
  readonly baked: WorstRegion;
}

const F32_EPSILON = 2 ** -23;

/** @param world corrections are in world units (a cache), else in units of POSITION */
export function checkPlayed(
  job: BakeJob,
  playback: Playback,
  world: boolean,
  onSample?: (sample: number, positions: Float64Array) => void,
): PlayedCheck {
  const { samples, meter, layout, block } = job;
  const { character } = job.stack;
  const surface = planBakedSurface(job);
  const components = character.surface.components.length;
  const volumes = new Float64Array(samples.length * components);
  const errors = new Float64Array(samples.length);
  const rounding = new Float64Array(samples.length);
  const judged = new Map<string, { skinned: WorstRegion; baked: WorstRegion }>();
  const judgeRegions = (kind: 'skinned' | 'baked', n: number): void => {
    meter.measure(surface.positions);
    const from = n * layout.stride + layout.regionTargets;
    const { clip, time } = samples[n]!;
    for (let s = 0; s < meter.regions.count; s++) {
      const goal = block.measures[from + s]!;
      const change = measureRegionError(meter.regionVolumes[s]!, goal, meter.componentOfRegion[s]!);
      const worst = { name: meter.regions.names[s] ?? `${s}`, clip: character.clips[clip]!.name, time, change };
      const key = `${clip} ${s}`;
      const own = judged.get(key) ?? { skinned: { ...worst, change: 0 }, baked: { ...worst, change: 0 } };
      judged.set(key, own);
      if (isWorse(worst, own[kind])) own[kind] = worst;
    }
  };
  samples.forEach((sample, n) => {
    if (sample.clip < 0) return;
    surface.pose(sample);
    surface.gather(surface.skinned);
    judgeRegions('skinned', n);
    const points = playback.pose(sample);
    errors[n] = measureDistance(points, surface, job.rowOf(n), world);
    rounding[n] = measureRounding(points);
    surface.gather(points);
    surface.measure();
    volumes.set(surface.volumes, n * components);
    judgeRegions('baked', n);
    onSample?.(n, surface.positions);
  });
  return { volumes, errors, rounding, regions: [...judged.values()] };
}

/** NaN is worse than anything. */
function isWorse(a: WorstRegion, b: WorstRegion): boolean {
  return !Number.isNaN(b.change) && !(Math.abs(a.change) <= Math.abs(b.change));
}

/** What changes most as skinned and what does as the file plays: of all, they may be two regions. */
export function findWorstRegion(regions: readonly JudgedRegion[]): JudgedRegion | undefined {
  return regions.reduce<JudgedRegion | undefined>(
    (worst, one) =>
      worst
        ? {
            skinned: isWorse(one.skinned, worst.skinned) ? one.skinned : worst.skinned,
            baked: isWorse(one.baked, worst.baked) ? one.baked : worst.baked,
          }
        : one,
    undefined,
  );
}

/** Regions that the file plays worse than plain skinning does, by more than the tolerance, each in its clip; the worst of them first. */
export function findWorseRegions(regions: readonly JudgedRegion[], tolerance: number): JudgedRegion[] {
  const excess = ({ skinned, baked }: JudgedRegion) => {
    const more = Math.abs(baked.change) - Math.abs(skinned.change);
    return Number.isNaN(more) ? Number.POSITIVE_INFINITY : more;
  };
  return regions.filter((one) => excess(one) > tolerance).sort((a, b) => (excess(a) < excess(b) ? 1 : -1));
}

/** 4 ε × largest coordinate × extent². */
function measureRounding(points: Float64Array): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of points) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return 4 * F32_EPSILON * Math.max(Math.abs(low), Math.abs(high)) * (high - low) ** 2;
}

/** Largest distance between played points and skinned ones with their correction. */
function measureDistance(
  points: Float64Array,
  { skinned, blends }: BakedSurface,
  row: Float32Array,
  world: boolean,
): number {
  let largest = 0;
  for (let i = 0, b = 0; i < points.length; i += 3, b += 9) {
    let square = 0;
    for (let r = 0; r < 3; r++) {
      const moved = world
        ? row[i + r]!
        : blends[b + r]! * row[i]! + blends[b + 3 + r]! * row[i + 1]! + blends[b + 6 + r]! * row[i + 2]!;
      square += (points[i + r]! - skinned[i + r]! - moved) ** 2;
    }
    if (!(square <= largest)) largest = square;
  }
  return Math.sqrt(largest);
}
