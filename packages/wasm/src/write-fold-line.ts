/** The skin under a tool, as the kernels of folds read it (LINE_… in layout.ts). */
import type { FoldPlan } from '@isoskin/core/kernels';
import * as at from './layout.js';
import { type FoldQuads, liftAt, pad } from './place-folds.js';

/** The memory of folds: its record, arrays by the field that points to them, where vertices and their rooms are, and the fours of every tool. */
export interface FoldMemory {
  readonly head: Uint32Array;
  readonly places: Uint32Array;
  readonly rooms: Uint32Array;
  readonly quads: readonly FoldQuads[];
  words(field: number, length: number): Uint32Array;
  floats(field: number, length: number): Float32Array;
}

export function writeLine(plan: FoldPlan, k: number, memory: FoldMemory): void {
  const { head, places, rooms, quads, words, floats } = memory;
  const record = at.FOLD_BYTES + at.TOOL_BYTES * k;
  const { vertices, line, slots, items } = plan.lines[k]!;
  const own = words(record + at.LINE_VERTICES, 3 * pad(vertices.length));
  for (let i = 0; i < pad(vertices.length); i++) {
    const place = places[vertices[i] ?? vertices[0]!]!;
    own.set([place, rooms[place >> 3]!, rooms[(place >> 3) + 1]!], 3 * i);
  }
  const corners = line.corners.length;
  const points = words(record + at.LINE_POINTS, 6 * pad(corners / 3));
  const weights = floats(record + at.LINE_POINTS, points.length);
  for (let i = 0; i < points.length / 2; i++) {
    const from = Math.min(i, corners - 3 + (i % 3));
    points[6 * Math.floor(i / 3) + (i % 3)] = 16 * line.corners[from]!;
    weights[6 * Math.floor(i / 3) + (i % 3) + 3] = line.weights[from]!;
  }
  const movers = [...slots.keys()].filter((j) => slots[j]!.length > 0);
  const entries = movers.flatMap((j) => {
    const lifts = head[(at.FOLD_BYTES + at.TOOL_BYTES * j + at.TOOL_LIFTS) >> 2]!;
    const list = Array.from(slots[j]!, (slot, n) => [
      32 * (slot >> 2) + 4 * (slot & 3),
      lifts + liftAt(quads[j]!.slots[items[j]![n]!]!),
    ]);
    return [list.length, ...list.flat()];
  });
  head[(record + at.LINE_TOOL_COUNT) >> 2] = movers.length;
  words(record + at.LINE_TOOLS, movers.length).set(movers.map((j) => at.FOLD_BASE + at.FOLD_BYTES + at.TOOL_BYTES * j));
  words(record + at.LINE_ENTRIES, entries.length).set(entries);
}
