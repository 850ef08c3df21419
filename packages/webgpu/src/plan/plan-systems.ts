/**
 * The systems of the components (blocks): which entries of J they hold, by column, and the products that make up GᵀQG (G = W J).
 *
 *   A_ic = Σ_r Q_r J_ri J_rc / w_r²       one list of pairs of entries for every i ≤ c
 *
 * Bases are local, so the lists are short; what is not listed is zero.
 */
import { BLOCK_FIELDS } from '../constants.js';
import type { ListWriter } from './create-list-writer.js';
import type { SumEntries } from './plan-slices.js';

export interface SystemPlan {
  /** Headers, BLOCK_FIELDS each. */
  readonly headers: Uint32Array;
  /** Words that the blocks of one character need outside workgroup memory: scaled J, and large matrices. */
  readonly scratchLength: number;
  readonly largest: number;
}

export function planSystems(
  lists: ListWriter,
  blocks: readonly Uint32Array[],
  { rows, columns }: SumEntries,
  sharedRegions: number,
): SystemPlan {
  const headers = new Uint32Array(Math.max(1, blocks.length) * BLOCK_FIELDS.length);
  const local = new Map<number, number>();
  const blockOf = new Map<number, number>();
  for (const [b, block] of blocks.entries()) {
    for (const [i, s] of block.entries()) {
      local.set(s, i);
      blockOf.set(s, b);
    }
  }
  const entriesOf: number[][] = blocks.map(() => []);
  for (let e = 0; e < rows.length; e++) {
    if (columns[e]! >= 0 && blockOf.get(rows[e]!) === blockOf.get(columns[e]!)) {
      entriesOf[blockOf.get(rows[e]!)!]!.push(e);
    }
  }
  let scratchLength = 0;
  let largest = 0;
  for (const [b, block] of blocks.entries()) {
    const n = block.length;
    const entries = entriesOf[b]!.sort((e, f) => local.get(columns[e]!)! - local.get(columns[f]!)! || e - f);
    const starts = new Uint32Array(n + 1);
    const byRow: { column: number; index: number }[][] = Array.from({ length: n }, () => []);
    for (const [index, e] of entries.entries()) {
      const column = local.get(columns[e]!)!;
      starts[column + 1]!++;
      byRow[local.get(rows[e]!)!]!.push({ column, index });
    }
    for (let i = 0; i < n; i++) starts[i + 1]! += starts[i]!;
    const products: number[][] = Array.from({ length: (n * (n + 1)) / 2 }, () => []);
    for (const row of byRow) {
      for (const p of row) {
        for (const q of row) {
          if (p.column <= q.column) products[(q.column * (q.column + 1)) / 2 + p.column]!.push(p.index, q.index);
        }
      }
    }
    const productStarts = new Uint32Array(products.length + 1);
    for (const [p, list] of products.entries()) productStarts[p + 1] = productStarts[p]! + list.length / 2;
    const values = [
      n,
      lists.add(block),
      lists.add(starts),
      entries.length,
      lists.add(Uint32Array.from(entries.flatMap((e) => [local.get(rows[e]!)! | (local.get(columns[e]!)! << 16), e]))),
      lists.add(productStarts),
      scratchLength,
      scratchLength + entries.length,
    ];
    lists.add(Uint32Array.from(products.flat())); // right behind their offsets
    headers.set(values, b * BLOCK_FIELDS.length);
    scratchLength += entries.length + (n > sharedRegions ? n * (n + 1) : 0);
    largest = Math.max(largest, n);
  }
  return { headers, scratchLength, largest };
}
