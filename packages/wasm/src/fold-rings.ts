/** Polygons around the vertices of a refined mesh (see trace-polygon.ts), as the folds read them: bytes but for two points, where the points are. Written anew when its triangles change. */
import type { FoldPlan } from '@isoskin/core/kernels';
import { tracePolygon } from './trace-polygon.js';

export function createRings(plan: FoldPlan, addresses: Uint32Array, first: number, count: number) {
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

  return {
    /** Words that they take at most: a broken ring has three points for every edge. */
    most: 9 * Math.ceil(most) + 4 * count,
    write(out: Uint32Array, triangles: Uint32Array): void {
      listEdges(triangles);
      let at = 0;
      for (let i = 0; i < count; i++) {
        const v = vertexAt[i]!;
        const [from, to] = v < vertexCount ? [starts[v]!, starts[v + 1]!] : [0, 0];
        let length = to - from >= 3 ? walk(from, to) : 0;
        if (length % 2 === 1) {
          ring[length] = ring[length - 1]!;
          length++;
        }
        if (length === 0) {
          tracePolygon(polygon, edges.subarray(2 * from, 2 * to), v);
          length = polygon.length;
          ring.set(polygon);
        }
        out[at++] = 4 * (length - 2);
        for (let n = 0; n < length; n++) out[at++] = v < vertexCount ? addresses[ring[n]!]! : first;
      }
    },
  };
}
