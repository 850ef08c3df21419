/**
 * Sparse symmetric matrices: compressed rows of the lower triangle, the diagonal included (A_ij with j ≤ i, any order inside
 * a row, each entry once).
 */
export interface SparseMatrix {
  readonly size: number;
  /** Row → entries, size + 1. */
  readonly offsets: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array;
}
