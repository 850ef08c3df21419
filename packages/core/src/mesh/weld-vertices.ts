/**
 * B3. Makes one vertex of source vertices that lie on one place and move alike.
 *
 * Vertices are taken in order; each joins the nearest earlier *leader* of its group within the tolerance that it is alike
 * to, or becomes a leader itself. Welded vertices are numbered by first appearance. O(#).
 */
import { createSpatialHash, findNearest, putPoint } from './spatial-hash.js';

export interface WeldInput {
  /** #×3. */
  readonly positions: Float64Array;
  /** Vertices of different groups are never welded, #. */
  readonly groups: Uint32Array;
  /** Distance in units of `positions`. */
  readonly tolerance: number;
  /** Diagonal of the bounding box. */
  readonly size: number;
  /** Whether two source vertices on one place may be one: same weights, same morphs. */
  readonly isAlike: (a: number, b: number) => boolean;
}

export interface Weld {
  /** Source vertex → welded vertex, #. */
  readonly welded: Uint32Array;
  /** Welded vertex → the source vertex that stands for it. */
  readonly leaders: Uint32Array;
  /** Vertices kept apart from another one on the same place because they are not alike. */
  readonly keptApart: number;
}

/** Of the size: wide beside the usual tolerance, so that few look behind a wall, narrow beside the way from vertex to vertex. */
const CELL = 5e-5;

/** With more strangers on one place, further ones are not offered for welding: keeps a shape collapsed to a point linear. */
const MAX_STRANGERS = 64;

export function weldVertices({ positions, groups, tolerance, size, isAlike }: WeldInput): Weld {
  const count = positions.length / 3;
  const hash = createSpatialHash(positions, groups, tolerance, size * CELL);
  const welded = new Uint32Array(count);
  const leaders = new Uint32Array(count);
  let leaderCount = 0;
  let keptApart = 0;
  let strangers = 0;
  let vertex = 0;
  const accepts = (leader: number): boolean => {
    if (isAlike(leader, vertex)) return true;
    strangers++;
    return false;
  };
  for (; vertex < count; vertex++) {
    strangers = 0;
    const leader = findNearest(hash, vertex, accepts);
    if (leader >= 0) {
      welded[vertex] = welded[leader]!;
      continue;
    }
    if (strangers > 0) keptApart++;
    if (strangers <= MAX_STRANGERS) putPoint(hash, vertex);
    leaders[leaderCount] = vertex;
    welded[vertex] = leaderCount++;
  }
  return { welded, leaders: leaders.slice(0, leaderCount), keptApart };
}
