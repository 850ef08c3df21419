/** What the written bytes show at every sample: volumes of components and regions, and the distance to the exact surface. */
import { type FrameSource, measureVolumes, planClosedSurface, planVolumeMeter } from '@isoskin/core';
import type { BakedCheck } from '../bake/check-samples.js';
import type { FrameBlock, MeasureLayout } from '../bake/create-frame-baker.js';
import type { Sample } from '../bake/list-sample-times.js';
import type { BakedSurface } from '../bake/plan-baked-surface.js';
import type { SourceSkin } from '../bake/plan-source-skin.js';
import type { Playback } from './plan-playback.js';

/** Largest relative change of any region in any sample; those of less than 0.1 % of the body are measured against that. */
export interface WorstRegion {
  readonly name: string;
  readonly clip: string;
  readonly time: number;
  readonly change: number;
}

export interface PlayedCheck extends BakedCheck {
  /** What the rounding of f32 may do to the volume of every sample: it grows with the distance from the origin. */
  readonly rounding: Float64Array;
  /** The worst region as skinned, and as the file plays; undefined where there is none. */
  readonly regions: { readonly skinned: WorstRegion; readonly baked: WorstRegion } | undefined;
}

const SMALL_REGION = 1e-3;
const F32_EPSILON = 2 ** -23;

/** @param world corrections are in world units (a cache), else in units of POSITION */
export function checkPlayed(
  stack: FrameSource,
  source: SourceSkin,
  playback: Playback,
  samples: readonly Sample[],
  { deltas, measures }: FrameBlock,
  layout: MeasureLayout,
  surface: BakedSurface,
  world: boolean,
  onSample?: (sample: number, positions: Float64Array) => void,
): PlayedCheck {
  const { character } = stack;
  const { leaders, pointCount } = source;
  const components = character.surface.components.length;
  const closed = planClosedSurface(character.surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  const positions = extended.subarray(0, 3 * closed.vertexCount);
  const own = new Float64Array(components);
  const meter = planVolumeMeter(character, stack.volume);
  const volumes = new Float64Array(samples.length * components);
  const errors = new Float64Array(samples.length);
  const rounding = new Float64Array(samples.length);
  const worst: { skinned: WorstRegion | undefined; baked: WorstRegion | undefined } = {
    skinned: undefined,
    baked: undefined,
  };
  const gather = (points: Float64Array): void => {
    for (let v = 0; v < leaders.length; v++) {
      for (let r = 0; r < 3; r++) positions[3 * v + r] = points[3 * leaders[v]! + r]!;
    }
  };
  const judgeRegions = (kind: 'skinned' | 'baked', n: number): void => {
    meter.measure(positions);
    const from = n * layout.stride;
    const floor = SMALL_REGION * Math.abs(measures[from + layout.target]!);
    for (let s = 0; s < meter.regions.count; s++) {
      const goal = measures[from + layout.regionTargets + s]!;
      const change = (meter.regionVolumes[s]! - goal) / (Math.max(Math.abs(goal), floor) || 1);
      // NaN is worse than anything.
      if (Math.abs(change) <= Math.abs(worst[kind]?.change ?? 0)) continue;
      const { clip, time } = samples[n]!;
      worst[kind] = { name: meter.regions.names[s] ?? `${s}`, clip: character.clips[clip]!.name, time, change };
    }
  };
  samples.forEach((sample, n) => {
    if (sample.clip < 0) return;
    surface.pose(sample);
    gather(surface.skinned);
    judgeRegions('skinned', n);
    const points = playback.pose(sample);
    const row = deltas.subarray(3 * pointCount * n, 3 * pointCount * (n + 1));
    errors[n] = measureDistance(points, surface, row, world);
    rounding[n] = measureRounding(points);
    gather(points);
    measureVolumes(own, closed, extended);
    volumes.set(own, n * components);
    judgeRegions('baked', n);
    onSample?.(n, positions);
  });
  const still = { name: '', clip: '', time: 0, change: 0 };
  const regions = worst.skinned || worst.baked;
  return {
    volumes,
    errors,
    rounding,
    regions: regions && { skinned: worst.skinned ?? still, baked: worst.baked ?? still },
  };
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
