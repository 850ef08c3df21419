/**
 * H7. How far a vertex moves along its normal: the folds of all tools together, less what the skin between them gives way by.
 *
 *   add     Σ s_k h_k          each series as if it were alone: the article's way
 *   max     max s_k h_k        the higher fold is seen, the lower one is under it
 *   smooth  (Σ (s_k h_k)⁴)^¼   as max, without the edge between them
 *
 * The result H is held below the height r at which the normals of neighbours meet, H/(1 + (H/½r)⁴)^¼: folds of a hollow stay out of each other.
 *
 * h_k  height of tool k;  s_k  its scale;  c_k b_k  what it gives way by. O(1) per tool and vertex.
 */
import type { Lifted } from './planned-tool.js';

export const COMBINATIONS = ['add', 'max', 'smooth'] as const;
/** Share of the way to where normals meet. */
const SHARE = 0.5;

export type Combination = (typeof COMBINATIONS)[number];

export class FoldSum {
  private readonly heights: Float64Array;
  private readonly given: Float64Array;
  /** r, where neighbours come closer as they rise. */
  readonly rooms: Float64Array;

  constructor(
    count: number,
    private readonly combine: Combination,
  ) {
    this.heights = new Float64Array(count);
    this.given = new Float64Array(count);
    this.rooms = new Float64Array(count);
  }

  /** Forgets a slot. */
  clear(slot: number): void {
    this.heights[slot] = 0;
    this.given[slot] = 0;
    this.rooms[slot] = Number.POSITIVE_INFINITY;
  }

  /** Forgets all slots from `first` on. */
  clearFrom(first: number): void {
    this.heights.fill(0, first);
    this.given.fill(0, first);
    this.rooms.fill(Number.POSITIVE_INFINITY, first);
  }

  /**
   * Adds what a tool does to vertices of its list, items[n] or all of them, at slots[n].
   *
   * @param scale s_k. @param depth c_k
   */
  addAll(
    slots: Uint32Array,
    { heights, sinks }: Lifted,
    items: Uint32Array | undefined,
    scale: number,
    depth: number,
  ): void {
    const { heights: sums, given, combine } = this;
    for (let n = 0; n < slots.length; n++) {
      const i = items ? items[n]! : n;
      if (heights[i] === 0 && sinks[i] === 0) continue;
      const slot = slots[n]!;
      const h = scale * heights[i]!;
      if (combine === 'add') sums[slot]! += h;
      else if (combine === 'max') sums[slot] = Math.max(sums[slot]!, h);
      else sums[slot]! += h * h * h * h;
      given[slot]! += depth * sinks[i]!;
    }
  }

  /** Way along the normal. */
  measure(slot: number): number {
    const sum = this.heights[slot]!;
    if (sum === 0) return -this.given[slot]!;
    const h = this.combine === 'smooth' ? sum ** 0.25 : sum;
    const u = h / (SHARE * this.rooms[slot]!);
    const square = u * u;
    const way = (u > 0 ? h / Math.sqrt(Math.sqrt(1 + square * square)) : h) - this.given[slot]!;
    return Number.isFinite(way) ? way : 0;
  }
}
