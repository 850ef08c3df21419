import type { SparseMatrix } from '../../src/linear-algebra/sparse-matrix.js';

/** out = A x. */
export function multiplySparse(out: Float64Array, matrix: SparseMatrix, x: Float64Array): void {
  const { size, offsets, columns, values } = matrix;
  out.fill(0, 0, size);
  for (let i = 0; i < size; i++) {
    const xi = x[i]!;
    let sum = 0;
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
      const j = columns[n]!;
      const a = values[n]!;
      sum += a * x[j]!;
      if (j !== i) out[j]! += a * xi;
    }
    out[i]! += sum;
  }
}
