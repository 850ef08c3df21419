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
  }

  /** Adds what a tool does to its i-th vertex. */
  add(slot: number, lifted: Lifted, i: number, scale: number, depth: number): void {
    const h = scale * lifted.heights[i]!;
    const { heights, combine } = this;
    if (combine === 'max') heights[slot] = Math.max(heights[slot]!, h);
    else heights[slot]! += combine === 'smooth' ? h ** 4 : h;
    this.given[slot]! += depth * lifted.sinks[i]!;
  }

  /** Way along the normal. */
  measure(slot: number): number {
    const sum = this.heights[slot]!;
    const h = this.combine === 'smooth' ? sum ** 0.25 : sum;
    const u = h / (SHARE * this.rooms[slot]!);
    const way = (u > 0 ? h / Math.sqrt(Math.sqrt(1 + u ** 4)) : h) - this.given[slot]!;
    return Number.isFinite(way) ? way : 0;
  }
}

/** Height over every vertex of the triangles start … end − 1 (corners) at which the normal of a neighbour meets its own. */
export function measureRooms(
  out: Float64Array,
  p: Float64Array,
  n: Float64Array,
  triangles: Uint32Array,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) out[triangles[i]!] = Number.POSITIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const a = triangles[i]!;
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    if (a > b) continue; // the triangle on the other side has the edge, too
    const i3 = 3 * a;
    const j3 = 3 * b;
    const x = p[j3]! - p[i3]!;
    const y = p[j3 + 1]! - p[i3 + 1]!;
    const z = p[j3 + 2]! - p[i3 + 2]!;
    const closing = x * (n[i3]! - n[j3]!) + y * (n[i3 + 1]! - n[j3 + 1]!) + z * (n[i3 + 2]! - n[j3 + 2]!);
    if (!(closing > 0)) continue;
    const room = (x * x + y * y + z * z) / closing;
    if (room < out[a]!) out[a] = room;
    if (room < out[b]!) out[b] = room;
  }
}
