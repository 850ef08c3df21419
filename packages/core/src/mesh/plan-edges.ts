/**
 * Undirected edges of a triangle list, each with the half-edges that run along it.
 *
 * Half-edge h = 3·triangle + k runs from corner k to corner k+1. Two stable counting sorts (by larger, then by smaller
 * vertex) put the half-edges of one edge side by side: O(#V + #T) whatever the valence, and edges come out sorted.
 */
export interface Edges {
  readonly count: number;
  /** Edge → half-edges, #E+1. */
  readonly offsets: Uint32Array;
  readonly halfEdges: Uint32Array;
}

/** Vertex that half-edge h starts from. */
export function edgeStart(triangles: Uint32Array, h: number): number {
  return triangles[h]!;
}

/** Vertex that half-edge h runs to. */
export function edgeEnd(triangles: Uint32Array, h: number): number {
  return triangles[h % 3 === 2 ? h - 2 : h + 1]!;
}

export function planEdges(triangles: Uint32Array, vertexCount: number): Edges {
  const n = triangles.length;
  const small = new Uint32Array(n);
  const large = new Uint32Array(n);
  for (let h = 0; h < n; h++) {
    const a = edgeStart(triangles, h);
    const b = edgeEnd(triangles, h);
    small[h] = Math.min(a, b);
    large[h] = Math.max(a, b);
  }
  const byLarge = new Uint32Array(n);
  for (let h = 0; h < n; h++) byLarge[h] = h;
  const halfEdges = sortBy(small, sortBy(large, byLarge, vertexCount), vertexCount);

  let count = 0;
  const startsEdge = (k: number) =>
    k === 0 || small[halfEdges[k]!] !== small[halfEdges[k - 1]!] || large[halfEdges[k]!] !== large[halfEdges[k - 1]!];
  for (let k = 0; k < n; k++) if (startsEdge(k)) count++;
  const offsets = new Uint32Array(count + 1);
  for (let k = 0, e = 0; k < n; k++) if (startsEdge(k)) offsets[e++] = k;
  offsets[count] = n;
  return { count, offsets, halfEdges };
}

/** Difference between the numbers of triangles that run along edge e from its smaller vertex and from its larger one. */
export function measureImbalance(edges: Edges, triangles: Uint32Array, e: number): number {
  let net = 0;
  for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++) {
    const h = edges.halfEdges[k]!;
    net += edgeStart(triangles, h) < edgeEnd(triangles, h) ? 1 : -1;
  }
  return net;
}

function sortBy(key: Uint32Array, items: Uint32Array, keyCount: number): Uint32Array {
  const place = new Uint32Array(keyCount + 1);
  for (let i = 0; i < items.length; i++) place[key[i]! + 1]!++;
  for (let k = 0; k < keyCount; k++) place[k + 1]! += place[k]!;
  const sorted = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    sorted[place[key[item]!]!++] = item;
  }
  return sorted;
}
