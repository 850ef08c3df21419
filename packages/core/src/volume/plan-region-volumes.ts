/**
 * B4. Region volumes that sum to the whole, each rigid invariant, with an exact gradient.
 *
 * The edges between triangles of different regions form a network. Each connected component of the network gets one apex,
 * the mean of its vertices; the fan from that apex to a region's border edges closes the region. Both sides of an edge use
 * the same apex, so the fans cancel in the sum: Σ_s V_s = V.
 *
 *   V_s = 1/3 Σ_k (x_k − o_s)·g_sk,   g_sk = ∂V_s/∂x_k = 1/6 Σ_{T∋k, T∈s} N_T + Σ_a w_ak h_sa
 *
 * g_sk  gradient of region s at vertex k;  h_sa  gradient of V_s at apex a;  w_ak  share of vertex k in apex a (the apexes
 * of hole caps count through their own members).  Triangles T of a region include its part of the caps and its fans.
 *
 * *Inner* vertices touch one region only: there g is the kernel's area vector, unless the vertex also carries a hole apex. The
 * others are few and listed as (region, vertex) *pairs* with their opposite edges.
 */

import { createDisjointSets, findRoot, uniteSets } from '../mesh/disjoint-sets.js';
import { groupItems, NO_GROUP } from '../mesh/group-items.js';
import { packLists } from '../mesh/pack-lists.js';
import { edgeEnd, edgeStart, recallEdges } from '../mesh/plan-edges.js';
import type { Csr } from '../mesh/surface.js';
import type { ClosedSurface } from './plan-closed-surface.js';

export const NO_REGION = NO_GROUP;

export interface RegionVolumes {
  readonly closed: ClosedSurface;
  readonly regionCount: number;
  /** Region of every closed triangle, NO_REGION for what rides along. */
  readonly triangleRegion: Uint32Array;
  /** Hole apexes and network apexes: numbered #V, #V+1, …, each with the vertices (or hole apexes) it is the mean of. */
  readonly apexCount: number;
  readonly members: Csr;
  /** Region → its inner vertices. */
  readonly inner: Csr;
  /** Region of each pair, and its vertex (real vertices first, `pairCount`; then apexes, up to `allCount`). */
  readonly pairRegion: Uint32Array;
  readonly pairVertex: Uint32Array;
  readonly pairCount: number;
  /** Pair → opposite edges, CSR over pairs of vertices. */
  readonly pairEdges: Csr;
  /** Vertex pair → apex pairs whose gradient it shares in, with `pairShares`. */
  readonly pairApexes: Csr;
  readonly pairShares: Float64Array;
  /** Region → its vertex pairs: they stand together, so values[n] = n. */
  readonly pairsOfRegion: Csr;
  /** A vertex of each region: sums are taken about its place. */
  readonly anchors: Uint32Array;
  /** Closed triangles and fans as one list ×3, and the region of each: the tetrahedra that make up the volumes. */
  readonly tetrahedra: Uint32Array;
  readonly tetrahedronRegion: Uint32Array;
}

export function planRegionVolumes(
  closed: ClosedSurface,
  triangleRegion: Uint32Array,
  regionCount: number,
): RegionVolumes {
  const { triangles, triangleCount, vertexCount } = closed;
  const solidCount = vertexCount + closed.apexCount;
  const network = findNetwork(closed, triangleRegion);
  const apexCount = closed.apexCount + network.members.length;
  const members = joinCsr(closed.members, network.members);

  // Which regions does every vertex touch, directly or through an apex?
  const pairs = new PairTable(regionCount, vertexCount, vertexCount + apexCount);
  const firstRegion = new Uint32Array(solidCount).fill(NO_REGION);
  const several = new Uint8Array(solidCount);
  for (let c = 0; c < 3 * triangleCount; c++) {
    const region = triangleRegion[(c / 3) | 0]!;
    const v = triangles[c]!;
    if (firstRegion[v] === NO_REGION) firstRegion[v] = region;
    else if (firstRegion[v] !== region) several[v] = 1;
  }
  for (const list of network.members) for (const v of list) several[v] = 1;
  for (let a = 0; a < closed.apexCount; a++) {
    for (let i = closed.members.offsets[a]!; i < closed.members.offsets[a + 1]!; i++) {
      several[closed.members.values[i]!] = 1; // also carries the apex's gradient
    }
    several[vertexCount + a] = 1;
  }

  // Opposite edges of every (region, vertex) pair.
  for (let t = 0; t < triangleCount; t++) {
    const region = triangleRegion[t]!;
    if (region === NO_REGION) continue;
    for (let c = 0; c < 3; c++) {
      const v = triangles[3 * t + c]!;
      if (several[v]) pairs.add(region, v, triangles[3 * t + ((c + 1) % 3)]!, triangles[3 * t + ((c + 2) % 3)]!);
    }
  }
  for (let e = 0; e < network.edges.length; e += 4) {
    const [region, i, j, a] = network.edges.slice(e, e + 4) as [number, number, number, number];
    const apex = solidCount + a;
    pairs.add(region, i, j, apex);
    pairs.add(region, j, apex, i);
    pairs.add(region, apex, i, j);
  }
  // Every real vertex below an apex takes part in the apex's regions.
  const apexWeights = flattenApexes(closed, network.members);
  pairs.shareApexes(apexWeights);
  const table = pairs.finish();

  const innerLists = groupItems(regionCount, vertexCount, (v) => (several[v] ? NO_REGION : firstRegion[v]!));
  const pairsOfRegion = groupItems(regionCount, table.pairCount, (p) => table.pairRegion[p]!);
  const anchors = new Uint32Array(regionCount);
  for (let t = triangleCount - 1; t >= 0; t--) {
    if (triangleRegion[t] !== NO_REGION) anchors[triangleRegion[t]!] = triangles[3 * t]!;
  }
  return {
    closed,
    regionCount,
    triangleRegion,
    apexCount,
    members,
    inner: innerLists,
    ...table,
    pairsOfRegion,
    anchors,
    ...listTetrahedra(closed, triangleRegion, network),
  };
}

