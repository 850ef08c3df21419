/**
 * Tiles: 256 vertices, or 256 (region, vertex) pairs, that one workgroup measures, with everything that they share.
 *
 * rows     regions whose volume the tile's items take part in
 * columns  regions whose basis φ is not zero there; values as signed 16 bit, two columns per word, with one scale per column
 * halo     the same for ψ; columns that are 1 on the whole tile have no values
 * sums     what the workgroup adds up: V_s, or J_st, each into a slot of its own
 *
 * Slots of one entry (a V_s or a J_st) stand together, in the order of the tiles: the sums are deterministic.
 */
import { type FramePlan, IsoskinError } from '@isoskin/core';
import { NO_SLOT, SLOT_BITS, TILE, TILE_FIELDS } from '../constants.js';
import { bitsOf, type ListWriter } from './create-list-writer.js';

type VertexValues = FramePlan['smooth']['bases'];

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
  /** Words of φ and ψ of the vertices, of φ alone, and of φ of the pairs. */
  readonly valueWords: number;
  readonly basisWords: number;
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

/** @param vertexTiles the first tiles hold vertices and get a halo. @param place vertex → place on the GPU (anchors). */
export function planTiles(
  lists: ListWriter,
  plan: FramePlan,
  items: TileItems,
  vertexTiles: number,
  place: Uint32Array,
): TilePlan {
  const { bases, halo } = plan.smooth;
  const { regionCount: K, anchors } = plan.volumes;
  const tileCount = items.vertex.length / TILE;
  const headers = new Uint32Array(tileCount * TILE_FIELDS.length);
  const rowSlots = new Uint8Array(items.vertex.length).fill(NO_SLOT);
  const entryRows = Array.from({ length: K }, (_, s) => s);
  const entryColumns = new Array<number>(K).fill(-1);
  const entryOf = new Map<number, number>();
  const sumLists: Uint32Array[] = []; // row slot and column slot, then the entry: becomes a slot below
  const slots = new Int32Array(K).fill(-1);
  const words = { basis: 0, pairs: 0, halo: 0 };

  for (let tile = 0; tile < tileCount; tile++) {
    const header = headers.subarray(tile * TILE_FIELDS.length);
    const set = (field: (typeof TILE_FIELDS)[number], value: number) => {
      header[TILE_FIELDS.indexOf(field)] = value;
    };
    const first = tile * TILE;
    const rows: number[] = [];
    for (let i = first; i < first + TILE; i++) {
      const s = items.region[i]!;
      if (s < 0) continue;
      if (slots[s]! < 0) {
        checkSlots(rows);
        slots[s] = rows.push(s) - 1;
      }
      rowSlots[i] = slots[s]!;
    }
    for (const s of rows) slots[s] = -1;
    const columns = packColumns(bases, items.vertex, first, slots, false);
    set('rows', lists.add(Uint32Array.from(rows, (s) => place[anchors[s]!]!)));
    set('columns', lists.add(columns.list));
    set('columnCount', columns.regions.length);
    set('values', lists.add(columns.values));
    words[tile < vertexTiles ? 'basis' : 'pairs'] += columns.values.length;
    if (tile < vertexTiles) {
      const psi = packColumns(halo, items.vertex, first, slots, true);
      set('halo', lists.add(psi.list));
      set('haloCount', psi.regions.length);
      set('haloUniform', psi.uniform);
      set('haloValues', lists.add(psi.values));
      words.halo += psi.values.length;
    }
    // Which sums are not empty?
    const width = columns.regions.length;
    const touched = new Uint8Array(rows.length * width);
    for (let i = first; i < first + TILE; i++) {
      const row = rowSlots[i]!;
      if (row === NO_SLOT) continue;
      for (let c = 0; c < width; c++) if (columns.dense[c * TILE + i - first] !== 0) touched[row * width + c] = 1;
    }
    const sums: number[] = [];
    for (const [row, s] of rows.entries()) sums.push((row << SLOT_BITS) | NO_SLOT, s);
    for (const [row, s] of rows.entries()) {
      for (const [c, t] of columns.regions.entries()) {
        if (!touched[row * width + c]) continue;
        let entry = entryOf.get(s * K + t);
        if (entry === undefined) {
          entry = entryRows.push(s) - 1;
          entryColumns.push(t);
          entryOf.set(s * K + t, entry);
        }
        sums.push((row << SLOT_BITS) | c, entry);
      }
    }
    const list = Uint32Array.from(sums);
    sumLists.push(list);
    set('sums', lists.add(list));
    set('sumCount', sums.length / 2);
    set('volumeSums', rows.length);
  }

  const runs = new Uint32Array(entryRows.length + 1);
  for (const list of sumLists) for (let n = 1; n < list.length; n += 2) runs[list[n]! + 1]!++;
  for (let e = 0; e < entryRows.length; e++) runs[e + 1]! += runs[e]!;
  const fill = runs.slice();
  for (const list of sumLists) for (let n = 1; n < list.length; n += 2) list[n] = fill[list[n]!]!++;
  return {
    headers,
    rowSlots,
    entries: { rows: entryRows, columns: entryColumns, runs },
    valueWords: words.basis + words.halo,
    basisWords: words.basis,
    pairValueWords: words.pairs,
  };
}

