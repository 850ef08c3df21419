/** The polygon around every vertex of a surface (see trace-polygon.ts), as lists. */
import type { Surface } from '@isoskin/core';
import { GrowingWords } from './growing-words.js';
import { tracePolygon } from './trace-polygon.js';

export interface Polygons {
  /** Vertex → points, an even number and at least two. */
  readonly offsets: Uint32Array;
  readonly points: Uint32Array;
}

export function planPolygons({ vertexCount, triangles, corners }: Surface): Polygons {
  const offsets = new Uint32Array(vertexCount + 1);
  const points = new GrowingWords(7 * vertexCount + 64);
  const polygon: number[] = [];
  const edges: number[] = [];
  for (let k = 0; k < vertexCount; k++) {
    edges.length = 0;
    for (let i = corners.offsets[k]!; i < corners.offsets[k + 1]!; i++) {
      const corner = corners.values[i]!;
      const first = corner - (corner % 3);
      edges.push(triangles[first + ((corner + 1) % 3)]!, triangles[first + ((corner + 2) % 3)]!);
    }
    tracePolygon(polygon, edges, k);
    for (const point of polygon) points.push(point);
    offsets[k + 1] = points.length;
  }
  return { offsets, points: points.view.slice() };
}
