/** Deltas of a target as the numbers that are not zero: most targets move a limb. */
export interface SparseDeltas {
  readonly places: Uint32Array;
  readonly values: Float64Array;
}

/** @param first place of the first number */
export function pickDeltas(dense: ArrayLike<number>, first: number): SparseDeltas {
  let count = 0;
  for (let i = 0; i < dense.length; i++) if (dense[i] !== 0) count++;
  const [places, values] = [new Uint32Array(count), new Float64Array(count)];
  for (let i = 0, to = 0; i < dense.length; i++) {
    if (dense[i] === 0) continue;
    places[to] = first + i;
    values[to++] = dense[i]!;
  }
  return { places, values };
}

/** out += weight · deltas. */
export function addDeltas(out: Float64Array, { places, values }: SparseDeltas, weight: number): void {
  if (weight === 0) return;
  for (let i = 0; i < places.length; i++) out[places[i]!]! += weight * values[i]!;
}
