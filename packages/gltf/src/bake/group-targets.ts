/** New morph targets of one group (glTF node) on their way into the file. */
export interface GroupTargets {
  readonly group: number;
  /** Position deltas of the group's points for weight 1, #points×3 each. */
  readonly vectors: readonly Float64Array[];
  /** Ranges of samples with the targets that they use, ascending; samples outside use none. */
  readonly spans: readonly Span[];
}

export interface Span {
  readonly first: number;
  readonly end: number;
  readonly active: readonly number[];
}

const NONE: readonly number[] = [];

/** Targets in use at a sample. */
export function activeAt({ spans }: GroupTargets, sample: number): readonly number[] {
  return spans.find(({ first, end }) => sample >= first && sample < end)?.active ?? NONE;
}

/** out[first…] += Σ weight · vector, over the points of the group. */
export function addTargets(
  out: Float64Array,
  first: number,
  { vectors }: GroupTargets,
  weights: ArrayLike<number>,
): void {
  for (let k = 0; k < vectors.length; k++) {
    const weight = weights[k]!;
    const vector = vectors[k]!;
    if (weight !== 0) for (let i = 0; i < vector.length; i++) out[first + i]! += weight * vector[i]!;
  }
}
