/** Polygons around the vertices of a refined mesh (see trace-polygon.ts), as the folds read them (FOLD_RINGS). Written anew when its triangles change. */
import type { FoldPlan } from '@isoskin/core/kernels';
import { tracePolygon } from './trace-polygon.js';

/** @param first of the positions. @param moving the first vertex that moves */
export function createRings(plan: FoldPlan, addresses: Uint32Array, first: number, moving: number, count: number) {
  const { refinement, near, rim } = plan;
  const { baseCount, vertexCount, patches, levels } = refinement;
  // Triangles of patches at their finest, and what neighbours cut from those at an edge.
  let most = rim.length / 3;
  for (const t of patches.triangles) most += 4 ** levels[t]! + 3 * 2 ** levels[t]!;
  const vertexAt = new Uint32Array(count).fill(vertexCount);
  for (const v of near) vertexAt[(addresses[v]! - first) >> 4] = v;
  for (let v = baseCount; v < vertexCount; v++) vertexAt[(addresses[v]! - first) >> 4] = v;
  const starts = new Uint32Array(vertexCount + 2);
  const ends = new Uint32Array(vertexCount + 1);
  const edges = new Uint32Array(6 * most); // opposite to every vertex, from starts[v] on
  const ring = new Uint32Array(6 * most);
  const polygon: number[] = [];

  function listEdges(triangles: Uint32Array): void {
    starts.fill(0);
    for (const list of [rim, triangles]) for (const v of list) starts[v + 1]!++;
    for (let v = 0; v <= vertexCount; v++) starts[v + 1]! += starts[v]!;
    ends.set(starts.subarray(0, vertexCount + 1));
    for (const list of [rim, triangles]) {
      for (let i = 0; i < list.length; i += 3) {
        for (let k = 0; k < 3; k++) {
          const e = 2 * ends[list[i + k]!]!++;
          edges[e] = list[i + ((k + 1) % 3)]!;
          edges[e + 1] = list[i + ((k + 2) % 3)]!;
        }
      }
    }
  }

  /** The edges from..to as one ring; 0 where they are none. */
  function walk(from: number, to: number): number {
    let point = edges[2 * from]!;
    for (let n = 0; n < to - from; n++) {
      ring[n] = point;
      let e = from;
      while (e < to && edges[2 * e] !== point) e++;
      if (e === to || (n > 0 && point === ring[0])) return 0;
      point = edges[2 * e + 1]!;
    }
    return point === ring[0] ? to - from : 0;
  }

  /** The polygon around a vertex, into `ring`, and how many points it has. */
  function trace(v: number): number {
    const [from, to] = v < vertexCount ? [starts[v]!, starts[v + 1]!] : [0, 0];
    let length = to - from >= 3 ? walk(from, to) : 0;
    if (length % 2 === 1) {
      ring[length] = ring[length - 1]!;
      length++;
    }
    if (length > 0) return length;
    tracePolygon(polygon, edges.subarray(2 * from, 2 * to), v);
    ring.set(polygon);
    return polygon.length;
  }

  return {
    /** Words that they take at most: a broken ring has three points for every edge. */
    most: 9 * Math.ceil(most) + 5 * count,
    write(out: Uint32Array, triangles: Uint32Array): void {
      listEdges(triangles);
      let at = 0;
      for (let quad = moving; quad < count; quad += 4) {
        const start = at++;
        out[start] = 1;
        for (let i = quad; i < quad + 4; i++) {
          const length = trace(vertexAt[i]!);
          out[at++] = 4 * (length - 2);
          for (let n = 0; n < length; n++) out[at++] = vertexAt[i]! < vertexCount ? addresses[ring[n]!]! : first;
          if (length !== 6) out[start] = 0;
        }
        if (out[start] === 0) continue;
        for (let k = 0; k < 4; k++) out.copyWithin(start + 1 + 6 * k, start + 2 + 7 * k, start + 8 + 7 * k);
        at = start + 25;
      }
    },
  };
}
