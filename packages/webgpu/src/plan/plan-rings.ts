/**
 * The opposite edges of a vertex as one walk around it, so that the area vector needs one index per triangle:
 *
 *   a_k = 1/6 Σ_n (x_{e(n−1)} − x_k) × (x_{e(n)} − x_k)        over the entries n without RING_BREAK, cyclic
 *
 * Walks are stored in slices of 32 vertices, entry by entry; a shorter walk repeats its last entry (a zero triangle).
 */
import { RING_BREAK, SLICE } from '../constants.js';

export interface RingBuilder {
  /** A triangle (k, i, j) at vertex k. */
  addEdge(i: number, j: number): void;
  /** Ends the ring of vertex k. */
  finish(k: number): void;
  /** Slice offsets (relative to the list's own start) and entries. */
  pack(): SlicedLists;
}

export interface SlicedLists {
  /** Slice → where the first word would stand in `values` if none stood ahead; longest list. */
  readonly offsets: Uint32Array;
  readonly widths: Uint32Array;
  readonly values: Uint32Array;
}

/** @param edgeCount about how many edges will come. */
export function createRingBuilder(ringCount: number, edgeCount: number): RingBuilder {
  const offsets = new Uint32Array(ringCount + 1);
  let entries = new Uint32Array(edgeCount + 2 * ringCount + 16);
  let length = 0;
  let ring = 0;
  let starts = new Uint32Array(64);
  let ends = new Uint32Array(64);
  let count = 0;

  function addEdge(i: number, j: number): void {
    if (count === starts.length) {
      starts = grow(starts);
      ends = grow(ends);
    }
    starts[count] = i;
    ends[count++] = j;
  }

  /** Removes and returns the end of an edge that starts at `tip`, or −1. */
  function follow(tip: number): number {
    for (let e = 0; e < count; e++) {
      if (starts[e] !== tip) continue;
      const end = ends[e]!;
      starts[e] = starts[--count]!;
      ends[e] = ends[count]!;
      return end;
    }
    return -1;
  }

  /** An edge that no other leads to, else any: open walks must start at their beginning. */
  function findStart(): number {
    for (let e = 0; e < count; e++) {
      let first = true;
      for (let f = 0; f < count && first; f++) first = ends[f] !== starts[e];
      if (first) return starts[e]!;
    }
    return starts[0]!;
  }

  function finish(k: number): void {
    if (length + 3 * count + 2 > entries.length) entries = grow(entries, 3 * count + 2);
    const from = length;
    while (count > 0) {
      const chain = length;
      const start = findStart();
      entries[length++] = start | RING_BREAK;
      for (let tip = follow(start); tip >= 0; tip = follow(tip)) entries[length++] = tip;
      if (chain === from && count === 0 && entries[length - 1] === start) {
        length--; // one closed walk: cyclic
        entries[from] = start;
      }
    }
    if (length === from) entries[length++] = (k | RING_BREAK) >>> 0;
    offsets[++ring] = length;
  }

  /** Short walks repeat their last entry, without RING_BREAK. */
  const pack = () => sliceLists(offsets, 0, (e, pad) => (pad ? (entries[e]! & ~RING_BREAK) >>> 0 : entries[e]!));
  return { addEdge, finish, pack };
}

/**
 * Lists of different lengths in slices of 32: word j of list k is at 32 (`ahead` · (k / 32) + j) + k % 32 for j < `ahead`, else at
 * offsets[k / 32] + 32 j + k % 32. Short and empty lists are padded.
 */
export function sliceLists(
  lists: Uint32Array,
  ahead: number,
  wordOf: (entry: number, pad: boolean) => number,
): SlicedLists {
  const widths = measureWidths(lists);
  const offsets = new Uint32Array(widths.length);
  let length = SLICE * ahead * widths.length;
  for (const [s, width] of widths.entries()) {
    offsets[s] = length - SLICE * ahead;
    length += SLICE * Math.max(0, width - ahead);
  }
  const values = new Uint32Array(length);
  for (let k = 0; k + 1 < lists.length; k++) {
    const s = Math.floor(k / SLICE);
    const [from, to] = [lists[k]!, lists[k + 1]!];
    for (let j = 0; j < Math.max(ahead, widths[s]!); j++) {
      const pad = from + j >= to;
      const start = j < ahead ? SLICE * ahead * s : offsets[s]!;
      values[start + SLICE * j + (k % SLICE)] = wordOf(pad ? to - 1 : from + j, pad);
    }
  }
  return { offsets, widths, values };
}

/** Longest list of every slice. */
export function measureWidths(lists: Uint32Array): Uint32Array {
  const widths = new Uint32Array(Math.ceil((lists.length - 1) / SLICE));
  for (let k = 0; k + 1 < lists.length; k++) {
    const s = Math.floor(k / SLICE);
    widths[s] = Math.max(widths[s]!, lists[k + 1]! - lists[k]!);
  }
  return widths;
}

function grow(values: Uint32Array, more = 0): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(2 * values.length + more);
  out.set(values);
  return out;
}
