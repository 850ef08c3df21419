/** Inverse of a small symmetric positive matrix (n×n), each diagonal entry raised by `damping` of the mean; Gauss–Jordan. */
export function invertGram(gram: Float64Array, n: number, damping: number): Float64Array {
  let trace = 0;
  for (let k = 0; k < n; k++) trace += gram[k * n + k]!;
  const a = gram.slice();
  const inverse = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    a[k * n + k]! += (damping * trace) / n;
    inverse[k * n + k] = 1;
  }
  for (let k = 0; k < n; k++) {
    const pivot = a[k * n + k]!;
    if (!(pivot > 0)) continue;
    for (let j = 0; j < n; j++) {
      a[k * n + j]! /= pivot;
      inverse[k * n + j]! /= pivot;
    }
    for (let r = 0; r < n; r++) {
      const factor = a[r * n + k]!;
      if (r === k || factor === 0) continue;
      for (let j = 0; j < n; j++) {
        a[r * n + j]! -= factor * a[k * n + j]!;
        inverse[r * n + j]! -= factor * inverse[k * n + j]!;
      }
    }
  }
  return inverse;
}
