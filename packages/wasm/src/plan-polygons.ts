/** The polygon around every vertex of a surface (see trace-polygon.ts), as lists. */
import type { Surface } from '@isoskin/core';
import { GrowingWords } from './growing-words.js';
import { createPolygon, tracePolygon } from './trace-polygon.js';

export interface Polygons {
  /** Vertex → points, an even number and at least two. */
  readonly offsets: Uint32Array;
  readonly points: Uint32Array;
  /** Bit 0: the last point stands twice. Bit 1: the points are not exactly the neighbours of the vertex. */
  readonly flags: Uint8Array;
}

export const PADDED = 1;
export const ODD = 2;
/** Means over more neighbours are not in the table of shares. */
const MOST_NEIGHBOURS = 255;

export function planPolygons({ vertexCount, triangles, corners, neighbours }: Surface): Polygons {
  const offsets = new Uint32Array(vertexCount + 1);
  const flags = new Uint8Array(vertexCount);
  const points = new GrowingWords(7 * vertexCount + 64);
  const polygon = createPolygon();
  const edges: number[] = [];
  for (let k = 0; k < vertexCount; k++) {
    edges.length = 0;
    for (let i = corners.offsets[k]!; i < corners.offsets[k + 1]!; i++) {
      const corner = corners.values[i]!;
      const first = corner - (corner % 3);
      edges.push(triangles[first + ((corner + 1) % 3)]!, triangles[first + ((corner + 2) % 3)]!);
    }
    tracePolygon(polygon, edges, edges.length / 2, k);
    for (const point of polygon.points) points.push(point);
    offsets[k + 1] = points.length;
    const count = neighbours.offsets[k + 1]! - neighbours.offsets[k]!;
    const plain = polygon.ring && edges.length / 2 === count && count <= MOST_NEIGHBOURS;
    flags[k] = (polygon.padded ? PADDED : 0) | (plain ? 0 : ODD);
  }
  return { offsets, points: points.view.slice(), flags };
}
