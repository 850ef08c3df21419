/**
 * A cache of key poses: the corrected surface itself, without a skin, one target per key pose and LINEAR weights between
 * neighbours. Exact for any pose, also where the blended transform has no inverse; large.
 *
 *   y(t) = y⁰ + (1 − u) (y_i − y⁰) + u (y_{i+1} − y⁰),   y⁰ the corrected default pose, world units
 */
import { type Character, measureVolumes, planClosedSurface } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { GroupBake, TargetArrays, WeightKeys } from './baked-group.js';
import { captureParts, type PartPose, placePoints } from './capture-parts.js';
import type { BakedCheck } from './check-samples.js';
import type { FrameBlock, MeasureLayout } from './create-frame-baker.js';
import { listDirections } from './list-directions.js';
import type { Sample } from './list-sample-times.js';
import { planBakedSurface } from './plan-baked-surface.js';
import type { SourceSkin } from './plan-source-skin.js';
import { measureReach, quantiseDeltas, readDeltas } from './quantise-deltas.js';
import { thinKeys } from './thin-keys.js';

export interface CacheOptions {
  /** Largest position error, world units, and largest relative volume error. */
  readonly position: number;
  readonly volume: number;
  readonly quantise: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

export interface CacheBake {
  readonly groups: readonly GroupBake[];
  /** y⁰ of every part. */
  readonly base: readonly PartPose[];
  readonly check: BakedCheck;
}

/** Share of the tolerance that thinning may use, and that rounding may. */
const THIN = 0.6;
const ROUND = 0.1;
const NORMAL_TOLERANCE = 0.01;

/** The last of `samples` is the default pose. */
export function bakeCache(
  read: ReadResult,
  source: SourceSkin,
  samples: readonly Sample[],
  block: FrameBlock,
  layout: MeasureLayout,
  options: CacheOptions,
): CacheBake {
  const { character } = read;
  const surface = planBakedSurface(character, source);
  const width = 3 * source.pointCount;
  const poses = samples.map((sample, n) => {
    surface.pose(sample);
    return placePoints(surface, block.deltas.subarray(n * width, (n + 1) * width));
  });
  const meter = planMeter(character, source);
  const exact = (n: number) => {
    const from = n * layout.stride + layout.correctedComponents;
    return block.measures.subarray(from, from + character.surface.components.length);
  };
  const keys = options.ranges.map(([first, end]) => thinPoses(poses, first, end, samples, meter, exact, options));
  const list = keys.flat();
  const directions = read.groups.flatMap((_, group) => listDirections(read, source, group));
  const capture = (n: number) => {
    surface.pose(samples[n]!);
    return captureParts(character, source, surface, poses[n]!, directions);
  };
  const base = capture(samples.length - 1);
  const targets = encode(base, list.map(capture), options);

  let from = 0;
  const channels = keys.map((own): WeightKeys => {
    const values = new Float32Array(own.length * list.length);
    own.forEach((_, i) => {
      values[i * list.length + from + i] = targets.scale;
    });
    from += own.length;
    return { times: Float32Array.from(own, (n) => samples[n]!.time), values };
  });
  const groups = read.groups.map((_, group): GroupBake => {
    const parts = [...character.parts.keys()].filter((p) => character.parts[p]!.group === group);
    return {
      group,
      count: list.length,
      active: Math.min(2, list.length),
      parts: parts.map((part) => ({ part, targets: targets.arrays.map((key) => key[part]!) })),
      keys: character.clips.map((_, c) => (channels[c]!.times.length > 0 ? channels[c]! : still(list.length))),
    };
  });
  return { groups, base, check: checkPoses(read, source, samples, poses, keys, base, targets, meter, options) };
}

function still(count: number): WeightKeys {
  return { times: Float32Array.of(0), values: new Float32Array(count) };
}

interface Meter {
  /** Volumes of the components from positions of the points; the answer is overwritten by the next. */
  measure(points: ArrayLike<number>): Float64Array;
}

function planMeter({ surface }: Character, { leaders }: SourceSkin): Meter {
  const closed = planClosedSurface(surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  const volumes = new Float64Array(surface.components.length);
  return {
    measure(points) {
      for (let v = 0; v < leaders.length; v++) {
        for (let r = 0; r < 3; r++) extended[3 * v + r] = points[3 * leaders[v]! + r]!;
      }
      measureVolumes(volumes, closed, extended);
      return volumes;
    },
  };
}

function thinPoses(
  poses: readonly Float32Array[],
  first: number,
  end: number,
  samples: readonly Sample[],
  meter: Meter,
  exact: (n: number) => Float64Array,
  options: CacheOptions,
): number[] {
  if (end === first) return [];
  const times = samples.slice(first, end).map(({ time }) => time);
  const between = new Float64Array(poses[first]!.length);
  const limit = (THIN * options.position) ** 2;
  return thinKeys(times, new Set(), (a, b, m, u) => {
    const [p, q, y] = [poses[first + a]!, poses[first + b]!, poses[first + m]!];
    for (let i = 0; i < y.length; i += 3) {
      let square = 0;
      for (let r = i; r < i + 3; r++) {
        between[r] = p[r]! + u * (q[r]! - p[r]!);
        square += (between[r]! - y[r]!) ** 2;
      }
      if (square > limit) return false;
    }
    const volumes = meter.measure(between);
    const goal = exact(first + m);
    const [sum, target] = [total(volumes), total(goal)];
    if (Math.abs(sum - target) > THIN * options.volume * Math.abs(target)) return false;
    return goal.every(
      (v, c) => Math.abs(v) < 0.01 * Math.abs(target) || Math.abs(volumes[c]! - v) <= 2 * options.volume * Math.abs(v),
    );
  }).map((key) => first + key);
}

function total(values: Float64Array): number {
  return values.reduce((sum, v) => sum + v, 0);
}

interface Encoded {
  /** Weight of a key pose: all targets share one scale, so that two neighbours blend linearly. */
  readonly scale: number;
  /** Key → part → arrays. */
  readonly arrays: readonly (readonly TargetArrays[])[];
}

function encode(base: readonly PartPose[], keys: readonly PartPose[][], options: CacheOptions): Encoded {
  const subtract = (a: Float64Array, b: Float64Array) => a.map((value, i) => value - b[i]!);
  const deltas = keys.map((poses) =>
    poses.map(({ position, normal, tangent }, p) => ({
      position: subtract(position, base[p]!.position),
      normal: normal && subtract(normal, base[p]!.normal!),
      tangent: tangent && subtract(tangent, base[p]!.tangent!),
    })),
  );
  const reach = Math.max(
    0,
    ...deltas
      .flat()
      .flatMap(({ position, normal, tangent }) => [position, normal, tangent].map((d) => (d ? measureReach(d) : 0))),
  );
  const scale = options.quantise && reach > 0 ? reach : 1;
  const fine = (tolerance: number) => (options.quantise ? tolerance : 0);
  // One type for all positions: 8 bits would tremble from pose to pose.
  const position = Math.min(fine(ROUND * options.position), scale / 255);
  const direction = (d: Float64Array | undefined) => d && quantiseDeltas(d, scale, fine(NORMAL_TOLERANCE), 0);
  return {
    scale,
    arrays: deltas.map((parts) =>
      parts.map(
        (d): TargetArrays => ({
          position: quantiseDeltas(d.position, scale, position, 0),
          normal: direction(d.normal),
          tangent: direction(d.tangent),
        }),
      ),
    ),
  };
}

/** Plays every sample from the keys, as a viewer would, and measures it. */
function checkPoses(
  { character }: ReadResult,
  source: SourceSkin,
  samples: readonly Sample[],
  poses: readonly Float32Array[],
  keys: readonly (readonly number[])[],
  base: readonly PartPose[],
  { scale, arrays }: Encoded,
  meter: Meter,
  options: CacheOptions,
): BakedCheck {
  const count = character.surface.components.length;
  const volumes = new Float64Array(samples.length * count);
  const errors = new Float64Array(samples.length);
  const stored = new Map<number, Float64Array>();
  keys.flat().forEach((n, k) => {
    const points = new Float64Array(poses[n]!.length);
    base.forEach(({ part, position }) => {
      const deltas = readDeltas(arrays[k]![part]!.position);
      source.partPoints[part]!.forEach((u, v) => {
        for (let r = 0; r < 3; r++) points[3 * u + r] = position[3 * v + r]! + scale * deltas[3 * v + r]!;
      });
    });
    stored.set(n, points);
  });
  options.ranges.forEach(([first, end], c) => {
    const own = keys[c]!;
    for (let n = first, i = 0; n < end; n++) {
      while (i + 1 < own.length && own[i + 1]! <= n) i++;
      const [a, b] = [own[i]!, own[Math.min(i + 1, own.length - 1)]!];
      const span = samples[b]!.time - samples[a]!.time;
      const u = span > 0 ? (samples[n]!.time - samples[a]!.time) / span : 0;
      const [p, q] = [stored.get(a)!, stored.get(b)!];
      const between = p.map((value, k) => value + u * (q[k]! - value));
      volumes.set(meter.measure(between), n * count);
      let largest = 0;
      for (let k = 0; k < between.length; k += 3) {
        const d = Math.hypot(
          between[k]! - poses[n]![k]!,
          between[k + 1]! - poses[n]![k + 1]!,
          between[k + 2]! - poses[n]![k + 2]!,
        );
        if (!(d <= largest)) largest = d;
      }
      errors[n] = largest;
    }
  });
  return { volumes, errors };
}
