import { IsoskinError } from '@isoskin/core';
import type { ImplicitSurface } from '../field/implicit-surface.js';
import { bendSurface, type Lens, seeThrough } from './bend-surface.js';
import type { CellList } from './cell-list.js';
import { composeSigns } from './compose-signs.js';
import { extractNet, type TriangleMesh } from './extract-net.js';
import { flipEdges } from './flip-edges.js';
import { floodCells } from './flood-cells.js';
import { createTwins } from './half-edges.js';
import { projectOntoSurface, relaxOnSurface } from './relax-on-surface.js';
import { createSparseGrid, type SparseGrid } from './sparse-grid.js';

/** How fine the mesh is. */
export interface PolygoniseOptions {
  /** Wanted number of vertices, met to about 2 %. Give this or `step`. */
  readonly vertices?: number;
  /** Edge of a grid cell. */
  readonly step?: number;
  /** Where the mesh is finer. */
  readonly lenses?: readonly Lens[];
  /** Rounds of flips and four relaxation sweeps each. Default 2. */
  readonly rounds?: number;
}

/** The mesh and the grid step that it was made with. */
export interface Polygonisation extends TriangleMesh {
  readonly step: number;
}

/**
 * I7. A closed, manifold mesh of well-shaped triangles on the surface f = iso, counter-clockwise seen from outside.
 *
 * Surface nets on the cells that the surface crosses (flood), made well-composed, then sweeps of Delaunay flips, tangential
 * relaxation and Newton re-projection. Time and memory are linear in the vertices. The number of vertices is the number of
 * crossed cells, ≈ 1.5 · area/step²; for a wanted number the step is found by repeated scaling. The net is made behind the lenses
 * (`bend-surface.ts`) and evened out in front of them.
 */
export function polygonise(surface: ImplicitSurface, options: PolygoniseOptions): Polygonisation {
  const lenses = options.lenses ?? [];
  const bent = bendSurface(surface, lenses);
  const { grid, cells } = options.step ? floodAt(bent, options.step) : floodCount(bent, options.vertices ?? 0);
  if (cells.count === 0) {
    const message = 'The surface falls between the grid points; use a smaller step or more vertices.';
    throw new IsoskinError('SURFACE_NOT_FOUND', message, `step ${grid.step}`);
  }
  composeSigns(grid, cells);
  const { positions, triangles } = extractNet(grid, cells);
  for (let at = 0; at < positions.length; at += 3) seeThrough(lenses, positions.subarray(at, at + 3));
  const normals = new Float64Array(positions.length);
  const limit = grid.step / 2 / Math.max(1, ...lenses.map(([, , , , power]) => power));
  projectOntoSurface(positions, normals, surface, limit, 2);
  const twins = createTwins(triangles, positions.length / 3);
  for (let round = 0; round < (options.rounds ?? 2); round++) {
    flipEdges(triangles, twins, positions, 3);
    relaxOnSurface(positions, normals, triangles, surface, limit, 4);
  }
  flipEdges(triangles, twins, positions, 3);
  projectOntoSurface(positions, normals, surface, limit, 8, 1e-9);
  return { positions, triangles, step: grid.step };
}

interface Flood {
  readonly grid: SparseGrid;
  readonly cells: CellList;
}

function floodAt(surface: ImplicitSurface, step: number): Flood {
  if (!(step > 0)) {
    throw new IsoskinError(
      'STEP_INVALID',
      `The step must be positive, not ${step}; give a step or a number of vertices.`,
    );
  }
  const grid = createSparseGrid(surface, step);
  return { grid, cells: floodCells(surface, grid) };
}

/** The count goes as 1/step², with jitter from the grid's place: scaling from a coarse flood meets it in two or three. */
function floodCount(surface: ImplicitSurface, wanted: number): Flood {
  if (!(wanted >= 8)) {
    throw new IsoskinError('VERTICES_TOO_FEW', `A closed mesh needs at least 8 vertices, not ${wanted}; ask for more.`);
  }
  const { bounds } = surface;
  const diagonal = Math.hypot(bounds[3]! - bounds[0]!, bounds[4]! - bounds[1]!, bounds[5]! - bounds[2]!);
  let step = diagonal / 40;
  let best: Flood | undefined;
  let bestError = Infinity;
  for (let pass = 0; pass < 8; pass++) {
    const flood = floodAt(surface, step);
    const count = Math.max(1, flood.cells.count);
    const error = Math.abs(count / wanted - 1);
    if (error < bestError) {
      best = flood;
      bestError = error;
    }
    if (error < 0.015 || (error < 0.025 && pass > 3)) break;
    // From far away stop half-way first: a coarse grid misjudges the area of thin parts.
    step *= Math.max(Math.sqrt(count / wanted), 0.2);
  }
  return best!;
}
