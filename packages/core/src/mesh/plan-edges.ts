/**
 * Undirected edges of a triangle list, each with the half-edges that run along it.
 *
 * Half-edge h = 3·triangle + k runs from corner k to corner k+1. They are counted into the lists of their smaller vertices, and each list is sorted by the larger
 * one: the half-edges of one edge stand side by side, and edges come out sorted. O(#V + #T) where vertices have few edges, at most O(#T log #T).
 */
export interface Edges {
  readonly count: number;
  /** Edge → half-edges, #E+1. */
  readonly offsets: Uint32Array;
  readonly halfEdges: Uint32Array;
}

/** Half-edges of a vertex that are sorted by insertion. */
const FEW = 48;

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
  const place = new Uint32Array(vertexCount + 1);
  for (let t = 0; t < n; t += 3) {
    const a = triangles[t]!;
    const b = triangles[t + 1]!;
    const c = triangles[t + 2]!;
    place[(a < b ? a : b) + 1]!++;
    place[(b < c ? b : c) + 1]!++;
    place[(c < a ? c : a) + 1]!++;
  }
  for (let v = 0; v < vertexCount; v++) place[v + 1]! += place[v]!;
  const halfEdges = new Uint32Array(n);
  const large = new Uint32Array(n); // in the order of `halfEdges`
  for (let t = 0; t < n; t += 3) {
    const a = triangles[t]!;
    const b = triangles[t + 1]!;
    const c = triangles[t + 2]!;
    putHalfEdge(halfEdges, large, place, t, a, b);
    putHalfEdge(halfEdges, large, place, t + 1, b, c);
    putHalfEdge(halfEdges, large, place, t + 2, c, a);
  }
  const offsets = new Uint32Array(n + 1);
  let count = 0;
  for (let v = 0, from = 0; v < vertexCount; v++) {
    const to = place[v]!; // where the next vertex began
    if (to - from > FEW) sortMany(halfEdges, large, from, to);
    else sortFew(halfEdges, large, from, to);
    for (let k = from; k < to; k++) if (k === from || large[k] !== large[k - 1]) offsets[count++] = k;
    from = to;
  }
  offsets[count] = n;
  return { count, offsets: offsets.slice(0, count + 1), halfEdges };
}

function putHalfEdge(
  halfEdges: Uint32Array,
  large: Uint32Array,
  place: Uint32Array,
  h: number,
  a: number,
  b: number,
): void {
  const at = place[a < b ? a : b]!++;
  halfEdges[at] = h;
  large[at] = a < b ? b : a;
}

const known = new WeakMap<Uint32Array, Edges>();

/** Edges of triangles that nobody changes any more: planned once, kept as long as the triangles. */
export function recallEdges(triangles: Uint32Array, vertexCount: number): Edges {
  return known.get(triangles) ?? rememberEdges(triangles, planEdges(triangles, vertexCount));
}

export function rememberEdges(triangles: Uint32Array, edges: Edges): Edges {
  known.set(triangles, edges);
  return edges;
}

/** By larger vertex; those of one edge keep their order. */
function sortFew(halfEdges: Uint32Array, large: Uint32Array, from: number, to: number): void {
  for (let k = from + 1; k < to; k++) {
    const key = large[k]!;
    const h = halfEdges[k]!;
    let at = k;
    for (; at > from && large[at - 1]! > key; at--) {
      large[at] = large[at - 1]!;
      halfEdges[at] = halfEdges[at - 1]!;
    }
    large[at] = key;
    halfEdges[at] = h;
  }
}

/** The same for the hub of a great fan: both numbers fit into the 53 bits of one. */
function sortMany(halfEdges: Uint32Array, large: Uint32Array, from: number, to: number): void {
  const count = to - from;
  const keys = Float64Array.from({ length: count }, (_, n) => large[from + n]! * count + n).sort();
  const before = halfEdges.slice(from, to);
  for (let n = 0; n < count; n++) {
    large[from + n] = Math.floor(keys[n]! / count);
    halfEdges[from + n] = before[keys[n]! % count]!;
  }
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
