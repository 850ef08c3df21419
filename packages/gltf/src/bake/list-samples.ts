/** The moments that a bake evaluates, and how they are cut into pieces of work. */
import { type Channel, type Character, type Clip, frameTimes, type StackSpec } from '@isoskin/core';
import { needsWholeClips } from '@isoskin/core/stack';
import { BAKE_DEFAULTS, type BakeOptions } from './bake-options.js';

/** A moment that is evaluated: a clip of the character and a time in it. */
export interface Sample {
  readonly clip: number;
  readonly time: number;
}

/** First sample and the one after the last. */
export type SampleRange = readonly [first: number, end: number];

export interface SampleList {
  readonly samples: readonly Sample[];
  /** Clip → its samples; empty for a clip that is not baked. */
  readonly ranges: readonly SampleRange[];
}

/** Clip after clip; a cache needs the default pose too, which comes last. */
export function listSamples(
  { clips }: Character,
  { clips: names, fps = BAKE_DEFAULTS.fps, as = BAKE_DEFAULTS.as }: Pick<BakeOptions, 'clips' | 'fps' | 'as'>,
): SampleList {
  const samples: Sample[] = [];
  const ranges = clips.map((clip, c): SampleRange => {
    const first = samples.length;
    if (!names || names.includes(clip.name)) {
      for (const time of listSampleTimes(clip, fps)) samples.push({ clip: c, time });
    }
    return [first, samples.length];
  });
  if (as === 'cache') samples.push({ clip: -1, time: 0 });
  return { samples, ranges };
}

/** How long before a jump of a STEP channel its old value is still kept, in frames. */
const BEFORE_JUMP = 0.01;

/**
 * Times that a clip is baked at: every half frame (so that what happens between two keys is known too), its end, and both
 * sides of every jump of a STEP channel. Ascending. A clip whose keys have a rate of their own, say 24 a second, is baked at these keys, too:
 * motion bends there, and so must what is added to it.
 */
export function listSampleTimes(clip: Clip, fps: number): number[] {
  const before = BEFORE_JUMP / fps;
  const own = measureKeyRate(clip);
  const times = new Set([...frameTimes(clip, 2 * fps), ...(own > 0 && own < 2 * fps ? frameTimes(clip, own) : [])]);
  for (const channel of clip.channels) {
    if (channel.interpolation !== 'STEP') continue;
    for (let i = 1; i < channel.times.length; i++) {
      const time = channel.times[i]!;
      if (!jumps(channel, i) || time > clip.duration || time - before <= 0) continue;
      times.add(time - before);
      times.add(time);
    }
  }
  const sorted = [...times].sort((a, b) => a - b);
  // Two samples closer than half the step before a jump are one; the later one is the file's own time.
  return sorted.filter((time, i) => i + 1 === sorted.length || sorted[i + 1]! - time > before / 2);
}

/** Keys must lie this close to their grid, in its steps. */
const OFF_GRID = 0.02;

/** Keys per second where all keys of a clip lie on one grid through 0; 0 where they do not. */
function measureKeyRate({ channels }: Clip): number {
  let step = Infinity;
  let last = 0;
  for (const { times } of channels) {
    for (let i = 1; i < times.length; i++) step = Math.min(step, times[i]! - times[i - 1]!);
    last = Math.max(last, times.at(-1) ?? 0);
  }
  if (!(step > 1e-3 && step < Infinity)) return 0;
  const rate = last / step < 1 ? 0 : Math.round(last / step) / last; // the last key tells the step best
  const isOn = (time: number) => Math.abs(time * rate - Math.round(time * rate)) < OFF_GRID;
  return channels.every(({ times }) => times.every(isOn)) ? rate : 0;
}

function jumps({ values, width }: Channel, key: number): boolean {
  for (let k = 0; k < width; k++) {
    if (Math.abs(values[key * width + k]! - values[(key - 1) * width + k]!) > 1e-6) return true;
  }
  return false;
}

/** Pieces of work that do not depend on each other: at most `size` samples, or whole clips when the stack remembers all frames before. */
export function splitSamples(samples: readonly Sample[], stack: StackSpec, size: number): SampleRange[] {
  const isWhole = needsWholeClips(stack);
  const pieces: SampleRange[] = [];
  for (let first = 0; first < samples.length; ) {
    let end = first + 1;
    while (end < samples.length && (isWhole ? samples[end]!.clip === samples[first]!.clip : end - first < size)) end++;
    pieces.push([first, end]);
    first = end;
  }
  return pieces;
}
