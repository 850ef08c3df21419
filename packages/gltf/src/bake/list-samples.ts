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
 * sides of every jump of a STEP channel. Ascending.
 */
export function listSampleTimes(clip: Clip, fps: number): number[] {
  const before = BEFORE_JUMP / fps;
  const times = new Set(frameTimes(clip, 2 * fps));
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
