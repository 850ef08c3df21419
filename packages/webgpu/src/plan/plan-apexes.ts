/**
 * Apexes (B3, B4) over real vertices only, and the edges around each (region, apex) pair.
 *
 * An apex that rests on other apexes is flattened to weights of vertices, so that every apex can be placed from the
 * vertices in the same dispatch that moves them. h_sa = 1/6 Σ (x_i − a) × (x_j − a) does not depend on a when the edges
 * form closed loops: the apex itself is needed only where a hole's cap is divided between regions.
 */
import type { FramePlan } from '@isoskin/core/kernels';
import type { ListWriter } from './create-list-writer.js';
import { bitsOf } from './create-list-writer.js';

export interface ApexPlan {
  /** Where the lists start: apex → (vertex, weight), apex pair → edges. */
  readonly members: number;
  readonly apexEdges: number;
}

/** Words of an apex pair's header: first edge, end, and the apex that the edges are seen from (or NO_APEX). */
export const APEX_PAIR_WORDS = 3;
export const NO_APEX = 0xffffffff;

/** @param index vertex or apex of the character → index on the GPU. */
export function planApexes(lists: ListWriter, plan: FramePlan, index: (v: number) => number): ApexPlan {
  const { vertexCount, volumes } = plan;
  const { members, apexCount, pairVertex, pairCount, pairEdges } = volumes;
  const weights: Map<number, number>[] = [];
  for (let a = 0; a < apexCount; a++) {
    const [from, to] = [members.offsets[a]!, members.offsets[a + 1]!];
    const own = new Map<number, number>();
    for (let i = from; i < to; i++) {
      const v = members.values[i]!;
      for (const [k, w] of v < vertexCount ? new Map([[v, 1]]) : weights[v - vertexCount]!) {
        own.set(k, (own.get(k) ?? 0) + w / (to - from));
      }
    }
    weights.push(own);
  }
  const memberLists = weights.map((own) => [...own].flatMap(([k, w]) => [index(k), bitsOf(w)]));
  const memberStart = addLists(lists, memberLists, 1);

  const headers: number[] = [];
  const edges: number[] = [];
  const apexPairCount = pairVertex.length - pairCount;
  const base = lists.length + APEX_PAIR_WORDS * apexPairCount;
  for (let p = pairCount; p < pairVertex.length; p++) {
    const balance = new Map<number, number>();
    let real = true;
    headers.push(base + edges.length);
    for (let e = pairEdges.offsets[p]!; e < pairEdges.offsets[p + 1]!; e++) {
      const [i, j] = [pairEdges.values[2 * e]!, pairEdges.values[2 * e + 1]!];
      edges.push(index(i), index(j));
      balance.set(i, (balance.get(i) ?? 0) + 1);
      balance.set(j, (balance.get(j) ?? 0) - 1);
      real &&= i < vertexCount && j < vertexCount;
    }
    const closed = real && [...balance.values()].every((n) => n === 0);
    headers.push(base + edges.length, closed ? NO_APEX : pairVertex[p]! - vertexCount);
  }
  const apexEdges = lists.add(Uint32Array.from(headers));
  lists.add(Uint32Array.from(edges));
  return { members: memberStart, apexEdges };
}

/** Absolute offsets (count + 1 of them), then the lists themselves. `ahead`: 1 when the offsets stand before the lists. */
function addLists(lists: ListWriter, values: readonly (readonly number[])[], ahead: 1): number {
  const offsets = new Uint32Array(values.length + ahead);
  let at = lists.length + offsets.length;
  for (const [n, list] of values.entries()) {
    offsets[n] = at;
    at += list.length;
  }
  offsets[values.length] = at;
  const start = lists.add(offsets);
  for (const list of values) lists.add(Uint32Array.from(list));
  return start;
}
