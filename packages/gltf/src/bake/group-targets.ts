/** New morph targets of one group (glTF node) on their way into the file. */
export interface GroupTargets {
  readonly group: number;
  /** Position deltas of the group's points for weight 1, #points×3 each, exactly as the file will hold them. */
  readonly vectors: Float64Array[];
  /** Clip → the targets that it uses. */
  readonly uses: readonly (readonly number[])[];
}

/** out[first…] += Σ weight · vector, over the points of the group. */
export function addTargets(
  out: Float64Array,
  first: number,
  { vectors }: GroupTargets,
  active: readonly number[],
  weights: ArrayLike<number>,
): void {
  for (const k of active) {
    const weight = weights[k]!;
    const vector = vectors[k]!;
    if (weight !== 0) for (let i = 0; i < vector.length; i++) out[first + i]! += weight * vector[i]!;
  }
}
