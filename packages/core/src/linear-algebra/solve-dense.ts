/**
 * Dense A x = b by LU with partial pivoting, in place: `matrix` (n×n, by rows) is overwritten, `rhs` receives x.
 *
 * Returns false, with `rhs` unusable, when A is singular to rounding. O(n³); allocation-free.
 */
export function solveDense(matrix: Float64Array, rhs: Float64Array, n: number, pivots = new Uint32Array(n)): boolean {
  if (!factorDense(matrix, pivots, n)) return false;
  solveFactored(matrix, pivots, rhs, n);
  return true;
}

/** P A = L U in place: U above and on the diagonal, L below it (its diagonal is 1); `pivots[k]`: row swapped with row k. */
export function factorDense(matrix: Float64Array, pivots: Uint32Array, n: number): boolean {
  let scale = 0;
  for (let i = 0; i < n * n; i++) scale = Math.max(scale, Math.abs(matrix[i]!));
  const smallest = scale * n * Number.EPSILON;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(matrix[i * n + k]!) > Math.abs(matrix[pivot * n + k]!)) pivot = i;
    const head = matrix[pivot * n + k]!;
    if (!(Math.abs(head) > smallest)) return false; // also NaN
    pivots[k] = pivot;
    if (pivot !== k) {
      for (let j = 0; j < n; j++) {
        const keep = matrix[k * n + j]!;
        matrix[k * n + j] = matrix[pivot * n + j]!;
        matrix[pivot * n + j] = keep;
      }
    }
    for (let i = k + 1; i < n; i++) {
      const factor = matrix[i * n + k]! / head;
      if (factor === 0) continue;
      matrix[i * n + k] = factor;
      for (let j = k + 1; j < n; j++) matrix[i * n + j]! -= factor * matrix[k * n + j]!;
    }
  }
  return true;
}

/** x of L U x = P b, in place of b. O(n²). */
export function solveFactored(factors: Float64Array, pivots: Uint32Array, rhs: Float64Array, n: number): void {
  for (let k = 0; k < n; k++) {
    const pivot = pivots[k]!;
    const keep = rhs[pivot]!;
    rhs[pivot] = rhs[k]!;
    rhs[k] = keep;
  }
  for (let k = 0; k < n; k++) {
    let y = rhs[k]!;
    for (let j = 0; j < k; j++) y -= factors[k * n + j]! * rhs[j]!;
    rhs[k] = y;
  }
  for (let k = n - 1; k >= 0; k--) {
    let x = rhs[k]!;
    for (let j = k + 1; j < n; j++) x -= factors[k * n + j]! * rhs[j]!;
    rhs[k] = x / factors[k * n + k]!;
  }
}
