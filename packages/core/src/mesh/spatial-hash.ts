/**
 * Points in space, found again by nearness: "which points of this group, put in so far, lie within `reach` of this one?"
 *
 * Cells are eight times as wide as the reach, so a query looks at one cell and, near its walls, at the neighbours behind
 * them: no pair closer than the reach is missed because a wall runs between. Buckets are chains in two flat arrays.
 */
export interface SpatialHash {
  readonly positions: Float64Array;
  readonly groups: Uint32Array;
  readonly reach: number;
  readonly cell: number;
  readonly heads: Int32Array;
  readonly next: Int32Array;
}

/** `positions` #×3, `groups` #; `smallest` is the cell used when the reach is 0. Empty until points are put in. */
export function createSpatialHash(
  positions: Float64Array,
  groups: Uint32Array,
  reach: number,
  smallest: number,
): SpatialHash {
  const count = positions.length / 3;
  let size = 16;
  while (size < count) size *= 2;
  return {
    positions,
    groups,
    reach,
    cell: Math.max(reach * 8, smallest, Number.MIN_VALUE),
    heads: new Int32Array(size).fill(-1),
    next: new Int32Array(count),
  };
}

export function putPoint(hash: SpatialHash, point: number): void {
  const { positions, groups, cell, heads, next } = hash;
  const k = bucket(
    Math.floor(positions[3 * point]! / cell),
    Math.floor(positions[3 * point + 1]! / cell),
    Math.floor(positions[3 * point + 2]! / cell),
    groups[point]!,
    heads.length,
  );
  next[point] = heads[k]!;
  heads[k] = point;
}

/** Nearest point of the same group within reach (the earlier one of equals) that `accepts`, or −1. */
export function findNearest(hash: SpatialHash, point: number, accepts?: (candidate: number) => boolean): number {
  const { positions, groups, cell, heads, next, reach } = hash;
  const group = groups[point]!;
  const x = positions[3 * point]!;
  const y = positions[3 * point + 1]!;
  const z = positions[3 * point + 2]!;
  // A hair wider than the reach: a quotient may be rounded to the other side of a wall.
  const wide = reach * (1 + 1e-9);
  const x1 = Math.floor((x + wide) / cell);
  const y1 = Math.floor((y + wide) / cell);
  const z1 = Math.floor((z + wide) / cell);
  let best = -1;
  let bestSquare = reach * reach;
  for (let i = Math.floor((x - wide) / cell); i <= x1; i++) {
    for (let j = Math.floor((y - wide) / cell); j <= y1; j++) {
      for (let k = Math.floor((z - wide) / cell); k <= z1; k++) {
        for (let p = heads[bucket(i, j, k, group, heads.length)]!; p >= 0; p = next[p]!) {
          if (groups[p] !== group) continue;
          const dx = positions[3 * p]! - x;
          const dy = positions[3 * p + 1]! - y;
          const dz = positions[3 * p + 2]! - z;
          const square = dx * dx + dy * dy + dz * dz;
          if (square > bestSquare || (square === bestSquare && best >= 0 && p > best)) continue;
          if (p !== best && (!accepts || accepts(p))) {
            best = p;
            bestSquare = square;
          }
        }
      }
    }
  }
  return best;
}

function bucket(i: number, j: number, k: number, group: number, size: number): number {
  let h = Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f) ^ Math.imul(group, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & (size - 1);
}
