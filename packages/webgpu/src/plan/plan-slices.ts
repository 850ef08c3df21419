/**
 * Slices: 32 vertices, or 32 (region, vertex) pairs, of one region, that one subgroup measures, with everything that they share.
 *
 * columns  shapes whose φ is not zero there, those to solve for first; values as signed 16 bit, two columns per word, with one scale each;
 *          the first ones of all slices stand one after the other, the others behind
 * sums     where the slice's sums go: J_st of every column t that is solved for, then V_s
 *
 * Slots of one entry (a V_s or a J_st) stand together, in the order of the slices: the sums are deterministic.
 */

import { IsoskinError } from '@isoskin/core';
import type { FramePlan, VertexValues } from '@isoskin/core/kernels';
import { COLUMNS_AHEAD, MOST_COLUMNS, NO_SUM, SLICE, SLICE_FIELDS, type SliceField, TILE } from '../constants.js';
import { bitsOf, type ListWriter } from './create-list-writer.js';
import type { SlicedLists } from './plan-rings.js';

/** Items of all slices, in order: `vertex` −1 for padding, `region` −1 for items that are not summed. One region per slice. */
export interface SliceItems {
  readonly vertex: Int32Array;
  readonly region: Int32Array;
}

export interface SlicePlan {
  /** SLICE_FIELDS each; lists that others plan are filled in by `packHeaders`. */
  readonly headers: Record<SliceField, number>[];
  readonly entries: SumEntries;
  /** Where the first columns and values of all slices stand. */
  readonly columns: number;
  readonly values: number;
  readonly mostColumns: number;
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

/** @param vertexCount the first items are vertices, and move by given shapes as well. @param place vertex → place on the GPU. */
export function planSlices(
  lists: ListWriter,
  { regionCount: K, anchors }: FramePlan['volumes'],
  phi: VertexValues,
  items: SliceItems,
  vertexCount: number,
  place: Uint32Array,
): SlicePlan {
  const headers: Record<SliceField, number>[] = [];
  const entries = createEntries(K);
  const sumLists: Uint32Array[] = [];
  const words = { vertices: 0, pairs: 0 };
  const sliceCount = items.vertex.length / SLICE;
  const ahead = { columns: 2 * COLUMNS_AHEAD, values: (COLUMNS_AHEAD / 2) * SLICE };
  const first = {
    columns: new Uint32Array(ahead.columns * sliceCount),
    values: new Uint32Array(ahead.values * sliceCount),
  };
  const split = (field: keyof typeof ahead, n: number, list: Uint32Array) => {
    first[field].set(list.subarray(0, ahead[field]), n * ahead[field]);
    return lists.add(list.subarray(ahead[field])) - ahead[field];
  };
  for (let n = 0; n < sliceCount; n++) {
    const item = n * SLICE;
    const isVertex = item < vertexCount;
    const columns = packColumns(phi, items.vertex, item, isVertex ? Number.POSITIVE_INFINITY : K);
    const regions = items.region.subarray(item, item + SLICE);
    const region = regions.find((s) => s >= 0) ?? -1;
    const sums = region < 0 ? Uint32Array.of(NO_SUM) : listSums(region, columns, regions, K, entries.find);
    headers.push({
      rings: 0,
      widths: sums.length,
      anchor: region < 0 ? 0 : place[anchors[region]!]!,
      sums: lists.add(sums),
      columns: split('columns', n, columns.list),
      counts: columns.shapes.length | ((sums.length - 1) << 8),
      values: split('values', n, columns.values),
      influences: 0,
    });
    sumLists.push(sums);
    words[isVertex ? 'vertices' : 'pairs'] += Math.max(ahead.values, columns.values.length);
  }
  const runs = placeSums(sumLists, entries.rows.length);
  return {
    headers,
    columns: lists.addAligned(first.columns),
    values: lists.addAligned(first.values),
    mostColumns: headers.reduce((most, { counts }) => Math.max(most, counts & 0xff), 0),
    entries: { rows: entries.rows, columns: entries.columns, runs },
    valueWords: words.vertices,
    pairValueWords: words.pairs,
  };
}

/**
 * The headers as they are uploaded. `widths`: length of the rings, and the most sums of a slice of the same workgroup; `counts`: columns,
 * those that are solved for, influences, and the most columns of a slice of the same workgroup.
 */
export function packHeaders(
  headers: readonly Record<SliceField, number>[],
  rings: SlicedLists & { readonly start: number },
  influences: SlicedLists & { readonly start: number },
): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(headers.length * SLICE_FIELDS.length);
  const perTile = TILE / SLICE;
  const place = ({ offsets, start }: typeof rings, n: number) => start + offsets[n]!;
  for (const [n, header] of headers.entries()) {
    const tile = headers.slice(n - (n % perTile), n - (n % perTile) + perTile);
    const sums = Math.max(...tile.map(({ widths }) => widths));
    const columns = Math.max(...tile.map(({ counts }) => counts & 0xff));
    const hasInfluences = n < influences.offsets.length;
    const full = {
      ...header,
      rings: place(rings, n),
      widths: rings.widths[n]! | (sums << 16),
      counts: header.counts | ((hasInfluences ? influences.widths[n]! : 0) << 16) | (columns << 24),
      influences: hasInfluences ? place(influences, n) : 0,
    };
    for (const [i, field] of SLICE_FIELDS.entries()) out[n * SLICE_FIELDS.length + i] = full[field];
  }
  return out;
}

