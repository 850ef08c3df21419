/**
 * Tiles: 256 vertices, or 256 (region, vertex) pairs, that one workgroup measures, with everything that they share.
 *
 * rows     regions whose volume the tile's items take part in
 * columns  shapes whose φ is not zero there; values as signed 16 bit, two columns per word, with one scale per column
 * sums     what the workgroup adds up: V_s, or J_st, each into a slot of its own
 *
 * Slots of one entry (a V_s or a J_st) stand together, in the order of the tiles: the sums are deterministic.
 */

import { IsoskinError } from '@isoskin/core';
import type { FramePlan, VertexValues } from '@isoskin/core/kernels';
import { NO_SLOT, SLOT_BITS, TILE, TILE_FIELDS } from '../constants.js';
import { bitsOf, type ListWriter } from './create-list-writer.js';

/** Items of all tiles, in order: `vertex` −1 for padding, `region` −1 for items that are not summed. */
export interface TileItems {
  readonly vertex: Int32Array;
  readonly region: Int32Array;
}

export interface TilePlan {
  /** Headers, TILE_FIELDS each. */
  readonly headers: Uint32Array;
  /** Slot of its row, per item. */
  readonly rowSlots: Uint8Array;
  readonly entries: SumEntries;
  /** Words of φ of the vertices, and of the pairs. */
  readonly valueWords: number;
  readonly pairValueWords: number;
}

/** Everything that is summed: V_0 … V_{K−1}, then the entries of J that are not zero. */
export interface SumEntries {
  readonly rows: readonly number[];
  /** −1: the volume. */
  readonly columns: readonly number[];
  /** Entry → its slots. */
  readonly runs: Uint32Array;
}

/** @param vertexTiles the first tiles hold vertices, and shapes that are given as well. @param place vertex → place on the GPU. */
export function planTiles(
  lists: ListWriter,
  { regionCount: K, anchors }: FramePlan['volumes'],
  phi: VertexValues,
  items: TileItems,
  vertexTiles: number,
  place: Uint32Array,
): TilePlan {
  const tileCount = items.vertex.length / TILE;
  const headers = new Uint32Array(tileCount * TILE_FIELDS.length);
  const rowSlots = new Uint8Array(items.vertex.length).fill(NO_SLOT);
  const entries = createEntries(K);
  const sumLists: Uint32Array[] = [];
  const words = { vertices: 0, pairs: 0 };
  for (let tile = 0; tile < tileCount; tile++) {
    const first = tile * TILE;
    const rows = findRows(items.region, first, rowSlots);
    const columns = packColumns(phi, items.vertex, first, tile < vertexTiles ? Number.POSITIVE_INFINITY : K);
    const sums = listSums(rows, columns, rowSlots.subarray(first, first + TILE), K, entries.find);
    const header: Record<(typeof TILE_FIELDS)[number], number> = {
      rows: lists.add(Uint32Array.from(rows, (s) => place[anchors[s]!]!)),
      columns: lists.add(columns.list),
      columnCount: columns.shapes.length,
      values: lists.add(columns.values),
      sums: lists.add(sums),
      sumCount: sums.length / 2,
    };
    headers.set(
      TILE_FIELDS.map((field) => header[field]),
      tile * TILE_FIELDS.length,
    );
    sumLists.push(sums);
    words[tile < vertexTiles ? 'vertices' : 'pairs'] += columns.values.length;
  }
  const runs = placeSums(sumLists, entries.rows.length);
  return {
    headers,
    rowSlots,
    entries: { rows: entries.rows, columns: entries.columns, runs },
    valueWords: words.vertices,
    pairValueWords: words.pairs,
  };
}

/** Regions of a tile's items; the slot of each item's own into `rowSlots`. */
function findRows(regions: Int32Array, first: number, rowSlots: Uint8Array): number[] {
  const slots = new Map<number, number>();
  for (let i = first; i < first + TILE; i++) {
    const s = regions[i]!;
    if (s < 0) continue;
    let slot = slots.get(s);
    if (slot === undefined) {
      slot = slots.size;
      checkSlots(slot);
      slots.set(s, slot);
    }
    rowSlots[i] = slot;
  }
  return [...slots.keys()];
}

