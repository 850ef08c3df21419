/** A x = b for a symmetric positive A that grows row by row: A = L Lᵀ, L y = b, Lᵀ x = y. O(n²) a row. */
export interface GrowingCholesky {
  readonly solution: Float64Array;
  clear(): void;
  /** The next row of A up to its diagonal, `row[at…]`, and the next number of b. */
  append(row: Float64Array, at: number, right: number): void;
  /** Fills `solution`. */
  solve(): void;
}

export function createGrowingCholesky(most: number): GrowingCholesky {
  const factor = new Float64Array(most * most);
  const y = new Float64Array(most);
  const solution = new Float64Array(most);
  let size = 0;
  return {
    solution,
    clear() {
      size = 0;
    },
    append(row, at, right) {
      const own = size * most;
      for (let j = 0; j <= size; j++) {
        let sum = row[at + j]!;
        for (let k = 0; k < j; k++) sum -= factor[own + k]! * factor[j * most + k]!;
        factor[own + j] = j === size ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / factor[j * most + j]!;
      }
      let sum = right;
      for (let k = 0; k < size; k++) sum -= factor[own + k]! * y[k]!;
      y[size] = sum / factor[own + size]!;
      size++;
    },
    solve() {
      for (let i = size - 1; i >= 0; i--) {
        let sum = y[i]!;
        for (let k = i + 1; k < size; k++) sum -= factor[k * most + i]! * solution[k]!;
        solution[i] = sum / factor[i * most + i]!;
      }
    },
  };
}
