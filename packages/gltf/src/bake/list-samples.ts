import type { Character } from '@isoskin/core';
import { BAKE_DEFAULTS, type BakeOptions } from './bake-options.js';
import { listSampleTimes, type Sample } from './list-sample-times.js';

export interface SampleList {
  readonly samples: readonly Sample[];
  /** Clip → its first sample and the one after its last; empty for a clip that is not baked. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Every moment that a bake evaluates, clip after clip; a cache needs the default pose too, which comes last. */
export function listSamples(
  { clips }: Character,
  { clips: names, fps = BAKE_DEFAULTS.fps, as = BAKE_DEFAULTS.as }: Pick<BakeOptions, 'clips' | 'fps' | 'as'>,
): SampleList {
  const samples: Sample[] = [];
  const ranges = clips.map((clip, c): [number, number] => {
    const first = samples.length;
    if (!names || names.includes(clip.name)) {
      for (const time of listSampleTimes(clip, fps)) samples.push({ clip: c, time });
    }
    return [first, samples.length];
  });
  if (as === 'cache') samples.push({ clip: -1, time: 0 });
  return { samples, ranges };
}
