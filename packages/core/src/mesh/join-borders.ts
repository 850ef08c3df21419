/**
 * Second weld for quantised files: closes seams whose two sides were rounded apart.
 *
 * Only vertices on open borders take part; two of them become one when each is the other's nearest within the wider
 * tolerance, they are alike, and no border edge joins them (that edge would collapse). Repeated a few times, because where
 * three or more patches meet one round joins only two of them. O(#V + #T) per round.
 */
import { cleanTriangles } from './clean-triangles.js';
import { listBorder } from './plan-caps.js';
import { planEdges } from './plan-edges.js';
import { createSpatialHash, findNearest, putPoint } from './spatial-hash.js';
import type { Weld, WeldInput } from './weld-vertices.js';

const ROUNDS = 4;

/** `triangles` index source vertices; `input.tolerance` is the border tolerance. */
export function joinBorders(weld: Weld, triangles: Uint32Array, input: WeldInput): Weld {
  let current = weld;
  for (let round = 0; round < ROUNDS; round++) {
    const joined = joinOnce(current, triangles, input);
    if (joined === current) break;
    current = joined;
  }
  return current;
}

function joinOnce(weld: Weld, sourceTriangles: Uint32Array, input: WeldInput): Weld {
  const { leaders, welded } = weld;
  const count = leaders.length;
  const { triangles } = cleanTriangles(sourceTriangles.map((v) => welded[v]!));
  const border = listBorder(triangles, planEdges(triangles, count));
  if (border.length === 0) return weld;

  const positions = new Float64Array(3 * count);
  for (let v = 0; v < count; v++) positions.set(input.positions.subarray(3 * leaders[v]!, 3 * leaders[v]! + 3), 3 * v);
  const hash = createSpatialHash(
    positions,
    leaders.map((v) => input.groups[v]!),
    input.tolerance,
    input.size * 1e-6,
  );
  // Border edges of each vertex as a chain: entry p belongs to border[p] and names border[p ^ 1].
  const firstEntry = new Int32Array(count).fill(-1);
  const nextEntry = new Int32Array(border.length);
  for (let p = 0; p < border.length; p++) {
    if (firstEntry[border[p]!]! < 0) putPoint(hash, border[p]!);
    nextEntry[p] = firstEntry[border[p]!]!;
    firstEntry[border[p]!] = p;
  }
  const isLinked = (a: number, b: number): boolean => {
    for (let p = firstEntry[a]!; p >= 0; p = nextEntry[p]!) if (border[p ^ 1] === b) return true;
    return false;
  };
  const nearest = new Int32Array(count).fill(-1);
  for (let v = 0; v < count; v++) {
    if (firstEntry[v]! < 0) continue;
    nearest[v] = findNearest(hash, v, (other) => {
      const a = leaders[v]!;
      const b = leaders[other]!;
      return other !== v && !isLinked(v, other) && input.isAlike(a, b);
    });
  }
  const renumbered = new Uint32Array(count);
  const kept: number[] = [];
  for (let v = 0; v < count; v++) {
    const partner = nearest[v]!;
    if (partner >= 0 && partner < v && nearest[partner] === v) renumbered[v] = renumbered[partner]!;
    else {
      renumbered[v] = kept.length;
      kept.push(leaders[v]!);
    }
  }
  if (kept.length === count) return weld;
  return { welded: welded.map((w) => renumbered[w]!), leaders: Uint32Array.from(kept), keptApart: weld.keptApart };
}
