import type { CellList } from './cell-list.js';
import { ACTIVE, measureCellSigns } from './flood-cells.js';
import type { SparseGrid } from './sparse-grid.js';

/** Corners of the six faces in circular order. */
const RINGS = [
  [0, 2, 6, 4],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 1, 3, 2],
  [4, 5, 7, 6],
] as const;

/** Where a changed sample is put: just on the other side, and recognisable. */
const NUDGE = 1e-3;
const wasChanged = (value: number): boolean => value === NUDGE || value === -NUDGE;

/**
 * Makes the samples *well-composed*: no face with opposite corners inside and the other two outside, no cell whose only
 * inside (or outside) corners are opposite ends of a diagonal. Then every cell holds one sheet of the surface, and the
 * net with one vertex per cell is a closed 2-manifold.
 *
 * An ambiguous face is decided by the bilinear saddle value (joined or separated); one sample changes side and the eight cells
 * around it are looked at again. A face with a sample that was changed before is always joined, so a sample goes out at most
 * once and in at most once, and the loop ends. New cells are appended to the list; cells that the surface has left stay in
 * it, with equal signs. Returns the number of samples changed.
 */
export function composeSigns(grid: SparseGrid, list: CellList): number {
  let changed = 0;
  const change = (i: number, j: number, k: number, corner: number, value: number): void => {
    const x = i + (corner & 1);
    const y = j + ((corner >> 1) & 1);
    const z = k + (corner >> 2);
    grid.assign(x, y, z, value);
    changed++;
    for (let n = 0; n < 8; n++) {
      const [ci, cj, ck] = [x - (n & 1), y - ((n >> 1) & 1), z - (n >> 2)];
      const known = grid.cell(ci, cj, ck) === ACTIVE;
      if (!known) grid.mark(ci, cj, ck, ACTIVE);
      if (!known) list.push(ci, cj, ck);
      else settle(ci, cj, ck);
    }
  };
  const value = (i: number, j: number, k: number, corner: number) =>
    grid.sample(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));

  const settle = (i: number, j: number, k: number): void => {
    const signs = measureCellSigns(grid, i, j, k);
    if (signs === 0 || signs === 255) return;
    for (const ring of RINGS) {
      const [a, b, c, d] = ring;
      const inside = (corner: number) => (signs >> corner) & 1;
      if (inside(a) !== inside(c) || inside(b) !== inside(d) || inside(a) === inside(b)) continue;
      const [fa, fb, fc, fd] = [value(i, j, k, a), value(i, j, k, b), value(i, j, k, c), value(i, j, k, d)];
      // The saddle of the bilinear interpolant has the sign of (ac − bd) times that of the diagonal a–c.
      const changedBefore = [fa, fb, fc, fd].some(wasChanged);
      const joined = changedBefore || (fa * fc - fb * fd) * (fa >= 0 ? 1 : -1) >= 0;
      const [p, fp, q, fq] = fa >= 0 === joined ? [b, fb, d, fd] : [a, fa, c, fc];
      change(i, j, k, Math.abs(fp) <= Math.abs(fq) ? p : q, joined ? NUDGE : -NUDGE);
      return;
    }
    for (let corner = 0; corner < 4; corner++) {
      const pair = (1 << corner) | (1 << (7 - corner));
      if (signs === pair || signs === 255 - pair) {
        const ends = [value(i, j, k, corner), value(i, j, k, 7 - corner)];
        const joined = signs !== pair || ends.some(wasChanged);
        const target = signs === pair && joined ? corner ^ 1 : corner;
        change(i, j, k, target, joined ? NUDGE : -NUDGE);
        return;
      }
    }
  };
  for (let n = 0; n < list.count; n++) {
    settle(list.coordinates[3 * n]!, list.coordinates[3 * n + 1]!, list.coordinates[3 * n + 2]!);
  }
  return changed;
}
