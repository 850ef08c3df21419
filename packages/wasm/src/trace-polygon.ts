/**
 * The closed polygon whose area vector is Σ (r_i − c)×(r_j − c) over directed edges i → j around a centre c.
 *
 * Around an inner vertex the edges opposite to it form one ring: that is the polygon. Open and broken rings are closed through
 * the centre: centre, chain, centre, chain … An odd polygon ends with its last point twice, for it is read as quadrilaterals.
 */

/** Around more edges than this the next one is looked up in a map. */
const FEW = 24;

/** @param points written. @param edges i, j, i, j … */
export function tracePolygon(points: number[], edges: ArrayLike<number>, centre: number): void {
  const count = edges.length / 2;
  points.length = 0;
  const used = new Uint8Array(count);
  const find = count > FEW ? findByMap(edges, count) : findByLook(edges, count);
  /** Walks on from an edge as far as it goes; true when it comes round. */
  const follow = (first: number): boolean => {
    const start = edges[2 * first]!;
    let end = start;
    for (let e = first; e >= 0; e = find(end, used)) {
      used[e] = 1;
      points.push(edges[2 * e]!);
      end = edges[2 * e + 1]!;
      if (end === start) return true;
    }
    points.push(end);
    return false;
  };
  const isRing = count >= 3 && follow(0) && points.length === count;
  if (!isRing) {
    points.length = 0;
    used.fill(0);
    const entered = new Set<number>();
    for (let e = 0; e < count; e++) entered.add(edges[2 * e + 1]!);
    // Chains from their heads first, then what is left: rings.
    for (const heads of [true, false]) {
      for (let e = 0; e < count; e++) {
        if (used[e] || (heads && entered.has(edges[2 * e]!))) continue;
        points.push(centre);
        if (follow(e)) points.push(edges[2 * e]!);
      }
    }
    while (points.length < 2) points.push(centre);
  }
  if (points.length % 2 === 1) points.push(points.at(-1)!);
}

type FindEdge = (from: number, used: Uint8Array) => number;

function findByLook(edges: ArrayLike<number>, count: number): FindEdge {
  return (from, used) => {
    for (let e = 0; e < count; e++) if (!used[e] && edges[2 * e] === from) return e;
    return -1;
  };
}

function findByMap(edges: ArrayLike<number>, count: number): FindEdge {
  const starting = new Map<number, number[]>();
  for (let e = count - 1; e >= 0; e--) {
    const list = starting.get(edges[2 * e]!);
    if (list) list.push(e);
    else starting.set(edges[2 * e]!, [e]);
  }
  return (from, used) => {
    const list = starting.get(from);
    while (list && list.length > 0 && used[list.at(-1)!]) list.pop();
    return list?.at(-1) ?? -1;
  };
}
