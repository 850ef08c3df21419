import type { Character, Clip } from '@isoskin/core';
import { findClips } from '@isoskin/gltf';

/** What is played when a file has no clip: one frame of the pose that it is saved in. */
const DEFAULT_POSE: Clip = { name: 'default pose', duration: 0, channels: [] };

/** The clip called `name`, or all of them. */
export function chooseClips({ clips }: Character, name?: string): readonly Clip[] {
  const all = clips.length > 0 ? clips : [DEFAULT_POSE];
  return name === undefined ? all : findClips(all, name);
}
