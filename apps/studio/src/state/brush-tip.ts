/**
 * The round, soft tip of a brush: which vertices are under it, and how much.
 *
 *   w = (1 − (d/r)²)²      d the distance to the middle of the tip, r its radius
 *
 * Only vertices that face the same way as the skin under the tip are touched, so a thin part is not painted through.
 */
import type { CharacterFacts } from '../engine/protocol.js';

export interface Dab {
  readonly point: readonly number[];
  readonly normal: readonly number[];
  readonly radius: number;
}

export interface BrushTip {
  /** Vertices under the tip; `shares[k]` is w. `positions` and `normals` (#V×3) are those on the screen. */
  touch(positions: Float32Array, normals: Float32Array, dab: Dab): readonly number[];
  readonly shares: Float32Array;
  /** Neighbours of a vertex. */
  around(k: number): Uint32Array;
  /** The vertex on the other side of the body, −1 where there is none. */
  opposite(k: number): number;
}

export function createBrushTip({
  triangles,
  rest,
  vertexCount,
}: Pick<CharacterFacts, 'triangles' | 'rest' | 'vertexCount'>): BrushTip {
  let neighbours: { offsets: Uint32Array; list: Uint32Array } | undefined;
  let mirror: Int32Array | undefined;
  const touched: number[] = [];
  const shares = new Float32Array(vertexCount);
  return {
    shares,
    touch(positions, normals, { point, normal, radius }) {
      touched.length = 0;
      for (let k = 0; k < vertexCount; k++) {
        const i = 3 * k;
        const x = positions[i]! - point[0]!;
        const y = positions[i + 1]! - point[1]!;
        const z = positions[i + 2]! - point[2]!;
        const t = (x * x + y * y + z * z) / (radius * radius);
        if (t >= 1) continue;
        const facing = normals[i]! * normal[0]! + normals[i + 1]! * normal[1]! + normals[i + 2]! * normal[2]!;
        if (facing <= 0) continue;
        shares[k] = (1 - t) ** 2;
        touched.push(k);
      }
      return touched;
    },
    around(k) {
      neighbours ??= listNeighbours(triangles, vertexCount);
      return neighbours.list.subarray(neighbours.offsets[k]!, neighbours.offsets[k + 1]!);
    },
    opposite: (k) => (mirror ??= listMirrored(rest, vertexCount))[k]!,
  };
}

/** The next corner of every triangle around a vertex: on a closed surface, each neighbour once. */
function listNeighbours(triangles: Uint32Array, vertexCount: number) {
  const offsets = new Uint32Array(vertexCount + 1);
  for (const vertex of triangles) offsets[vertex + 1]!++;
  for (let k = 0; k < vertexCount; k++) offsets[k + 1]! += offsets[k]!;
  const next = offsets.slice();
  const list = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const t = i - (i % 3);
    list[next[triangles[i]!]!++] = triangles[t + ((i + 1) % 3)]!;
  }
  return { offsets, list };
}

/** The vertex nearest to the mirror image of each in the plane x = middle of the rest shape; −1 where none is near. */
export function listMirrored(rest: Float32Array, vertexCount: number): Int32Array {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < rest.length; i += 3) {
    low = Math.min(low, rest[i]!);
    high = Math.max(high, rest[i]!);
  }
  const cell = Math.max(1e-12, (2 * (high - low)) / Math.sqrt(vertexCount));
  const cells = new Map<string, number[]>();
  const place = (x: number) => Math.floor(x / cell);
  for (let k = 0; k < vertexCount; k++) {
    const key = `${place(rest[3 * k]!)},${place(rest[3 * k + 1]!)},${place(rest[3 * k + 2]!)}`;
    const list = cells.get(key);
    if (list) list.push(k);
    else cells.set(key, [k]);
  }
  return Int32Array.from({ length: vertexCount }, (_, k) => {
    const [x, y, z] = [low + high - rest[3 * k]!, rest[3 * k + 1]!, rest[3 * k + 2]!];
    let best = -1;
    let nearest = cell * cell;
    for (let n = 0; n < 27; n++) {
      const key = `${place(x) + (n % 3) - 1},${place(y) + (Math.trunc(n / 3) % 3) - 1},${place(z) + Math.trunc(n / 9) - 1}`;
      for (const j of cells.get(key) ?? []) {
        const d = (rest[3 * j]! - x) ** 2 + (rest[3 * j + 1]! - y) ** 2 + (rest[3 * j + 2]! - z) ** 2;
        if (d < nearest) [best, nearest] = [j, d];
      }
    }
    return best;
  });
}