/** J_st of every column that is solved for, where it is not empty, then V_s: their entries. */
function listSums(
  s: number,
  { shapes, quantised }: SliceColumns,
  regions: Int32Array,
  K: number,
  find: (s: number, t: number) => number,
): Uint32Array {
  const sums: number[] = [];
  for (const [c, t] of shapes.entries()) {
    if (t >= K) continue;
    const isTouched = regions.some((region, i) => region >= 0 && quantised[c * SLICE + i] !== 0);
    sums.push(isTouched ? find(s, t) : NO_SUM);
  }
  return Uint32Array.from([...sums, s]);
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

/** Entries in the lists become slots: those of one entry stand together, in the order of the slices. */
function placeSums(sumLists: readonly Uint32Array[], entryCount: number): Uint32Array {
  const runs = new Uint32Array(entryCount + 1);
  for (const list of sumLists) for (const entry of list) if (entry !== NO_SUM) runs[entry + 1]!++;
  for (let e = 0; e < entryCount; e++) runs[e + 1]! += runs[e]!;
  const fill = runs.slice();
  for (const list of sumLists) {
    for (let n = 0; n < list.length; n++) if (list[n] !== NO_SUM) list[n] = fill[list[n]!]!++;
  }
  return runs;
}

interface SliceColumns {
  readonly shapes: readonly number[];
  /** Shape and scale of every column, of an even number of them. */
  readonly list: Uint32Array;
  /** Two columns per word, and the same as numbers. */
  readonly values: Uint32Array;
  readonly quantised: Int16Array;
}

/** φ of the items of one slice, column by column, of the shapes before `end`. */
function packColumns(
  { offsets, shapes, values }: VertexValues,
  vertices: Int32Array,
  first: number,
  end: number,
): SliceColumns {
  const found = new Map<number, Float64Array>();
  for (let i = 0; i < SLICE; i++) {
    const k = vertices[first + i]!;
    if (k < 0) continue;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      if (s >= end || values[e] === 0) continue;
      let column = found.get(s);
      if (!column) {
        column = new Float64Array(SLICE);
        found.set(s, column);
      }
      column[i] = values[e]!;
    }
  }
  if (found.size > MOST_COLUMNS) {
    throw new IsoskinError(
      'GPU_TOO_MANY_REGIONS',
      `More than ${MOST_COLUMNS} regions meet within ${SLICE} vertices: merge regions (regions.minShare) or use createStack`,
    );
  }
  const columns = [...found].sort(([s], [t]) => s - t);
  const pairs = Math.ceil(columns.length / 2);
  const packed = new Uint32Array(pairs * SLICE);
  const quantised = new Int16Array(columns.length * SLICE);
  const list = new Uint32Array(4 * pairs);
  for (const [n, [s, column]] of columns.entries()) {
    let largest = 0;
    for (let i = 0; i < SLICE; i++) largest = Math.max(largest, Math.abs(column[i]!));
    for (let i = 0; i < SLICE; i++) {
      const value = Math.round((32767 * column[i]!) / largest);
      quantised[n * SLICE + i] = value;
      packed[(n >> 1) * SLICE + i]! |= (value & 0xffff) << (16 * (n & 1));
    }
    list.set([s, bitsOf(largest)], 2 * n);
  }
  return { shapes: columns.map(([s]) => s), list, values: packed, quantised };
}
