import type { StackSpec } from './stack-spec.js';

/**
 * Whether a frame of this stack depends on the frames before it: flesh swings on. (A progressive volume layer does not: it
 * starts every frame from rest.) `Stack.seek` finds the state at any moment of a clip, but it plays the clip up to there, so
 * that a whole clip is best one piece of work for one thread or machine.
 */
export function isStateful(spec: StackSpec): boolean {
  return spec.layers.some(({ layer, enabled }) => layer === 'flesh' && enabled !== false);
}