const dense = new Float64Array(TILE * NO_SLOT);

/** Values of the items of one tile, column by column. `uniform` columns (all 1) come last and have no values. */
function packColumns(
  { offsets, regions, values }: VertexValues,
  vertices: Int32Array,
  first: number,
  slots: Int32Array,
  allowUniform: boolean,
) {
  const found: number[] = [];
  for (let i = 0; i < TILE; i++) {
    const k = vertices[first + i]!;
    if (k < 0) continue;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = regions[e]!;
      if (slots[s]! < 0) {
        checkSlots(found);
        slots[s] = found.push(s) - 1;
        dense.fill(0, slots[s]! * TILE, (slots[s]! + 1) * TILE);
      }
      dense[slots[s]! * TILE + i] = values[e]!;
    }
  }
  for (const s of found) slots[s] = -1;
  const isUniform = (c: number) => {
    if (!allowUniform) return false;
    for (let i = 0; i < TILE; i++) if (vertices[first + i]! >= 0 && dense[c * TILE + i] !== 1) return false;
    return true;
  };
  const order = found.map((_, c) => c);
  const constant = order.filter(isUniform);
  const varying = order.filter((c) => !constant.includes(c));
  const packed = new Uint32Array(Math.ceil(varying.length / 2) * TILE);
  const list: number[] = [];
  const quantised = new Int16Array(varying.length * TILE);
  for (const [n, c] of varying.entries()) {
    let largest = 0;
    for (let i = 0; i < TILE; i++) largest = Math.max(largest, Math.abs(dense[c * TILE + i]!));
    for (let i = 0; i < TILE; i++) {
      const value = Math.round((32767 * dense[c * TILE + i]!) / largest);
      quantised[n * TILE + i] = value;
      packed[(n >> 1) * TILE + i]! |= (value & 0xffff) << (16 * (n & 1));
    }
    list.push(found[c]!, bitsOf(largest));
  }
  for (const c of constant) list.push(found[c]!, bitsOf(1));
  return {
    regions: [...varying, ...constant].map((c) => found[c]!),
    uniform: constant.length,
    list: Uint32Array.from(list),
    values: packed,
    dense: quantised,
  };
}

/** Another region may join the list. */
function checkSlots(regions: readonly number[]): void {
  if (regions.length < NO_SLOT) return;
  throw new IsoskinError(
    'GPU_TOO_MANY_REGIONS',
    `More than ${NO_SLOT} regions meet within ${TILE} vertices: merge regions (regions.minShare) or use createStack`,
  );
}
