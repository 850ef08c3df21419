/**
 * The order that vertices have in memory: region by region, those without a home last in each, neighbours near each
 * other (breadth first over the surface, from an end of it; the caller's order where it has them so and outputs are
 * large, for they are then written in a row), cut into blocks; inside a block vertices of one kind follow each other, so that the loops
 * over their neighbours are predictable.
 *
 * A mesh whose vertices come shuffled costs 5–7 times more per frame when it is left so (1 M vertices); ordered, the same.
 */

import type { FramePlan } from '@isoskin/core/kernels';
import type { Csr } from '@isoskin/core/mesh';
import { NO_HOME } from './find-homes.js';
import { BLOCK_SIZE, BORDER, INNER } from './layout.js';

/** Stands in a block where no vertex is: blocks are filled up to a multiple of four. */
export const NO_VERTEX = 0xffffffff;

export interface VertexBlock {
  readonly kind: typeof INNER | typeof BORDER;
  /** Home of its vertices; where they have none one of the regions they touch, or the number of regions. */
  readonly region: number;
  /** Place of its first vertex. */
  readonly first: number;
  readonly vertices: Uint32Array;
}

/** @param homes region of every vertex (findHomes). @param kinds any number for each vertex: equal ones stand together. */
export function orderVertices(plan: FramePlan, homes: Uint32Array, kinds: Uint32Array): VertexBlock[] {
  const { vertexCount, volumes } = plan;
  const none = 2 * volumes.regionCount + 1;
  const groups = new Uint32Array(vertexCount).fill(none);
  for (let p = volumes.pairCount - 1; p >= 0; p--) groups[volumes.pairVertex[p]!] = 2 * volumes.pairRegion[p]! + 1;
  for (let k = 0; k < vertexCount; k++) if (homes[k] !== NO_HOME) groups[k] = 2 * homes[k]!;
  const offsets = new Uint32Array(none + 2);
  for (const group of groups) offsets[group + 1]!++;
  for (let g = 0; g <= none; g++) offsets[g + 1]! += offsets[g]!;
  const fill = offsets.slice();
  const sorted = new Uint32Array(vertexCount);
  for (const k of orderByPlace(volumes.closed.surface.neighbours, vertexCount)) sorted[fill[groups[k]!]!++] = k;

  const blocks: VertexBlock[] = [];
  let first = 0;
  for (let g = 0; g <= none; g++) {
    for (let from = offsets[g]!; from < offsets[g + 1]!; from += BLOCK_SIZE) {
      const some = sorted.subarray(from, Math.min(from + BLOCK_SIZE, offsets[g + 1]!));
      sortByKind(some, kinds);
      const vertices = new Uint32Array(4 * Math.ceil(some.length / 4)).fill(NO_VERTEX);
      vertices.set(some);
      blocks.push({ kind: g % 2 === 0 ? INNER : BORDER, region: g >> 1, first, vertices });
      first += vertices.length;
    }
  }
  return blocks;
}

/** In place; vertices of one kind stay in their order. */
function sortByKind(vertices: Uint32Array, kinds: Uint32Array): void {
  const count = vertices.length;
  const before = vertices.slice();
  const keys = Float64Array.from(before, (k, i) => kinds[k]! * count + i).sort();
  for (let i = 0; i < count; i++) vertices[i] = before[keys[i]! % count]!;
}

/** A neighbour that is more vertices away is far: 16 kB of positions, half of the first cache. */
const FAR = 1024;
/** Share of neighbours that may be far in the caller's order and are not in another. */
const FEW = 0.05;

/** From here on outputs are larger than the second cache, and it pays to write them in a row; below, blocks had better be compact, for few bones to move them. */
const MANY = 1 << 16;

/** All vertices: many as they come, where neighbours are about as near each other as in any order. */
function orderByPlace(neighbours: Csr, count: number): Uint32Array {
  const order = orderByBreadth(neighbours, count);
  if (count < MANY) return order;
  const own = Uint32Array.from({ length: count }, (_, k) => k);
  const places = new Uint32Array(count);
  for (let n = 0; n < count; n++) places[order[n]!] = n;
  const more = countFar(neighbours, own) - countFar(neighbours, places);
  return more > FEW * neighbours.values.length ? order : own;
}

/** @param places of all vertices. */
function countFar({ offsets, values }: Csr, places: Uint32Array): number {
  let far = 0;
  for (let k = 0; k < places.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (Math.abs(places[values[e]!]! - places[k]!) > FAR) far++;
  }
  return far;
}

/** All vertices, breadth first from an end of every component. */
function orderByBreadth({ offsets, values }: Csr, count: number): Uint32Array {
  const order = new Uint32Array(count);
  const seen = new Uint8Array(count); // 1: by the search for an end, 2: by the order
  const spread = (seed: number, from: number, mark: number): number => {
    let to = from;
    order[to++] = seed;
    seen[seed] = mark;
    for (let i = from; i < to; i++) {
      for (let e = offsets[order[i]!]!; e < offsets[order[i]! + 1]!; e++) {
        const j = values[e]!;
        if (seen[j] === mark) continue;
        seen[j] = mark;
        order[to++] = j;
      }
    }
    return to;
  };
  let done = 0;
  for (let k = 0; k < count; k++) {
    if (seen[k] === 2) continue;
    const end = order[spread(k, done, 1) - 1]!;
    done = spread(end, done, 2);
  }
  return order;
}

/** Where every vertex stands among numbers, four a vertex. @param order place in the outputs, in bytes, of every vertex */
export function listPlaces(order: Uint32Array, vertexCount: number): Uint32Array {
  const places = new Uint32Array(vertexCount);
  for (let n = 0; n < order.length; n++) if (order[n]! < 16 * vertexCount) places[order[n]! / 16] = 4 * n;
  return places;
}
