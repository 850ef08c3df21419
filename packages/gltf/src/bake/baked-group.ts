import type { GroupTargets } from './group-targets.js';
import type { DeltaArray } from './quantise-deltas.js';

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

/** What is written into the file for one group. */
export interface GroupBake {
  readonly group: number;
  /** Number of targets. */
  readonly count: number;
  readonly parts: readonly PartTargets[];
  /** Clip → keys. */
  readonly keys: readonly WeightKeys[];
  /** Names of the targets, where they have any. */
  readonly names?: readonly string[];
  /** Target → shape of the volume step, and the weight that one unit of its amount is; where targets are shapes. */
  readonly used?: readonly { readonly shape: number; readonly unit: number }[];
  /** Most targets that are active at once. */
  readonly active: number;
}

/** A group of a morph bake: its targets as numbers too, to be evaluated. */
export interface BakedGroup extends GroupBake, GroupTargets {
  keys: WeightKeys[];
}