function listTetrahedra(
  { triangles, triangleCount, vertexCount, apexCount }: ClosedSurface,
  triangleRegion: Uint32Array,
  network: Network,
) {
  const fans = network.edges.length / 4;
  const tetrahedra = new Uint32Array(3 * (triangleCount + fans));
  const tetrahedronRegion = new Uint32Array(triangleCount + fans);
  let n = 0;
  for (let t = 0; t < triangleCount; t++) {
    if (triangleRegion[t] === NO_REGION) continue;
    for (let c = 0; c < 3; c++) tetrahedra[3 * n + c] = triangles[3 * t + c]!;
    tetrahedronRegion[n++] = triangleRegion[t]!;
  }
  for (let e = 0; e < network.edges.length; e += 4) {
    tetrahedra[3 * n] = network.edges[e + 1]!;
    tetrahedra[3 * n + 1] = network.edges[e + 2]!;
    tetrahedra[3 * n + 2] = vertexCount + apexCount + network.edges[e + 3]!;
    tetrahedronRegion[n++] = network.edges[e]!;
  }
  return { tetrahedra: tetrahedra.slice(0, 3 * n), tetrahedronRegion: tetrahedronRegion.slice(0, n) };
}

interface Network {
  /** Vertices of every connected component of the network. */
  members: number[][];
  /** Fans: region, i, j, network apex, flat; the triangle (i, j, apex) closes the region. */
  edges: number[];
}

/** Edges where a region's directed edges do not cancel, grouped into connected components. */
function findNetwork(closed: ClosedSurface, triangleRegion: Uint32Array): Network {
  const { triangles, vertexCount, apexCount } = closed;
  const { count, offsets, halfEdges } = recallEdges(triangles, vertexCount + apexCount);
  const open: number[] = []; // region, i, j
  const net = new Map<number, number>();
  for (let e = 0; e < count; e++) {
    const from = offsets[e]!;
    const to = offsets[e + 1]!;
    const region = triangleRegion[(halfEdges[from]! / 3) | 0]!;
    let same = true;
    for (let i = from + 1; i < to; i++) same &&= triangleRegion[(halfEdges[i]! / 3) | 0] === region;
    if (same) continue;
    net.clear();
    const a = edgeStart(triangles, halfEdges[from]!);
    const b = edgeEnd(triangles, halfEdges[from]!);
    for (let i = from; i < to; i++) {
      const r = triangleRegion[(halfEdges[i]! / 3) | 0]!;
      net.set(r, (net.get(r) ?? 0) + (edgeStart(triangles, halfEdges[i]!) === a ? 1 : -1));
    }
    for (const [r, n] of net) {
      if (r === NO_REGION) continue;
      for (let k = 0; k < Math.abs(n); k++) open.push(r, n > 0 ? b : a, n > 0 ? a : b);
    }
  }
  const sets = createDisjointSets(open.length === 0 ? 0 : vertexCount + apexCount);
  const isOpen = new Uint8Array(sets.length);
  for (let i = 0; i < open.length; i += 3) {
    uniteSets(sets, open[i + 1]!, open[i + 2]!);
    isOpen[open[i + 1]!] = isOpen[open[i + 2]!] = 1;
  }
  const apexOf = new Uint32Array(sets.length);
  const members: number[][] = [];
  for (let v = 0; v < sets.length; v++) {
    if (isOpen[v] === 0) continue;
    const root = findRoot(sets, v);
    apexOf[v] = root === v ? members.push([]) - 1 : apexOf[root]!;
    members[apexOf[v]!]!.push(v);
  }
  const edges: number[] = [];
  for (let i = 0; i < open.length; i += 3) {
    edges.push(open[i]!, open[i + 1]!, open[i + 2]!, apexOf[open[i + 1]!]!);
  }
  return { members, edges };
}

