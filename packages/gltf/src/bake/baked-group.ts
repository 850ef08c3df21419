import type { DeltaArray } from './quantise-deltas.js';
import type { SparseDeltas } from './sparse-deltas.js';

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

/** What is written into the file for one group (glTF node). */
export interface GroupBake {
  readonly group: number;
  /** Names of the targets. */
  readonly names: readonly string[];
  readonly parts: readonly PartTargets[];
  /** Clip → keys. */
  readonly keys: readonly WeightKeys[];
  /** Target → the shape that it draws, −1 for the offset of all that go both ways: weight = w · unit + bias; where targets are shapes. */
  readonly used?: readonly { readonly amount: number; readonly unit: number; readonly bias: number }[];
  /** Most targets that are active at once, and how many say what shapes cannot. */
  readonly active: number;
  readonly extra: number;
}

/** A group of a morph bake: its targets as numbers too, to be evaluated. */
export interface BakedGroup extends GroupBake {
  /** What weight 1 of every target moves: numbers of all points, #U×3. */
  readonly moves: readonly SparseDeltas[];
}
