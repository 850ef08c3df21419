import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { LIMITS } from '../limits.js';
import type { Channel, Clip } from './clip.js';
import { POSE_STRIDE, type Pose } from './skeleton.js';

/** First number of each animated path inside a node's ten pose numbers. */
const PATH_OFFSET = { translation: 0, rotation: 3, scale: 7 } as const;

/** What a pose is a pose of. */
type Posed = Pick<Character, 'skeleton' | 'morphWeights'>;

/** The default pose of a character, in memory of its own. */
export function createPose(character: Posed): Pose {
  return { locals: character.skeleton.locals.slice(), morphWeights: character.morphWeights.slice() };
}

/** Writes the pose of `clip` at `time` (seconds, clamped to the clip) into `out`: A1, all glTF samplers. */
export function samplePose(out: Pose, character: Posed, clip: Clip | undefined, time: number): void {
  out.locals.set(character.skeleton.locals);
  out.morphWeights.set(character.morphWeights);
  if (!clip) return;
  for (const channel of clip.channels) {
    if (channel.path === 'weights') sampleChannel(out.morphWeights, channel.target, channel, time);
    else sampleChannel(out.locals, channel.target * POSE_STRIDE + PATH_OFFSET[channel.path], channel, time);
  }
}

/** Frame times that a clip is measured and baked at: every 1/fps, and its very end. */
export function frameTimes(clip: Clip, fps: number): Float64Array {
  const count = Math.max(0, Math.ceil((clip.duration - 1e-6) * fps));
  if (!(count <= LIMITS.moments)) {
    const message = `The clip lasts ${clip.duration} s, which is ${count} moments at ${fps} a second, and ${LIMITS.moments} are the most: check whether milliseconds were taken for seconds, or take fewer frames.`;
    throw new IsoskinError('CLIP_TOO_LONG', message, `clip "${clip.name}"`);
  }
  const times = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) times[i] = i / fps;
  times[count] = clip.duration;
  return times;
}

function sampleChannel(out: Float64Array, at: number, channel: Channel, time: number): void {
  interpolate(out, at, channel, time);
  if (channel.path === 'rotation' && channel.times.length > 0) normalise4(out, at); // keys may be quantised
}

function interpolate(out: Float64Array, at: number, channel: Channel, time: number): void {
  const { times, values, width, interpolation } = channel;
  const cubic = interpolation === 'CUBICSPLINE';
  const last = times.length - 1;
  const stride = cubic ? 3 * width : width;
  const value = cubic ? width : 0; // a cubic key is in-tangent, value, out-tangent
  if (last < 0) return;
  if (time <= times[0]! || last === 0) return copy(out, at, values, value, width);
  if (time >= times[last]!) return copy(out, at, values, last * stride + value, width);
  const i = findKey(times, time);
  const dt = times[i + 1]! - times[i]!;
  const u = (time - times[i]!) / dt;
  const a = i * stride + value;
  const b = a + stride;
  if (interpolation === 'STEP') return copy(out, at, values, u >= 1 ? b : a, width);
  if (cubic) return hermite(out, at, values, a, b, width, u, dt);
  if (channel.path === 'rotation') return slerp(out, at, values, a, b, u);
  for (let k = 0; k < width; k++) out[at + k] = values[a + k]! + u * (values[b + k]! - values[a + k]!);
}

/** Largest i with times[i] ≤ time, by bisection. */
function findKey(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return low;
}

function copy(out: Float64Array, at: number, values: ArrayLike<number>, from: number, width: number): void {
  for (let k = 0; k < width; k++) out[at + k] = values[from + k]!;
}

function hermite(
  out: Float64Array,
  at: number,
  values: ArrayLike<number>,
  a: number,
  b: number,
  width: number,
  u: number,
  dt: number,
): void {
  const u2 = u * u;
  const u3 = u2 * u;
  const h00 = 2 * u3 - 3 * u2 + 1;
  const h10 = (u3 - 2 * u2 + u) * dt;
  const h01 = -2 * u3 + 3 * u2;
  const h11 = (u3 - u2) * dt;
  for (let k = 0; k < width; k++) {
    const out0 = values[a + width + k]!;
    const in1 = values[b - width + k]!;
    out[at + k] = h00 * values[a + k]! + h10 * out0 + h01 * values[b + k]! + h11 * in1;
  }
}

/**
 * Shortest-arc spherical interpolation, by a series: sines are not the same bits on every engine, and a bake is to be.
 *
 *   sin(u θ)/sin θ = u Σ_n Π_{i ≤ n} (u² − i²)/(i (2i + 1)) (cos θ − 1)      at least a bit more of it with every term
 */
function slerp(out: Float64Array, at: number, values: ArrayLike<number>, a: number, b: number, u: number): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += values[a + k]! * values[b + k]!;
  const sign = dot < 0 ? -1 : 1;
  const x = Math.min(0, Math.abs(dot) - 1);
  const wa = measureShare(1 - u, x);
  const wb = sign * measureShare(u, x);
  for (let k = 0; k < 4; k++) out[at + k] = wa * values[a + k]! + wb * values[b + k]!;
}

/** sin(u θ)/sin θ, x = cos θ − 1 ≥ −1. */
function measureShare(u: number, x: number): number {
  let sum = u;
  let term = u;
  for (let i = 1; Math.abs(term) > 1e-17 && i < MOST_TERMS; i++) {
    term *= ((u * u - i * i) / (i * (2 * i + 1))) * x;
    sum += term;
  }
  return sum;
}
const MOST_TERMS = 64;

function normalise4(out: Float64Array, at: number): void {
  let square = 0;
  for (let k = at; k < at + 4; k++) square += out[k]! * out[k]!;
  const length = Math.sqrt(square);
  if (length > 0) for (let k = 0; k < 4; k++) out[at + k]! /= length;
  else out[at + 3] = 1;
}
