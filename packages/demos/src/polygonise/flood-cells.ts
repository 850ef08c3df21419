import type { ImplicitSurface } from '../field/implicit-surface.js';
import { CellList } from './cell-list.js';
import type { SparseGrid } from './sparse-grid.js';

/** Mark of a cell that the surface crosses. */
export const ACTIVE = 0;

/** Corners of the six faces of a cell (bit x, y, z of a corner = 1, 2, 4) as masks, with the step to the cell behind. */
const FACES: readonly (readonly [mask: number, di: number, dj: number, dk: number])[] = [
  [0b01010101, -1, 0, 0],
  [0b10101010, 1, 0, 0],
  [0b00110011, 0, -1, 0],
  [0b11001100, 0, 1, 0],
  [0b00001111, 0, 0, -1],
  [0b11110000, 0, 0, 1],
];

/** Bit n set: corner n of the cell is inside (f ≥ iso). */
export function measureCellSigns(grid: SparseGrid, i: number, j: number, k: number): number {
  return (
    (grid.sample(i, j, k) >= 0 ? 1 : 0) |
    (grid.sample(i + 1, j, k) >= 0 ? 2 : 0) |
    (grid.sample(i, j + 1, k) >= 0 ? 4 : 0) |
    (grid.sample(i + 1, j + 1, k) >= 0 ? 8 : 0) |
    (grid.sample(i, j, k + 1) >= 0 ? 16 : 0) |
    (grid.sample(i + 1, j, k + 1) >= 0 ? 32 : 0) |
    (grid.sample(i, j + 1, k + 1) >= 0 ? 64 : 0) |
    (grid.sample(i + 1, j + 1, k + 1) >= 0 ? 128 : 0)
  );
}

/**
 * All cells that the surface crosses, found by walking over it: from each seed to the surface, then from cell to cell through
 * faces with corners of both signs. Cost: the samples on the surface, nothing inside or outside. Marks the cells ACTIVE.
 */
export function floodCells(surface: ImplicitSurface, grid: SparseGrid): CellList {
  const list = new CellList();
  const add = (i: number, j: number, k: number): void => {
    if (grid.cell(i, j, k) === ACTIVE) return;
    grid.mark(i, j, k, ACTIVE);
    list.push(i, j, k);
  };
  for (let s = 0; s + 2 < surface.seeds.length; s += 3) {
    const at = (axis: number) => Math.round(surface.seeds[s + axis]! / grid.step - 0.5) - grid.origin[axis]!;
    const j = at(1);
    const k = at(2);
    let i = at(0);
    if (grid.sample(i, j, k) < 0) continue;
    while (grid.sample(i + 1, j, k) >= 0) i++;
    add(i, j, k);
  }
  for (let n = 0; n < list.count; n++) {
    const i = list.coordinates[3 * n]!;
    const j = list.coordinates[3 * n + 1]!;
    const k = list.coordinates[3 * n + 2]!;
    const signs = measureCellSigns(grid, i, j, k);
    for (const [face, di, dj, dk] of FACES) {
      const inside = signs & face;
      if (inside !== 0 && inside !== face) add(i + di, j + dj, k + dk);
    }
  }
  return list;
}
