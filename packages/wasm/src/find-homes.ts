/**
 * The region that a vertex is counted with. Where a vertex touches several regions, their gradients there sum to its area
 * vector a (B4: the fans cancel), so all of a goes to its home t, and each other region s takes its own g_s back from it:
 *
 *   V_t: a,  V_s: +g_s,  V_t: −g_s          half the polygons of (region, vertex) pairs
 *
 * Not so on hole borders (caps are no triangles of the surface) and beside triangles of no region: no home, all pairs stay.
 */
import type { FramePlan } from '@isoskin/core/kernels';

export const NO_HOME = 0xffffffff;

export function findHomes({ volumes, vertexCount }: FramePlan): Uint32Array {
  const { inner, pairCount, pairRegion, pairVertex, pairEdges, regionCount, closed } = volumes;
  const homes = new Uint32Array(vertexCount).fill(NO_HOME);
  for (let s = 0; s < regionCount; s++) {
    for (let i = inner.offsets[s]!; i < inner.offsets[s + 1]!; i++) homes[inner.values[i]!] = s;
  }
  const edgesOf = new Map<number, number[]>(); // of all pairs of a vertex, then of its triangles, the other way round
  for (let p = 0; p < pairCount; p++) {
    const k = pairVertex[p]!;
    if (!edgesOf.has(k)) {
      edgesOf.set(k, []);
      homes[k] = pairRegion[p]!;
    }
    for (let e = 2 * pairEdges.offsets[p]!; e < 2 * pairEdges.offsets[p + 1]!; e++)
      edgesOf.get(k)!.push(pairEdges.values[e]!);
  }
  const { triangles, corners } = closed.surface;
  for (const [k, edges] of edgesOf) {
    for (let i = corners.offsets[k]!; i < corners.offsets[k + 1]!; i++) {
      const corner = corners.values[i]!;
      const first = corner - (corner % 3);
      edges.push(triangles[first + ((corner + 2) % 3)]!, triangles[first + ((corner + 1) % 3)]!);
    }
    if (!isBalanced(edges, vertexCount + volumes.apexCount)) homes[k] = NO_HOME;
  }
  return homes;
}

/** Every edge i → j has another that goes back. @param count of all points. */
function isBalanced(edges: readonly number[], count: number): boolean {
  const balance = new Map<number, number>();
  for (let e = 0; e < edges.length; e += 2) {
    const [i, j] = [edges[e]!, edges[e + 1]!];
    const key = Math.min(i, j) * count + Math.max(i, j);
    const sum = (balance.get(key) ?? 0) + Math.sign(j - i);
    if (sum === 0) balance.delete(key);
    else balance.set(key, sum);
  }
  return balance.size === 0;
}
