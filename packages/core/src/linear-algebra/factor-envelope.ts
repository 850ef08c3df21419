/**
 * L D Lᵀ of a symmetric positive definite matrix inside its envelope: row i starts at column firsts[i], left of it are zeroes, and
 * they stay zeroes. Only the lower triangle is read and overwritten (L below the diagonal, 1/D on it).
 *
 * n unknowns, `stride` numbers a row. Σ_i (i − firsts[i])² multiplications instead of n³/3. Allocation-free.
 */

/** Smallest pivot, relative to the diagonal of the row before elimination: below, use a method with pivoting. */
const SMALLEST_PIVOT = 1e-9;

/** False, with the matrix unusable, where it is not positive definite or too close to singular. */
export function factorEnvelope(matrix: Float64Array, firsts: Uint32Array, n: number, stride: number): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * stride;
    const first = firsts[i]!;
    for (let j = first + 1; j < i; j++) {
      const other = j * stride;
      let sum = matrix[row + j]!;
      for (let k = Math.max(first, firsts[j]!); k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!;
      matrix[row + j] = sum; // L_ij D_j, until the row is done
    }
    const diagonal = matrix[row + i]!;
    let pivot = diagonal;
    for (let k = first; k < i; k++) {
      const factor = matrix[row + k]! * matrix[k * stride + k]!;
      pivot -= factor * matrix[row + k]!;
      matrix[row + k] = factor;
    }
    if (!(pivot > SMALLEST_PIVOT * diagonal)) return false; // also NaN
    matrix[row + i] = 1 / pivot;
  }
  return true;
}

/** x of L D Lᵀ x = b, in place of b. */
export function solveEnvelope(
  factors: Float64Array,
  firsts: Uint32Array,
  rhs: Float64Array,
  n: number,
  stride: number,
): void {
  for (let i = 0; i < n; i++) {
    let y = rhs[i]!;
    for (let k = firsts[i]!; k < i; k++) y -= factors[i * stride + k]! * rhs[k]!;
    rhs[i] = y;
  }
  for (let i = 0; i < n; i++) rhs[i]! *= factors[i * stride + i]!;
  for (let i = n - 1; i > 0; i--) {
    const x = rhs[i]!;
    for (let k = firsts[i]!; k < i; k++) rhs[k]! -= factors[i * stride + k]! * x;
  }
}
