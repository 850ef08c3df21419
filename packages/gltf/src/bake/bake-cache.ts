/**
 * A cache of key poses: the corrected surface itself, without a skin, one target per key pose and LINEAR weights between
 * neighbours. Exact for any pose, also where the blended transform has no inverse; large.
 *
 *   y(t) = y⁰ + (1 − u) (y_i − y⁰) + u (y_{i+1} − y⁰),   y⁰ the corrected default pose, world units
 */

import { type BakeJob, exactVolumes, partsOf } from './bake-job.js';
import type { GroupBake, TargetArrays, WeightKeys } from './baked-group.js';
import { captureParts, type PartPose, placePoints } from './capture-parts.js';
import type { SampleRange } from './list-samples.js';
import { type BakedSurface, planBakedSurface } from './plan-baked-surface.js';
import { measureReach, quantiseDeltas } from './quantise-deltas.js';
import { thinKeys } from './thin-keys.js';

export interface CacheBake {
  readonly groups: readonly GroupBake[];
  /** y⁰ of every part. */
  readonly base: readonly PartPose[];
  /** Volumes of the components in every sample. */
  readonly volumes: Float64Array;
}

/** Share of the tolerance that thinning may use, and that rounding may. */
const THIN = 0.6;
const ROUND = 0.1;
const NORMAL_TOLERANCE = 0.01;

/** The last of `samples` is the default pose. */
export function bakeCache(job: BakeJob): CacheBake {
  const { samples, ranges } = job;
  const { character, groups } = job.read;
  const surface = planBakedSurface(job);
  const volumes = new Float64Array(samples.length * surface.volumes.length);
  const poses = samples.map((sample, n) => {
    surface.pose(sample);
    const points = placePoints(surface, job.rowOf(n));
    surface.gather(points);
    surface.measure();
    volumes.set(surface.volumes, n * surface.volumes.length);
    return points;
  });
  const keys = ranges.map((range) => thinPoses(job, poses, range, surface));
  const list = keys.flat();
  const capture = (n: number) => {
    surface.pose(samples[n]!);
    return captureParts(job, surface, poses[n]!);
  };
  const base = capture(samples.length - 1);
  const targets = encode(job, base, list.map(capture));

  let from = 0;
  const channels = keys.map((own): WeightKeys => {
    const values = new Float32Array(own.length * list.length);
    own.forEach((_, i) => {
      values[i * list.length + from + i] = targets.scale;
    });
    from += own.length;
    return { times: Float32Array.from(own, (n) => samples[n]!.time), values };
  });
  return {
    base,
    volumes,
    groups: groups.map((_, group) => ({
      group,
      names: list.map((_, k) => `pose ${k}`),
      active: Math.min(2, list.length),
      extra: 0,
      parts: partsOf(character, group).map((part) => ({ part, targets: targets.arrays.map((key) => key[part]!) })),
      keys: character.clips.map((_, c) => (channels[c]!.times.length > 0 ? channels[c]! : still(list.length))),
    })),
  };
}

function still(count: number): WeightKeys {
  return { times: Float32Array.of(0), values: new Float32Array(count) };
}

function thinPoses(
  job: BakeJob,
  poses: readonly Float32Array[],
  [first, end]: SampleRange,
  surface: BakedSurface,
): number[] {
  if (end === first) return [];
  const { tolerance } = job;
  const times = job.samples.slice(first, end).map(({ time }) => time);
  const between = new Float64Array(poses[first]!.length);
  const limit = (THIN * tolerance * job.size) ** 2;
  return thinKeys(times, (a, b, m, u) => {
    const [p, q, y] = [poses[first + a]!, poses[first + b]!, poses[first + m]!];
    for (let i = 0; i < y.length; i += 3) {
      let square = 0;
      for (let r = i; r < i + 3; r++) {
        between[r] = p[r]! + u * (q[r]! - p[r]!);
        square += (between[r]! - y[r]!) ** 2;
      }
      if (square > limit) return false;
    }
    surface.gather(between);
    surface.measure();
    const { volumes } = surface;
    const goal = exactVolumes(job, first + m);
    const [sum, target] = [total(volumes), total(goal)];
    if (Math.abs(sum - target) > THIN * tolerance * Math.abs(target)) return false;
    return goal.every(
      (v, c) => Math.abs(v) < 0.01 * Math.abs(target) || Math.abs(volumes[c]! - v) <= 2 * tolerance * Math.abs(v),
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

function encode(job: BakeJob, base: readonly PartPose[], keys: readonly PartPose[][]): Encoded {
  const { compact, tolerance, size } = job;
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
  const scale = compact && reach > 0 ? reach : 1;
  const fine = (error: number) => (compact ? error : 0);
  // One type for all positions: 8 bits would tremble from pose to pose.
  const position = Math.min(fine(ROUND * tolerance * size), scale / 255);
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
