import { isStateful, type StackSpec } from '@isoskin/core';
import type { Sample } from './list-sample-times.js';

/**
 * Cuts a list of samples into pieces of work that do not depend on each other, for threads and machines alike: at most `size`
 * samples each, or whole clips when the stack remembers the frames before. Returns [first, end) of each piece.
 */
export function splitSamples(
  samples: readonly Sample[],
  stack: StackSpec,
  size: number,
): (readonly [number, number])[] {
  const isWhole = isStateful(stack);
  const pieces: [number, number][] = [];
  for (let first = 0; first < samples.length; ) {
    let end = first + 1;
    while (end < samples.length && (isWhole ? samples[end]!.clip === samples[first]!.clip : end - first < size)) end++;
    pieces.push([first, end]);
    first = end;
  }
  return pieces;
}
