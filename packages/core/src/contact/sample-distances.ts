/**
 * Signed distances to a closed piece of surface on a grid, for the fields of F5. At planning time: O(nodes · log #T).
 */
import type { Bvh } from './bvh.js';
import { createNearestPoint, measureNearestPoint } from './measure-nearest-point.js';

export type GridSize = readonly [number, number, number];

export interface Piece {
  positions: Float64Array;
  bvh: Bvh;
}

/** Rays run beside the nodes, so that none meets a corner of a regular mesh. */
const OFF_GRID = 1e-5;

/** Signed distances on the grid: the nearest triangle, negative where the piece winds around the node. */
export function sampleDistances(
  { positions, bvh }: Piece,
  box: readonly number[],
  cell: number,
  size: GridSize,
): Float32Array {
  const [nx, ny, nz] = size;
  const grid = new Float32Array(nx * ny * nz);
  const winding = countWindings(bvh.triangles, positions, box, cell, size);
  const nearest = createNearestPoint();
  let at = 0;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, at++) {
        const [x, y, z] = [box[0]! + i * cell, box[1]! + j * cell, box[2]! + k * cell];
        measureNearestPoint(nearest, bvh, positions, x, y, z);
        grid[at] = winding[at]! > 0 ? -nearest.distance : nearest.distance;
      }
    }
  }
  return grid;
}

/**
 * How often the surface winds around each node: crossings of the ray along +x, outward +1, inward −1. Unlike a count of
 * crossings it is right where caps fold over themselves.
 */
function countWindings(
  triangles: Uint32Array,
  positions: Float64Array,
  box: readonly number[],
  cell: number,
  [nx, ny, nz]: GridSize,
): Int32Array {
  const winding = new Int32Array(nx * ny * nz);
  const y = (v: number) => (positions[3 * v + 1]! - box[1]!) / cell;
  const z = (v: number) => (positions[3 * v + 2]! - box[2]!) / cell;
  // Twice the signed area left of a → b, the same number for both triangles of an edge.
  const turn = (a: number, b: number, j: number, k: number): number =>
    a < b ? (y(b) - y(a)) * (k - z(a)) - (z(b) - z(a)) * (j - y(a)) : -turn(b, a, j, k);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const j1 = Math.min(ny - 1, Math.floor(Math.max(y(a), y(b), y(c))));
    const k1 = Math.min(nz - 1, Math.floor(Math.max(z(a), z(b), z(c))));
    for (let k = Math.max(0, Math.ceil(Math.min(z(a), z(b), z(c)))); k <= k1; k++) {
      for (let j = Math.max(0, Math.ceil(Math.min(y(a), y(b), y(c)))); j <= j1; j++) {
        const u = turn(b, c, j + OFF_GRID, k + OFF_GRID);
        const v = turn(c, a, j + OFF_GRID, k + OFF_GRID);
        const w = turn(a, b, j + OFF_GRID, k + OFF_GRID);
        if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
        const x = (u * positions[3 * a]! + v * positions[3 * b]! + w * positions[3 * c]!) / (u + v + w);
        const end = Math.min(nx, Math.ceil((x - box[0]!) / cell));
        for (let i = 0; i < end; i++) winding[i + nx * (j + ny * k)]! += u > 0 ? 1 : -1;
      }
    }
  }
  return winding;
}