/** V_s of every row, then J_st where it is not empty: row slot and column slot, then the entry. */
function listSums(
  rows: readonly number[],
  columns: TileColumns,
  rowSlots: Uint8Array,
  K: number,
  find: (s: number, t: number) => number,
): Uint32Array {
  const width = columns.shapes.length;
  const touched = new Uint8Array(rows.length * width);
  for (let i = 0; i < TILE; i++) {
    const row = rowSlots[i]!;
    if (row === NO_SLOT) continue;
    for (let c = 0; c < width; c++) if (columns.quantised[c * TILE + i] !== 0) touched[row * width + c] = 1;
  }
  const sums: number[] = [];
  for (const [row, s] of rows.entries()) sums.push((row << SLOT_BITS) | NO_SLOT, s);
  for (const [row, s] of rows.entries()) {
    for (const [c, t] of columns.shapes.entries()) {
      if (t < K && touched[row * width + c]) sums.push((row << SLOT_BITS) | c, find(s, t));
    }
  }
  return Uint32Array.from(sums);
}

function createEntries(K: number) {
  const rows = Array.from({ length: K }, (_, s) => s);
  const columns = new Array<number>(K).fill(-1);
  const found = new Map<number, number>();
  return {
    rows,
    columns,
    /** The entry J_st. */
    find(s: number, t: number): number {
      let entry = found.get(s * K + t);
      if (entry === undefined) {
        entry = rows.push(s) - 1;
        columns.push(t);
        found.set(s * K + t, entry);
      }
      return entry;
    },
  };
}

/** Entries in the lists become slots: those of one entry stand together, in the order of the tiles. */
function placeSums(sumLists: readonly Uint32Array[], entryCount: number): Uint32Array {
  const runs = new Uint32Array(entryCount + 1);
  for (const list of sumLists) for (let n = 1; n < list.length; n += 2) runs[list[n]! + 1]!++;
  for (let e = 0; e < entryCount; e++) runs[e + 1]! += runs[e]!;
  const fill = runs.slice();
  for (const list of sumLists) for (let n = 1; n < list.length; n += 2) list[n] = fill[list[n]!]!++;
  return runs;
}

interface TileColumns {
  readonly shapes: readonly number[];
  /** Shape and scale of every column. */
  readonly list: Uint32Array;
  /** Two columns per word, and the same as numbers. */
  readonly values: Uint32Array;
  readonly quantised: Int16Array;
}

/** φ of the items of one tile, column by column, of the shapes before `end`. */
function packColumns(
  { offsets, shapes, values }: VertexValues,
  vertices: Int32Array,
  first: number,
  end: number,
): TileColumns {
  const columns = new Map<number, Float64Array>();
  for (let i = 0; i < TILE; i++) {
    const k = vertices[first + i]!;
    if (k < 0) continue;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      if (s >= end || values[e] === 0) continue;
      let column = columns.get(s);
      if (!column) {
        checkSlots(columns.size);
        column = new Float64Array(TILE);
        columns.set(s, column);
      }
      column[i] = values[e]!;
    }
  }
  const packed = new Uint32Array(Math.ceil(columns.size / 2) * TILE);
  const quantised = new Int16Array(columns.size * TILE);
  const list: number[] = [];
  for (const [n, [s, column]] of [...columns].entries()) {
    let largest = 0;
    for (let i = 0; i < TILE; i++) largest = Math.max(largest, Math.abs(column[i]!));
    for (let i = 0; i < TILE; i++) {
      const value = Math.round((32767 * column[i]!) / largest);
      quantised[n * TILE + i] = value;
      packed[(n >> 1) * TILE + i]! |= (value & 0xffff) << (16 * (n & 1));
    }
    list.push(s, bitsOf(largest));
  }
  return { shapes: [...columns.keys()], list: Uint32Array.from(list), values: packed, quantised };
}

/** Another region may join `count` others. */
function checkSlots(count: number): void {
  if (count < NO_SLOT) return;
  throw new IsoskinError(
    'GPU_TOO_MANY_REGIONS',
    `More than ${NO_SLOT} regions meet within ${TILE} vertices: merge regions (regions.minShare) or use createStack`,
  );
}
