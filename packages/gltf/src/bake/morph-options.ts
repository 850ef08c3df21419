import type { Character } from '@isoskin/core';

export interface MorphOptions {
  /** Largest position error, world units, and largest relative volume error. */
  readonly position: number;
  readonly volume: number;
  readonly maxTargets: number;
  readonly quantise: boolean;
  /** Samples of each clip: first and one after the last. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Amounts that shapes must be good for beyond the samples: of every shape that of largest size, with its sign. */
  readonly taught?: Float64Array | undefined;
}

/** Parts of the tolerance: what the basis may leave, rounding, thinned keys, and what is too small to be stored. */
export const SHARE = { basis: 0.7, quantise: 0.1, thin: 0.2, quiet: 0.03 };

/** World units per unit of POSITION in a group. */
export function scaleOf({ parts }: Character, group: number): number {
  return Math.abs(parts.find((part) => part.group === group)!.scale);
}
