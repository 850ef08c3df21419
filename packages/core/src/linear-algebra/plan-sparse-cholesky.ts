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
import { solveFour } from './solve-four.js';
import type { SparseMatrix } from './sparse-matrix.js';

export interface SparseCholesky {
  readonly size: number;
  /** Entries of L below its diagonal. */
  readonly fill: number;
  /** Factors the matrix with other values on the planned pattern; false when it is not positive definite. */
  refactor(values: Float64Array): boolean;
  /** x = A⁻¹ b; `out` may be `b`. */
  solve(out: Float64Array, b: Float64Array): void;
  /** The same for up to four b, each in place, to the same bits: one pass over L serves all. */
  solveSome(four: readonly Float64Array[]): void;
}

/** @param coordinates #×3, places of the unknowns: a better order. */
export function planSparseCholesky(matrix: SparseMatrix, coordinates?: ArrayLike<number>): SparseCholesky {
  const factor = new Factor(matrix, orderNested(planGraph(matrix), coordinates));
  if (!factor.refactor(matrix.values)) {
    throw new IsoskinError(
      'MATRIX_NOT_POSITIVE_DEFINITE',
      'A sparse system is not positive definite; make sure that every unknown has a positive diagonal and finite values.',
    );
  }
  return {
    size: factor.size,
    fill: factor.fill,
    refactor: (values) => factor.refactor(values),
    solve: (out, b) => factor.solve(out, b),
    solveSome: (four) => factor.solveSome(four),
  };
}

/** A class, as engines compile closures anew for every plan. */
class Factor {
  readonly size: number;
  readonly fill: number;
  private readonly rows: PermutedRows;
  private readonly parents: Int32Array; // of the elimination tree
  private readonly starts: Uint32Array;
  private readonly chains: Uint32Array;
  private readonly indices: Uint32Array;
  private readonly entries: Float64Array;
  private readonly pivots: Float64Array;
  private readonly ends: Uint32Array; // next free entry of every column while rows are added
  private readonly work: Float64Array;
  private readonly marks: Int32Array;
  private readonly pattern: Uint32Array;
  private readonly lanes: Float64Array;

  constructor(
    matrix: SparseMatrix,
    private readonly order: Uint32Array,
  ) {
    const { size } = matrix;
    this.size = size;
    this.rows = permuteRows(matrix, order);
    const { parents, starts } = planElimination(this.rows, size);
    this.parents = parents;
    this.starts = starts;
    this.chains = measureChains(parents, starts);
    this.fill = starts[size]!;
    this.indices = new Uint32Array(this.fill);
    this.entries = new Float64Array(this.fill);
    this.pivots = new Float64Array(size);
    this.ends = new Uint32Array(size);
    this.work = new Float64Array(size);
    this.marks = new Int32Array(size);
    this.pattern = new Uint32Array(size);
    this.lanes = new Float64Array(4 * size);
  }

  refactor(values: Float64Array): boolean {
    const { size, rows, parents, starts, chains, pivots, ends, work, marks, pattern } = this;
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
      while (top < size) {
        const i = pattern[top]!;
        if (top + 3 < size && chains[i]! > 3 && pattern[top + 3] === i + 3) {
          diagonal -= this.eliminateFour(i, k);
          top += 4;
        } else {
          diagonal -= this.eliminateOne(i, k);
          top++;
        }
      }
      if (!(diagonal > 0)) return false;
      pivots[k] = diagonal;
    }
    return true;
  }

  solve(out: Float64Array, b: Float64Array): void {
    this.lanes.fill(0);
    this.put(0, b);
    this.substitute();
    this.take(0, out);
  }

  solveSome(four: readonly Float64Array[]): void {
    for (let r = 0; r < four.length; r++) this.put(r, four[r]!);
    this.substitute();
    for (let r = 0; r < four.length; r++) this.take(r, four[r]!);
  }

  private eliminateOne(i: number, k: number): number {
    const { starts, ends, indices, entries, work } = this;
    const y = work[i]!;
    for (let p = starts[i]!, end = ends[i]!; p < end; p++) work[indices[p]!]! -= entries[p]! * y;
    return this.append(i, k, y);
  }

  /** Columns i … i + 3 have the same entries below: one pass over the indices serves all four. */
  private eliminateFour(i: number, k: number): number {
    const { starts, ends, indices, entries, work } = this;
    const a = starts[i]!;
    const b = starts[i + 1]!;
    const c = starts[i + 2]!;
    const d = starts[i + 3]!;
    const y = work[i]!;
    const z = work[i + 1]! - entries[a]! * y;
    const v = work[i + 2]! - entries[a + 1]! * y - entries[b]! * z;
    const w = work[i + 3]! - entries[a + 2]! * y - entries[b + 1]! * z - entries[c]! * v;
    const count = ends[i + 3]! - d;
    for (let p = 0; p < count; p++) {
      const row = indices[d + p]!;
      work[row] =
        work[row]! - entries[a + 3 + p]! * y - entries[b + 2 + p]! * z - entries[c + 1 + p]! * v - entries[d + p]! * w;
    }
    return this.append(i, k, y) + this.append(i + 1, k, z) + this.append(i + 2, k, v) + this.append(i + 3, k, w);
  }

  /** Entry L_ki = y/D_i, appended to column i; returns its share y²/D_i in the pivot of row k. */
  private append(i: number, k: number, y: number): number {
    const end = this.ends[i]!;
    const entry = y / this.pivots[i]!;
    this.indices[end] = k;
    this.entries[end] = entry;
    this.ends[i] = end + 1;
    this.work[i] = 0;
    return entry * y;
  }

  private substitute(): void {
    const { starts, indices, entries: factor, pivots } = this;
    solveFour(this.lanes, { starts, indices, factor, pivots });
  }

  private put(r: number, b: Float64Array): void {
    const { size, order, lanes } = this;
    for (let k = 0; k < size; k++) lanes[4 * k + r] = b[order[k]!]!;
  }

  private take(r: number, x: Float64Array): void {
    const { size, order, lanes } = this;
    for (let k = 0; k < size; k++) x[order[k]!] = lanes[4 * k + r]!;
  }
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

/** How many columns i, i + 1, … have the same entries below themselves, seen from each column. */
function measureChains(parents: Int32Array, starts: Uint32Array): Uint32Array {
  const size = parents.length;
  const chains = new Uint32Array(size);
  for (let i = size - 1; i >= 0; i--) {
    const own = starts[i + 1]! - starts[i]!;
    const nested = parents[i] === i + 1 && own === starts[i + 2]! - starts[i + 1]! + 1;
    chains[i] = nested ? chains[i + 1]! + 1 : 1;
  }
  return chains;
}