/** Collects (region, vertex) pairs with their opposite edges and apex shares. A class, as engines compile closures anew for every plan. */
class PairTable {
  private readonly keys: number[] = []; // vertex pairs before apex pairs, by region and vertex
  private readonly index = new Map<number, number>();
  private readonly edges: number[] = []; // pair, i, j
  private readonly shares: number[] = []; // pair, apex pair, weight

  constructor(
    private readonly regionCount: number,
    private readonly vertexCount: number,
    private readonly solidCount: number,
  ) {}

  private find(region: number, vertex: number): number {
    const key = ((vertex < this.vertexCount ? 0 : this.regionCount) + region) * this.solidCount + vertex;
    let pair = this.index.get(key);
    if (pair === undefined) this.index.set(key, (pair = this.keys.push(key) - 1));
    return pair;
  }

  add(region: number, vertex: number, i: number, j: number): void {
    this.edges.push(this.find(region, vertex), i, j);
  }

  /** Gives each real vertex its share in the gradient of every apex pair that rests on it. */
  shareApexes(apexWeights: ReadonlyMap<number, ReadonlyMap<number, number>>): void {
    const { keys, solidCount, regionCount, shares } = this;
    for (let p = 0, count = keys.length; p < count; p++) {
      const apex = keys[p]! % solidCount;
      if (apex < this.vertexCount) continue;
      const region = Math.floor(keys[p]! / solidCount) - regionCount;
      for (const [vertex, weight] of apexWeights.get(apex)!) shares.push(this.find(region, vertex), p, weight);
    }
  }

  finish() {
    const { keys, index, edges, shares, regionCount, solidCount } = this;
    const sorted = Float64Array.from(keys).sort();
    const count = sorted.length;
    const place = new Uint32Array(count);
    for (let n = 0; n < count; n++) place[index.get(sorted[n]!)!] = n;
    const pairCount = sorted.filter((key) => key < regionCount * solidCount).length;
    const ends = groupItems(count, edges.length / 3, (e) => place[edges[3 * e]!]!);
    const corners = new Uint32Array(2 * ends.values.length);
    for (let n = 0; n < ends.values.length; n++) {
      corners[2 * n] = edges[3 * ends.values[n]! + 1]!;
      corners[2 * n + 1] = edges[3 * ends.values[n]! + 2]!;
    }
    const owned = groupItems(pairCount, shares.length / 3, (e) => place[shares[3 * e]!]!);
    return {
      pairCount,
      pairRegion: Uint32Array.from(sorted, (key) => Math.floor(key / solidCount) % regionCount),
      pairVertex: Uint32Array.from(sorted, (key) => key % solidCount),
      pairEdges: { offsets: ends.offsets, values: corners }, // offsets count edges, not vertices
      pairApexes: { offsets: owned.offsets, values: owned.values.map((e) => place[shares[3 * e + 1]!]!) },
      pairShares: Float64Array.from(owned.values, (e) => shares[3 * e + 2]!),
    };
  }
}

/** Apex → weight of every real vertex in it (hole apexes inside a network apex are replaced by their members). */
function flattenApexes(closed: ClosedSurface, network: readonly number[][]): Map<number, Map<number, number>> {
  const { vertexCount, apexCount, members } = closed;
  const weights = new Map<number, Map<number, number>>();
  const flatten = (list: ArrayLike<number>): Map<number, number> => {
    const out = new Map<number, number>();
    for (let i = 0; i < list.length; i++) {
      const v = list[i]!;
      if (v < vertexCount) out.set(v, (out.get(v) ?? 0) + 1 / list.length);
      else for (const [k, w] of weights.get(v)!) out.set(k, (out.get(k) ?? 0) + w / list.length);
    }
    return out;
  };
  for (let a = 0; a < apexCount; a++) {
    weights.set(vertexCount + a, flatten(members.values.subarray(members.offsets[a]!, members.offsets[a + 1]!)));
  }
  for (const [a, list] of network.entries()) weights.set(vertexCount + apexCount + a, flatten(list));
  return weights;
}

function joinCsr(first: Csr, lists: readonly (readonly number[])[]): Csr {
  const { offsets, values } = packLists(lists);
  const base = first.values.length;
  return {
    offsets: Uint32Array.from([...first.offsets, ...offsets.subarray(1).map((o) => o + base)]),
    values: Uint32Array.from([...first.values, ...values]),
  };
}
