/**
 * Dense A x = b by LU with partial pivoting, in place: `matrix` (n×n, by rows) is overwritten, `rhs` receives x.
 *
 * Returns false, with `rhs` unusable, when A is singular to rounding. O(n³); allocation-free.
 */
export function solveDense(matrix: Float64Array, rhs: Float64Array, n: number): boolean {
  let scale = 0;
  for (let i = 0; i < n * n; i++) scale = Math.max(scale, Math.abs(matrix[i]!));
  const smallest = scale * n * Number.EPSILON;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(matrix[i * n + k]!) > Math.abs(matrix[pivot * n + k]!)) pivot = i;
    const head = matrix[pivot * n + k]!;
    if (!(Math.abs(head) > smallest)) return false; // also NaN
    if (pivot !== k) {
      for (let j = k; j < n; j++) {
        const keep = matrix[k * n + j]!;
        matrix[k * n + j] = matrix[pivot * n + j]!;
        matrix[pivot * n + j] = keep;
      }
      const keep = rhs[k]!;
      rhs[k] = rhs[pivot]!;
      rhs[pivot] = keep;
    }
    for (let i = k + 1; i < n; i++) {
      const factor = matrix[i * n + k]! / head;
      if (factor === 0) continue;
      for (let j = k + 1; j < n; j++) matrix[i * n + j]! -= factor * matrix[k * n + j]!;
      rhs[i]! -= factor * rhs[k]!;
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    let x = rhs[k]!;
    for (let j = k + 1; j < n; j++) x -= matrix[k * n + j]! * rhs[j]!;
    rhs[k] = x / matrix[k * n + k]!;
  }
  return true;
}
