import { type Character, type Clip, IsoskinError } from '@isoskin/core';

/** What is played when a file has no clip: one frame of the pose that it is saved in. */
const DEFAULT_POSE: Clip = { name: 'default pose', duration: 0, channels: [] };

/** The clip called `name`, or all of them. */
export function chooseClips({ clips }: Character, name?: string): readonly Clip[] {
  const all = clips.length > 0 ? clips : [DEFAULT_POSE];
  if (name === undefined) return all;
  const exact = all.filter((clip) => clip.name === name);
  const found = exact.length > 0 ? exact : all.filter((clip) => clip.name.toLowerCase() === name.toLowerCase());
  if (found.length > 0) return found;
  const names = all.map((clip) => `"${clip.name}"`).join(', ');
  throw new IsoskinError('CLIP_UNKNOWN', `There is no clip "${name}" in this file; choose one of ${names}.`);
}
