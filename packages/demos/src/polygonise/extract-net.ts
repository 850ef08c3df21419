import type { CellList } from './cell-list.js';
import { measureCellSigns } from './flood-cells.js';
import type { SparseGrid } from './sparse-grid.js';

/** A mesh as flat arrays. */
export interface TriangleMesh {
  /** #V×3. */
  readonly positions: Float64Array;
  /** #T×3, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
}

/** The twelve edges of a cell as pairs of corners. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/**
 * Surface net: one vertex per crossed cell, the mean of the crossings of its edges; one quad per crossed grid edge, joining the
 * four cells around it, cut along its shorter diagonal. Two cells that touch only along an edge share no other edge, so no
 * diagonal appears twice: closed and manifold when the samples are well-composed. Linear in the cells.
 */
export function extractNet(grid: SparseGrid, list: CellList): TriangleMesh {
  const cells = list.coordinates;
  const { step, origin } = grid;
  const corner = new Float64Array(8);
  const positions = new Float64Array(3 * list.count);
  let vertexCount = 0;
  let crossings = 0;
  for (let n = 0; n < list.count; n++) {
    const i = cells[3 * n]!;
    const j = cells[3 * n + 1]!;
    const k = cells[3 * n + 2]!;
    const signs = measureCellSigns(grid, i, j, k);
    if (signs === 0 || signs === 255) {
      grid.mark(i, j, k, -1);
      continue;
    }
    for (let c = 0; c < 8; c++) corner[c] = grid.sample(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
    let x = 0;
    let y = 0;
    let z = 0;
    let hits = 0;
    for (let e = 0; e < 24; e += 2) {
      const a = EDGES[e]!;
      const b = EDGES[e + 1]!;
      if (corner[a]! >= 0 === corner[b]! >= 0) continue;
      const t = corner[a]! / (corner[a]! - corner[b]!);
      const axis = b - a;
      x += (a & 1) + (axis === 1 ? t : 0);
      y += ((a >> 1) & 1) + (axis === 2 ? t : 0);
      z += (a >> 2) + (axis === 4 ? t : 0);
      hits++;
    }
    for (let axis = 1; axis < 8; axis *= 2) if (corner[0]! >= 0 !== corner[axis]! >= 0) crossings++;
    positions[3 * vertexCount] = (i + origin[0]! + 0.5 + x / hits) * step;
    positions[3 * vertexCount + 1] = (j + origin[1]! + 0.5 + y / hits) * step;
    positions[3 * vertexCount + 2] = (k + origin[2]! + 0.5 + z / hits) * step;
    grid.mark(i, j, k, vertexCount++);
  }

  const triangles = new Uint32Array(6 * crossings);
  let at = 0;
  const addQuad = (a: number, b: number, c: number, d: number): void => {
    const cut = squaredLength(positions, a, c) <= squaredLength(positions, b, d);
    triangles.set(cut ? [a, b, c, a, c, d] : [a, b, d, b, c, d], at);
    at += 6;
  };
  for (let n = 0; n < list.count; n++) {
    const i = cells[3 * n]!;
    const j = cells[3 * n + 1]!;
    const k = cells[3 * n + 2]!;
    const here = grid.cell(i, j, k);
    if (here < 0) continue;
    const inside = grid.sample(i, j, k) >= 0;
    for (let axis = 0; axis < 3; axis++) {
      const dx = axis === 0 ? 1 : 0;
      const dy = axis === 1 ? 1 : 0;
      const dz = axis === 2 ? 1 : 0;
      if (grid.sample(i + dx, j + dy, k + dz) >= 0 === inside) continue;
      // The two other axes in cyclic order (axis, u, v), so that (−u−v, −v, here, −u) turns about +axis.
      const u = grid.cell(i - dz, j - dx, k - dy);
      const v = grid.cell(i - dy, j - dz, k - dx);
      const uv = grid.cell(i - dz - dy, j - dx - dz, k - dy - dx);
      if (inside) addQuad(uv, v, here, u);
      else addQuad(u, here, v, uv);
    }
  }
  return { positions: positions.slice(0, 3 * vertexCount), triangles };
}

function squaredLength(p: Float64Array, a: number, b: number): number {
  return (p[3 * a]! - p[3 * b]!) ** 2 + (p[3 * a + 1]! - p[3 * b + 1]!) ** 2 + (p[3 * a + 2]! - p[3 * b + 2]!) ** 2;
}
