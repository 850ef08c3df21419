/**
 * A node's weights channel drives all morph targets of its mesh: keys of the targets that were there and of the new ones
 * become one LINEAR channel over the union of their times.
 *
 * LINEAR keys are kept exactly, a STEP becomes two keys close together, CUBICSPLINE is sampled.
 */
import type { WeightKeys } from './baked-group.js';

export interface ExistingKeys {
  readonly interpolation: string;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

const BEFORE_JUMP = 1e-4;

/** `defaults`: weights of the existing targets where the clip has no channel for them. `fps`: for CUBICSPLINE. */
export function mergeWeights(
  existing: ExistingKeys | undefined,
  defaults: readonly number[],
  added: WeightKeys,
  fps: number,
): WeightKeys {
  const old = defaults.length;
  const width = added.values.length / added.times.length;
  if (!existing && old === 0) return added;
  const times = mergeTimes(existing, added.times, fps);
  const values = new Float32Array(times.length * (old + width));
  times.forEach((time, i) => {
    const at = i * (old + width);
    if (existing) sampleExisting(values, at, existing, old, time);
    else values.set(defaults, at);
    const [a, b, u] = locate(added.times, time);
    for (let k = 0; k < width; k++) {
      const [x, y] = [added.values[a * width + k]!, added.values[b * width + k]!];
      values[at + old + k] = x + u * (y - x);
    }
  });
  return { times: Float32Array.from(times), values };
}

function mergeTimes(existing: ExistingKeys | undefined, added: Float32Array, fps: number): number[] {
  const times = new Set<number>(added);
  if (existing) {
    const own = Array.from(existing.times, Math.fround);
    for (const time of own) times.add(time);
    if (existing.interpolation === 'STEP') {
      own.forEach((time, i) => {
        const before = Math.fround(time - BEFORE_JUMP);
        if (i > 0 && before > own[i - 1]!) times.add(before);
      });
    } else if (existing.interpolation === 'CUBICSPLINE') {
      const last = own.at(-1)!;
      for (let n = Math.ceil(own[0]! * 2 * fps); n / (2 * fps) < last; n++) times.add(Math.fround(n / (2 * fps)));
    }
  }
  return [...times].sort((a, b) => a - b);
}

/** Keys on both sides of `time`, and how far it is from the first to the second. */
function locate(times: ArrayLike<number>, time: number): [number, number, number] {
  const last = times.length - 1;
  if (last < 0 || time <= times[0]!) return [0, 0, 0];
  if (time >= times[last]!) return [last, last, 0];
  let i = 0;
  while (times[i + 1]! <= time) i++;
  return [i, i + 1, (time - times[i]!) / (times[i + 1]! - times[i]!)];
}

function sampleExisting(out: Float32Array, at: number, keys: ExistingKeys, width: number, time: number): void {
  const { interpolation, times, values } = keys;
  const [a, b, u] = locate(times, time);
  const cubic = interpolation === 'CUBICSPLINE';
  const value = (key: number, k: number, part = 1) => values[(cubic ? 3 * key + part : key) * width + k] ?? 0;
  const span = times[b]! - times[a]!;
  for (let k = 0; k < width; k++) {
    const [x, y] = [value(a, k), value(b, k)];
    if (interpolation === 'STEP' || a === b) out[at + k] = x;
    else if (!cubic) out[at + k] = x + u * (y - x);
    else {
      const [u2, u3] = [u * u, u * u * u];
      out[at + k] =
        (2 * u3 - 3 * u2 + 1) * x +
        (u3 - 2 * u2 + u) * span * value(a, k, 2) +
        (3 * u2 - 2 * u3) * y +
        (u3 - u2) * span * value(b, k, 0);
    }
  }
}
