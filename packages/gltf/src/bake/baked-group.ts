import type { GroupTargets } from './group-targets.js';
import type { DeltaArray } from './quantise-targets.js';

/** Deltas of one target in one part, #×3 over its source vertices; integers are normalised. */
export interface TargetArrays {
  readonly position: DeltaArray;
  readonly normal: DeltaArray | undefined;
  readonly tangent: DeltaArray | undefined;
}

export interface PartTargets {
  /** Part of the character. */
  readonly part: number;
  readonly targets: TargetArrays[];
}

/** LINEAR keys of all new targets of a group in one clip. */
export interface WeightKeys {
  readonly times: Float32Array;
  /** #keys × #targets. */
  readonly values: Float32Array;
}

export interface BakedGroup extends GroupTargets {
  readonly parts: readonly PartTargets[];
  /** Clip → keys. */
  keys: WeightKeys[];
}
