import { writeChannel } from './patch/write-channel.js';
import type { ReadResult } from './read-character-from-bytes.js';

/**
 * Gives a node of the skeleton new rotations in a clip of the file: `values` (#×4, x y z w) at `times` (seconds, ascending),
 * in the place of what the clip had for it.
 */
export function writeRotations(
  { file, nodeIndices }: ReadResult,
  clip: number,
  skeletonNode: number,
  times: Float32Array,
  values: Float32Array,
): void {
  writeChannel(file, clip, nodeIndices[skeletonNode]!, 'rotation', times, values);
}
