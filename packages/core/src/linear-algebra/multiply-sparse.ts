/** Products of sparse matrices by rows: row i has `shares[e]` in column `values[e]`, e from offsets[i] to offsets[i + 1]. O(entries of the product's terms). */
import type { Csr } from '../mesh/surface.js';

export interface SparseRows extends Csr {
  readonly shares: Float64Array;
}

/** a·diag(scale)·b, or its lower triangle (j ≤ i). */
export function multiplySparse(
  a: SparseRows,
  b: SparseRows,
  columnCount: number,
  scale?: ArrayLike<number>,
  isLower = false,
): SparseRows {
  const rowCount = a.offsets.length - 1;
  const offsets = new Uint32Array(rowCount + 1);
  let values = new Uint32Array(2 * (a.values.length + b.values.length));
  let shares = new Float64Array(values.length);
  const place = new Int32Array(columnCount).fill(-1); // of a column in the row that is summed
  let end = 0;
  for (let i = 0; i < rowCount; i++) {
    const start = end;
    for (let n = a.offsets[i]!; n < a.offsets[i + 1]!; n++) {
      const k = a.values[n]!;
      const factor = scale ? scale[k]! * a.shares[n]! : a.shares[n]!;
      const to = b.offsets[k + 1]!;
      if (end + to - b.offsets[k]! > values.length) [values, shares] = [grow(values), grow(shares)];
      for (let e = b.offsets[k]!; e < to; e++) {
        const j = b.values[e]!;
        if (isLower && j > i) continue;
        let at = place[j]!;
        if (at < start) {
          at = place[j] = end++;
          values[at] = j;
          shares[at] = 0;
        }
        shares[at]! += factor * b.shares[e]!;
      }
    }
    offsets[i + 1] = end;
  }
  return { offsets, values: values.slice(0, end), shares: shares.slice(0, end) };
}

/** The same, with as much room again. */
export function grow<T extends Uint32Array | Float64Array>(list: T): T {
  const larger = new (list.constructor as new (length: number) => T)(2 * list.length + 1024);
  larger.set(list);
  return larger;
}

export function transposeSparse({ offsets, values, shares }: SparseRows, columnCount: number): SparseRows {
  const starts = new Uint32Array(columnCount + 1);
  for (let e = 0; e < values.length; e++) starts[values[e]! + 1]!++;
  for (let c = 0; c < columnCount; c++) starts[c + 1]! += starts[c]!;
  const next = starts.slice(0, columnCount);
  const rows = new Uint32Array(values.length);
  const entries = new Float64Array(values.length);
  for (let i = 0; i + 1 < offsets.length; i++) {
    for (let e = offsets[i]!; e < offsets[i + 1]!; e++) {
      const at = next[values[e]!]!++;
      rows[at] = i;
      entries[at] = shares[e]!;
    }
  }
  return { offsets: starts, values: rows, shares: entries };
}
