import { measureTriangleArea } from '../mesh/cross.js';
import type { Surface } from '../mesh/surface.js';

/** One third of the area of the triangles around each vertex at rest. */
export function sumVertexAreas({ triangles, positions: x, vertexCount }: Surface): Float64Array {
  const out = new Float64Array(vertexCount);
  for (let t = 0; t < triangles.length; t += 3) {
    const area = measureTriangleArea(x, 3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!) / 3;
    for (let c = t; c < t + 3; c++) out[triangles[c]!]! += area;
  }
  return out;
}

/** M: the same, scaled to mean 1 and kept above 1e−3: a vertex without area (or outside every triangle) would make M singular. */
export function measureVertexAreas(surface: Surface): Float64Array {
  const areas = sumVertexAreas(surface);
  const mean = areas.reduce((sum, area) => sum + area, 0) / surface.vertexCount || 1;
  return areas.map((area) => Math.max(area / mean, 1e-3));
}
