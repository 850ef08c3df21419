import { measureSegment, measureTriangle, SIMPLEX_STRIDE } from './scaled-distance.js';

/**
 * For every cell of a coarse grid, the simplices that can matter inside it.
 *
 * s changes by at most |δ|/e_min over a step δ. In a ball of radius r a simplex is dropped when its smallest s there exceeds the
 * reach of its primitive, or the largest s of another simplex of the same primitive: both tests are conservative, so the
 * pruned field equals the full one. Built top-down; lists only shrink.
 */
export interface NearLists {
  /** Box of all influence: min x, y, z, max x, y, z. */
  readonly bounds: Float64Array;
  /** CSR over cells; simplices ascend, so those of one primitive are together. */
  readonly offsets: Uint32Array;
  readonly simplices: Uint32Array;
  /** Cell of a point, −1 outside. */
  find(x: number, y: number, z: number): number;
}

/** Cells along the longest side. A power of two. */
const RESOLUTION = 32;

export function createNearLists(
  records: Float64Array,
  owner: Uint32Array,
  flat: Uint8Array,
  reach: Float64Array,
): NearLists {
  const bounds = measureInfluence(records, owner, flat, reach);
  const [x0, y0, z0] = [bounds[0]!, bounds[1]!, bounds[2]!];
  const cell = Math.max(bounds[3]! - x0, bounds[4]! - y0, bounds[5]! - z0) / (RESOLUTION - 1e-9);
  const nx = Math.floor((bounds[3]! - x0) / cell) + 1;
  const ny = Math.floor((bounds[4]! - y0) / cell) + 1;
  const nz = Math.floor((bounds[5]! - z0) / cell) + 1;
  const lists: (readonly number[] | undefined)[] = new Array(nx * ny * nz);
  const closest = new Float64Array(4);
  const lowest = new Float64Array(owner.length);
  const limits = new Float64Array(reach.length);

  const prune = (list: readonly number[], x: number, y: number, z: number, radius: number): number[] => {
    for (const simplex of list) limits[owner[simplex]!] = reach[owner[simplex]!]!;
    for (const simplex of list) {
      const at = simplex * SIMPLEX_STRIDE;
      const squared = flat[simplex]
        ? measureTriangle(closest, records, at, x, y, z)
        : measureSegment(closest, records, at, x, y, z);
      const s = Math.sqrt(squared);
      lowest[simplex] = s - radius / records[at + 9]!;
      const primitive = owner[simplex]!;
      limits[primitive] = Math.min(limits[primitive]!, s + radius / closest[3]!);
    }
    return list.filter((simplex) => lowest[simplex]! <= limits[owner[simplex]!]!);
  };

  const split = (list: readonly number[], i: number, j: number, k: number, size: number): void => {
    if (i >= nx || j >= ny || k >= nz) return;
    const half = (size * cell) / 2;
    const kept = prune(
      list,
      x0 + i * cell + half,
      y0 + j * cell + half,
      z0 + k * cell + half,
      half * Math.sqrt(3) * 1.001,
    );
    if (kept.length === 0) return;
    if (size === 1) {
      lists[i + nx * (j + ny * k)] = kept;
      return;
    }
    const h = size / 2;
    for (let n = 0; n < 8; n++) split(kept, i + (n & 1) * h, j + ((n >> 1) & 1) * h, k + (n >> 2) * h, h);
  };
  split(
    Array.from(owner, (_, i) => i),
    0,
    0,
    0,
    RESOLUTION,
  );

  const offsets = new Uint32Array(lists.length + 1);
  for (let i = 0; i < lists.length; i++) offsets[i + 1] = offsets[i]! + (lists[i]?.length ?? 0);
  const simplices = new Uint32Array(offsets[lists.length]!);
  for (let i = 0; i < lists.length; i++) if (lists[i]) simplices.set(lists[i]!, offsets[i]!);

  return {
    bounds,
    offsets,
    simplices,
    find(x, y, z) {
      const i = Math.floor((x - x0) / cell);
      const j = Math.floor((y - y0) / cell);
      const k = Math.floor((z - z0) / cell);
      return i >= 0 && j >= 0 && k >= 0 && i < nx && j < ny && k < nz ? i + nx * (j + ny * k) : -1;
    },
  };
}

function measureInfluence(
  records: Float64Array,
  owner: Uint32Array,
  flat: Uint8Array,
  reach: Float64Array,
): Float64Array {
  const bounds = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  owner.forEach((primitive, simplex) => {
    const at = simplex * SIMPLEX_STRIDE;
    for (const edge of flat[simplex] ? [0, 4, 10] : [0, 4]) {
      const moved = edge === 0 ? 0 : 1;
      const radius = reach[primitive]! * (records[at + 3]! + moved * records[at + edge + 3]!);
      for (let axis = 0; axis < 3; axis++) {
        const p = records[at + axis]! + moved * records[at + edge + axis]!;
        bounds[axis] = Math.min(bounds[axis]!, p - radius);
        bounds[3 + axis] = Math.max(bounds[3 + axis]!, p + radius);
      }
    }
  });
  return bounds;
}
