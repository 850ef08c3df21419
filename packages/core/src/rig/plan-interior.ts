/**
 * The inside of a body as cells of a grid: a cell is inside where the surface winds around its centre.
 *
 *   w(c) = Σ of the signs of the triangles that the ray from c along +z leaves (+1) or enters (−1);   inside: w > 0
 *
 * Parts that overlap are one body then. Columns are a little off the grid's own lines, so that no ray meets an edge or a corner of a made-up model.
 * O(#T + #cells).
 */
import { measureBox } from '../mesh/measure-box.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';
import { applyApexes } from '../volume/plan-closed-surface.js';

export interface Interior {
  /** Cells of the grid along x, y, z; a border of one is empty. */
  readonly shape: readonly [number, number, number];
  /** Edge of a cell. */
  readonly h: number;
  /** Centre of cell 0. */
  readonly origin: readonly [number, number, number];
  /** 1 inside, by cell: x + shape[0] (y + shape[1] z). */
  readonly inside: Uint8Array;
  /** Cells inside. */
  readonly count: number;
  /** Share of the columns through the body along which the winding does not come back to nothing: the surface is torn. */
  readonly torn: number;
}

const MOST_CELLS = 40_000_000;
const OFF = 0.01937;

/** @param volume of the body. @param cells about how many cells shall be inside */
export function planInterior(closed: ClosedSurface, volume: number, cells: number): Interior {
  const { surface, triangles, vertexCount, apexCount, members } = closed;
  const positions = new Float64Array(3 * (vertexCount + apexCount));
  positions.set(surface.positions);
  applyApexes(positions, vertexCount, members);
  const box = measureBox(positions);
  const sides = [0, 1, 2].map((r) => box[r + 3]! - box[r]!);
  const h = Math.max(Math.cbrt(volume / cells), Math.cbrt((sides[0]! * sides[1]! * sides[2]!) / MOST_CELLS));
  const shape = sides.map((side) => Math.ceil(side / h) + 3) as [number, number, number];
  const origin = [0, 1, 2].map((r) => box[r]! - h * (1 + OFF * (r + 1))) as [number, number, number];
  const [nx, ny, nz] = shape;
  // Changes of the winding, then their sums along z.
  const steps = new Int16Array(nx * ny * nz);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const at = (k: number, r: number) => (positions[k + r]! - origin[r]!) / h;
    const [ax, ay, az] = [at(a, 0), at(a, 1), at(a, 2)];
    const [bx, by, bz] = [at(b, 0), at(b, 1), at(b, 2)];
    const [cx, cy, cz] = [at(c, 0), at(c, 1), at(c, 2)];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) continue;
    for (let y = Math.ceil(Math.min(ay, by, cy)); y <= Math.max(ay, by, cy); y++) {
      for (let x = Math.ceil(Math.min(ax, bx, cx)); x <= Math.max(ax, bx, cx); x++) {
        const u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
        const v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const z = Math.floor(u * az + v * bz + (1 - u - v) * cz);
        steps[x + nx * (y + ny * z)]! += area > 0 ? 1 : -1;
      }
    }
  }
  const inside = new Uint8Array(nx * ny * nz);
  let count = 0;
  let torn = 0;
  let met = 0;
  for (let column = 0; column < nx * ny; column++) {
    let winding = 0;
    let touched = 0;
    for (let z = nz - 1; z >= 0; z--) {
      const i = column + nx * ny * z;
      winding += steps[i]!;
      touched |= steps[i]!;
      if (winding <= 0) continue;
      inside[i] = 1;
      count++;
    }
    if (touched !== 0) met++;
    if (winding === 0) continue;
    torn++;
    for (let i = column; i < inside.length; i += nx * ny) {
      count -= inside[i]!;
      inside[i] = 0;
    }
  }
  return { shape, h, origin, inside, count, torn: met > 0 ? torn / met : 0 };
}
