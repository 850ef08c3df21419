import type { RegionVolumes } from '../volume/plan-region-volumes.js';

/** The (region, vertex) pairs, sorted out by whether the vertex is shared: a shared vertex links the regions it is in. */
export interface Links {
  /** Vertices in several regions, and vertex → its pairs. */
  readonly vertices: Uint32Array;
  readonly offsets: Uint32Array;
  readonly pairs: Uint32Array;
  /** Pairs whose vertex is in no other region. */
  readonly singlePairs: Uint32Array;
}

export function planLinks({ pairVertex, pairCount }: RegionVolumes): Links {
  const order = Uint32Array.from({ length: pairCount }, (_, p) => p).sort((p, q) => pairVertex[p]! - pairVertex[q]!);
  const vertices: number[] = [];
  const offsets = [0];
  const pairs: number[] = [];
  const singlePairs: number[] = [];
  for (let n = 0, m = 0; n < pairCount; n = m) {
    const k = pairVertex[order[n]!]!;
    while (m < pairCount && pairVertex[order[m]!] === k) m++;
    if (m - n === 1) {
      singlePairs.push(order[n]!);
      continue;
    }
    vertices.push(k);
    pairs.push(...order.subarray(n, m));
    offsets.push(pairs.length);
  }
  return {
    vertices: Uint32Array.from(vertices),
    offsets: Uint32Array.from(offsets),
    pairs: Uint32Array.from(pairs),
    singlePairs: Uint32Array.from(singlePairs),
  };
}
