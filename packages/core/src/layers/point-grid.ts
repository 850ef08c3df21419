/**
 * Points in cells of one width: "which points lie within `reach` of here?" for any reach.
 *
 * The cells cover the box of all points. Points are put in one by one, so that a search sees what was put in so far; chains in two flat
 * arrays, no allocation per query.
 */
import { measureBox } from '../mesh/measure-box.js';

/** Cells along an axis, at most: bounds the memory of a few points that are far apart. */
const MAX_CELLS = 64;

export class PointGrid {
  /** Points that the last search found, and their distances. */
  readonly found: Uint32Array;
  readonly distances: Float64Array;
  private readonly box: number[];
  private readonly cell: number;
  private readonly counts: [number, number, number];
  private readonly heads: Int32Array;
  private readonly next: Int32Array;

  /** @param points #×3; none is in the grid yet */
  constructor(
    private readonly points: Float64Array,
    cell: number,
  ) {
    const count = points.length / 3;
    const box = measureBox(points);
    const spans = [0, 1, 2].map((r) => Math.max(0, box[r + 3]! - box[r]!) || 0);
    this.cell = Math.max(cell, Math.max(...spans) / MAX_CELLS, Number.MIN_VALUE);
    this.counts = spans.map((span) => 1 + Math.floor(span / this.cell)) as [number, number, number];
    this.box = box;
    this.heads = new Int32Array(this.counts[0] * this.counts[1] * this.counts[2]).fill(-1);
    this.next = new Int32Array(count);
    this.found = new Uint32Array(count);
    this.distances = new Float64Array(count);
  }

  put(point: number): void {
    const at = (r: number) => this.locate(this.points[3 * point + r]!, r);
    const c = at(0) + this.counts[0] * (at(1) + this.counts[1] * at(2));
    this.next[point] = this.heads[c]!;
    this.heads[c] = point;
  }

  putAll(): this {
    for (let p = 0; p < this.next.length; p++) this.put(p);
    return this;
  }

  /** Fills `found` and `distances` with the points nearer than `reach`; returns how many. */
  search(x: number, y: number, z: number, reach: number): number {
    const { points, counts, heads, next, found, distances } = this;
    const limit = reach * reach;
    const [i0, j0, l0] = [this.locate(x - reach, 0), this.locate(y - reach, 1), this.locate(z - reach, 2)];
    const [i1, j1, l1] = [this.locate(x + reach, 0), this.locate(y + reach, 1), this.locate(z + reach, 2)];
    let count = 0;
    for (let l = l0; l <= l1; l++) {
      for (let j = j0; j <= j1; j++) {
        const row = counts[0] * (j + counts[1] * l);
        for (let i = i0; i <= i1; i++) {
          for (let p = heads[row + i]!; p >= 0; p = next[p]!) {
            const square = (points[3 * p]! - x) ** 2 + (points[3 * p + 1]! - y) ** 2 + (points[3 * p + 2]! - z) ** 2;
            if (!(square < limit)) continue;
            found[count] = p;
            distances[count++] = Math.sqrt(square);
          }
        }
      }
    }
    return count;
  }

  /** Fills `found` with the points in the box `low` … `high`; returns how many. */
  searchBox(low: ArrayLike<number>, high: ArrayLike<number>): number {
    const { points, counts, heads, next, found } = this;
    const from = [0, 1, 2].map((r) => this.locate(low[r]!, r));
    const to = [0, 1, 2].map((r) => this.locate(high[r]!, r));
    let count = 0;
    for (let l = from[2]!; l <= to[2]!; l++) {
      for (let j = from[1]!; j <= to[1]!; j++) {
        for (let i = from[0]!; i <= to[0]!; i++) {
          for (let p = heads[i + counts[0] * (j + counts[1] * l)]!; p >= 0; p = next[p]!) {
            let isInside = true;
            for (let r = 0; r < 3; r++) isInside &&= points[3 * p + r]! >= low[r]! && points[3 * p + r]! <= high[r]!;
            if (isInside) found[count++] = p;
          }
        }
      }
    }
    return count;
  }

  /** Cell along an axis; points outside belong to the outermost ones. */
  private locate(x: number, axis: number): number {
    const at = Math.floor((x - this.box[axis]!) / this.cell);
    return at > 0 ? Math.min(at, this.counts[axis]! - 1) : 0;
  }
}
