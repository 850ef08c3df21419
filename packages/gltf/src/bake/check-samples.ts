/** What the file will show at every sample. */
import type { Character } from '@isoskin/core';
import { type BakeJob, exactVolumes } from './bake-job.js';
import type { BakedGroup, WeightKeys } from './baked-group.js';
import { isShapesAlone } from './create-frame-baker.js';
import type { BakedSurface } from './plan-baked-surface.js';
import { addDeltas } from './sparse-deltas.js';

/** Volumes of the components, #samples×#components: every sample played from the keys, as a viewer would. */
export function checkSamples(job: BakeJob, groups: readonly BakedGroup[], surface: BakedSurface): Float64Array {
  const { samples, stack } = job;
  const components = stack.character.surface.components.length;
  const volumes = new Float64Array(samples.length * components);
  samples.forEach((sample, n) => {
    surface.pose(sample);
    surface.offsets.fill(0);
    for (const { keys, moves } of groups) {
      const weights = sampleKeys(keys[sample.clip]!, moves.length, Math.fround(sample.time));
      for (const [k, deltas] of moves.entries()) addDeltas(surface.offsets, deltas, weights[k]!);
    }
    surface.place();
    surface.measure();
    volumes.set(surface.volumes, n * components);
  });
  return volumes;
}

/** LINEAR interpolation of the keys, all targets. */
function sampleKeys({ times, values }: WeightKeys, width: number, time: number): Float64Array {
  let i = 0;
  while (i + 2 < times.length && times[i + 1]! <= time) i++;
  const j = Math.min(i + 1, times.length - 1);
  const span = times[j]! - times[i]!;
  const u = span > 0 ? Math.min(1, Math.max(0, (time - times[i]!) / span)) : 0;
  return Float64Array.from(
    { length: width },
    (_, k) => values[i * width + k]! + u * (values[j * width + k]! - values[i * width + k]!),
  );
}

/** Share of the tolerance within which totals hold where shapes are all that moves: what thinned keys may leave, and a quarter more for bends between them. */
const HELD = 0.15;

/** The volume of a group, or of a component with 1 % of it, is off by more than is promised (3× for a component). */
function isGroupOff(
  { surface }: Character,
  group: number,
  volumes: Float64Array,
  exact: Float64Array,
  tolerance: number,
  held: number,
): boolean {
  let sum = 0;
  let target = 0;
  surface.components.forEach((component, c) => {
    if (component.group !== group) return;
    sum += volumes[c]!;
    target += exact[c]!;
  });
  // What is no number is off.
  if (!(Math.abs(sum - target) <= held * tolerance * Math.abs(target))) return true;
  return surface.components.some(({ solid, group: own }, c) => {
    if (own !== group || !solid || Math.abs(exact[c]!) < 0.01 * Math.abs(target)) return false;
    return !(Math.abs(volumes[c]! - exact[c]!) <= 3 * tolerance * Math.abs(exact[c]!));
  });
}

/** Any group is, in any sample of a clip. */
export function isOff(job: BakeJob, volumes: Float64Array): boolean {
  const { character } = job.stack;
  const held = isShapesAlone(job.stack) ? HELD : 1;
  const groups = [...new Set(character.surface.components.map(({ group }) => group))];
  return job.samples.some(({ clip }, n) => {
    if (clip < 0) return false;
    const exact = exactVolumes(job, n);
    const own = volumes.subarray(n * exact.length, (n + 1) * exact.length);
    return groups.some((group) => isGroupOff(character, group, own, exact, job.tolerance, held));
  });
}
