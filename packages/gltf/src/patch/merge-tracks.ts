/**
 * Two tracks of morph weights as one, side by side. Equal times and kinds are kept exactly; else LINEAR keys over the union of
 * their times: LINEAR stays exact, a STEP becomes two keys close together, CUBICSPLINE is sampled.
 */
import type { Track } from './weight-track.js';

/** Seconds before a jump at which the old value is still there; less where frames are closer. */
const BEFORE_JUMP = 1e-4;

/** @param fps half frames at which CUBICSPLINE is sampled. */
export function mergeTracks(a: Track, b: Track, fps: number): Track {
  const width = a.width + b.width;
  const isSame =
    a.interpolation === b.interpolation &&
    a.times.length === b.times.length &&
    a.times.every((time, i) => time === b.times[i]);
  if (isSame) {
    const rows = a.values.length / a.width;
    const values = new Float32Array(rows * width);
    for (let r = 0; r < rows; r++) {
      values.set(a.values.subarray(r * a.width, (r + 1) * a.width), r * width);
      values.set(b.values.subarray(r * b.width, (r + 1) * b.width), r * width + a.width);
    }
    return { interpolation: a.interpolation, width, times: a.times, values };
  }
  const union = new Set([...listTimes(a, fps), ...listTimes(b, fps)]);
  const times = Float32Array.from(union.size > 0 ? union : b.times).sort();
  const values = new Float32Array(times.length * width);
  times.forEach((time, i) => {
    sampleTrack(values, i * width, a, time);
    sampleTrack(values, i * width + a.width, b, time);
  });
  return { interpolation: 'LINEAR', width, times, values };
}

function listTimes({ interpolation, times, values, width }: Track, fps: number): number[] {
  // A constant asks for no time of its own.
  if (times.length === 1 && values.length === width) return [];
  const out = [...times];
  if (interpolation === 'STEP') {
    times.forEach((time, i) => {
      const before = Math.fround(time - Math.min(BEFORE_JUMP, 0.005 / fps));
      if (i > 0 && before > times[i - 1]!) out.push(before);
    });
  } else if (interpolation === 'CUBICSPLINE') {
    const last = times.at(-1)!;
    for (let n = Math.ceil(times[0]! * 2 * fps); n / (2 * fps) < last; n++) out.push(Math.fround(n / (2 * fps)));
  }
  return out;
}

/** Keys on both sides of `time`, and how far it is from the first to the second. */
function locate(times: Float32Array, time: number): [number, number, number] {
  const last = times.length - 1;
  if (time <= times[0]!) return [0, 0, 0];
  if (time >= times[last]!) return [last, last, 0];
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return [low, high, (time - times[low]!) / (times[high]! - times[low]!)];
}

/** All weights at a time, into `out` from `at` on. */
export function sampleTrack(out: Float32Array | Float64Array, at: number, track: Track, time: number): void {
  const { interpolation, times, values, width } = track;
  const [a, b, u] = locate(times, time);
  const cubic = interpolation === 'CUBICSPLINE';
  const value = (key: number, k: number, part = 1) => values[(cubic ? 3 * key + part : key) * width + k]!;
  const span = times[b]! - times[a]!;
  const [u2, u3] = [u * u, u * u * u];
  for (let k = 0; k < width; k++) {
    const [x, y] = [value(a, k), value(b, k)];
    if (interpolation === 'STEP' || a === b) out[at + k] = x;
    else if (!cubic) out[at + k] = x + u * (y - x);
    else {
      out[at + k] =
        (2 * u3 - 3 * u2 + 1) * x +
        (u3 - 2 * u2 + u) * span * value(a, k, 2) +
        (3 * u2 - 2 * u3) * y +
        (u3 - u2) * span * value(b, k, 0);
    }
  }
}
