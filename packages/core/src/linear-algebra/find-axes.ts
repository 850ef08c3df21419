import { halfTurn } from './half-turn.js';

/** Eigenvectors of a symmetric n×n matrix, by Jacobi rotations, and the eigenvalues: the largest first. For small n. */
export function findAxes(matrix: ArrayLike<number>, n: number): { readonly axis: number[]; readonly value: number }[] {
  const m = Float64Array.from(matrix);
  const axes = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, r) => Number(r === i)));
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (m[n * p + q] === 0) continue;
        const [c, s] = halfTurn(2 * m[n * p + q]!, m[(n + 1) * q]! - m[(n + 1) * p]!);
        for (let r = 0; r < n; r++) {
          const [a, b] = [m[n * r + p]!, m[n * r + q]!];
          m[n * r + p] = c * a - s * b;
          m[n * r + q] = s * a + c * b;
        }
        for (let r = 0; r < n; r++) {
          const [a, b] = [m[n * p + r]!, m[n * q + r]!];
          m[n * p + r] = c * a - s * b;
          m[n * q + r] = s * a + c * b;
          const [u, v] = [axes[p]![r]!, axes[q]![r]!];
          axes[p]![r] = c * u - s * v;
          axes[q]![r] = s * u + c * v;
        }
      }
    }
  }
  return axes.map((axis, i) => ({ axis, value: m[(n + 1) * i]! })).sort((a, b) => b.value - a.value);
}
