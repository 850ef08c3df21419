/** Memory of a probe among so many primitives. */
export function createProbeArrays(count: number) {
  const capacity = count + 1;
  return {
    // All candidates that were prepared …
    ids: new Int32Array(capacity),
    strandOf: new Int32Array(capacity),
    // … the selected ones, in the same order: their number, potential, depth and closest point …
    chosen: new Int32Array(capacity),
    values: new Float64Array(capacity),
    depths: new Float64Array(capacity),
    feet: new Float64Array(3 * capacity),
    /** Selected place of the strongest so far of each chain (by its number). */
    chainBest: new Int32Array(count).fill(-1),
    // … and the strands among them: their number, S_s, F_s.
    local: new Int32Array(capacity),
    sums: new Float64Array(capacity),
    /** Σ φ f of each strand. */
    fusedSums: new Float64Array(capacity),
    totals: new Float64Array(capacity),
  };
}
