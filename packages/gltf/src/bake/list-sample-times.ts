import { type Channel, type Clip, frameTimes } from '@isoskin/core';

/** A moment that is evaluated: a clip of the character and a time in it. */
export interface Sample {
  readonly clip: number;
  readonly time: number;
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
