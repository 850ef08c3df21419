/**
 * Direct solver for sparse symmetric positive definite systems A x = b.
 *
 *   P A Pᵀ = L D Lᵀ,   x = Pᵀ L⁻ᵀ D⁻¹ L⁻¹ P b
 *
 * P  order by nested dissection (`orderNested`);  L  unit lower triangle, by columns;  D  diagonal.
 * The plan holds the order, the elimination tree and the memory of L: new values on the same pattern cost a factorisation
 * only. For a surface of n vertices L has O(n log n) entries, the factorisation costs O(n^1.5), a solve one pass over L.
 *
 * Based on: Davis, "Algorithm 849: a concise sparse Cholesky factorization package", 2005 (up-looking, row by row).
 */
import { IsoskinError } from '../error.js';
import type { Csr } from '../mesh/surface.js';
import { orderNested } from './order-nested.js';
import type { SparseMatrix } from './sparse-matrix.js';

export interface SparseCholesky {
  readonly size: number;
  /** Entries of L below its diagonal. */
  readonly fill: number;
  /** Factors the matrix with other values on the planned pattern; false when it is not positive definite. */
  refactor(values: Float64Array): boolean;
  /** x = A⁻¹ b; `out` may be `b`. */
  solve(out: Float64Array, b: Float64Array): void;
}

/** @param coordinates #×3, places of the unknowns: a better order. */
export function planSparseCholesky(matrix: SparseMatrix, coordinates?: ArrayLike<number>): SparseCholesky {
  const { size } = matrix;
  const order = orderNested(planGraph(matrix), coordinates);
  const rows = permuteRows(matrix, order);
  const { parents, starts } = planElimination(rows, size);
  const fill = starts[size]!;
  const indices = new Uint32Array(fill);
  const factor = new Float64Array(fill);
  const pivots = new Float64Array(size);
  const ends = new Uint32Array(size); // next free entry of every column while rows are added
  const work = new Float64Array(size);
  const marks = new Int32Array(size);
  const pattern = new Uint32Array(size);

  const refactor = (values: Float64Array): boolean => {
    marks.fill(-1);
    work.fill(0);
    for (let k = 0; k < size; k++) {
      let top = size;
      marks[k] = k;
      ends[k] = starts[k]!;
      let diagonal = 0;
      for (let n = rows.offsets[k]!; n < rows.offsets[k + 1]!; n++) {
        let i = rows.columns[n]!;
        if (i === k) {
          diagonal += values[rows.sources[n]!]!;
          continue;
        }
        work[i]! += values[rows.sources[n]!]!;
        let length = 0;
        for (; marks[i] !== k; i = parents[i]!) {
          pattern[length++] = i;
          marks[i] = k;
        }
        while (length > 0) pattern[--top] = pattern[--length]!;
      }
      for (; top < size; top++) {
        const i = pattern[top]!;
        const y = work[i]!;
        work[i] = 0;
        const end = ends[i]!;
        for (let p = starts[i]!; p < end; p++) work[indices[p]!]! -= factor[p]! * y;
        const entry = y / pivots[i]!;
        diagonal -= entry * y;
        indices[end] = k;
        factor[end] = entry;
        ends[i] = end + 1;
      }
      if (!(diagonal > 0)) return false;
      pivots[k] = diagonal;
    }
    return true;
  };

  const solve = (out: Float64Array, b: Float64Array): void => {
    for (let k = 0; k < size; k++) work[k] = b[order[k]!]!;
    for (let k = 0; k < size; k++) {
      const x = work[k]!;
      for (let p = starts[k]!; p < starts[k + 1]!; p++) work[indices[p]!]! -= factor[p]! * x;
    }
    for (let k = 0; k < size; k++) work[k]! /= pivots[k]!;
    for (let k = size - 1; k >= 0; k--) {
      let x = work[k]!;
      for (let p = starts[k]!; p < starts[k + 1]!; p++) x -= factor[p]! * work[indices[p]!]!;
      work[k] = x;
    }
    for (let k = 0; k < size; k++) out[order[k]!] = work[k]!;
  };

  if (!refactor(matrix.values)) {
    throw new IsoskinError(
      'MATRIX_NOT_POSITIVE_DEFINITE',
      'A sparse system is not positive definite; make sure that every unknown has a positive diagonal and finite values.',
    );
  }
  return { size, fill, refactor, solve };
}

/** Both triangles of the pattern, without the diagonal. */
function planGraph({ size, offsets, columns }: SparseMatrix): Csr {
  const starts = new Uint32Array(size + 1);
  for (let i = 0; i < size; i++) {
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
      if (columns[n] === i) continue;
      starts[i + 1]!++;
      starts[columns[n]! + 1]!++;
    }
  }
  for (let i = 0; i < size; i++) starts[i + 1]! += starts[i]!;
  const values = new Uint32Array(starts[size]!);
  const next = starts.slice(0, size);
  for (let i = 0; i < size; i++) {
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
      const j = columns[n]!;
      if (j === i) continue;
      values[next[i]!++] = j;
      values[next[j]!++] = i;
    }
  }
  return { offsets: starts, values };
}

interface PermutedRows {
  readonly offsets: Uint32Array;
  readonly columns: Uint32Array;
  /** Entry of the original matrix. */
  readonly sources: Uint32Array;
}

/** Rows of the lower triangle of P A Pᵀ. */
function permuteRows({ size, offsets, columns }: SparseMatrix, order: Uint32Array): PermutedRows {
  const place = new Uint32Array(size);
  for (let k = 0; k < size; k++) place[order[k]!] = k;
  const starts = new Uint32Array(size + 1);
  for (let i = 0; i < size; i++) {
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) starts[Math.max(place[i]!, place[columns[n]!]!) + 1]!++;
  }
  for (let i = 0; i < size; i++) starts[i + 1]! += starts[i]!;
  const permuted = new Uint32Array(starts[size]!);
  const sources = new Uint32Array(starts[size]!);
  const next = starts.slice(0, size);
  for (let i = 0; i < size; i++) {
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
      const a = place[i]!;
      const b = place[columns[n]!]!;
      const to = next[Math.max(a, b)]!++;
      permuted[to] = Math.min(a, b);
      sources[to] = n;
    }
  }
  return { offsets: starts, columns: permuted, sources };
}

/** Elimination tree and the first entry of every column of L. */
function planElimination(rows: PermutedRows, size: number): { parents: Int32Array; starts: Uint32Array } {
  const parents = new Int32Array(size).fill(-1);
  const marks = new Int32Array(size).fill(-1);
  const starts = new Uint32Array(size + 1);
  for (let k = 0; k < size; k++) {
    marks[k] = k;
    for (let n = rows.offsets[k]!; n < rows.offsets[k + 1]!; n++) {
      for (let i = rows.columns[n]!; marks[i] !== k; i = parents[i]!) {
        if (parents[i] === -1) parents[i] = k;
        starts[i + 1]!++;
        marks[i] = k;
      }
    }
  }
  for (let k = 0; k < size; k++) starts[k + 1]! += starts[k]!;
  return { parents, starts };
}
