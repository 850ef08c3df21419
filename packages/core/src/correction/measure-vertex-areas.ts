import { measureTriangleArea } from '../mesh/cross.js';
import type { Surface } from '../mesh/surface.js';

/** M: one third of the area of the triangles around each vertex at rest, scaled to mean 1 and kept above 1e−3. */
export function measureVertexAreas(surface: Surface): Float64Array {
  const { triangles, positions: x, vertexCount } = surface;
  const out = new Float64Array(vertexCount);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, l] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const area = measureTriangleArea(x, i, j, l) / 3;
    for (let c = 0; c < 3; c++) out[triangles[t + c]!]! += area;
    total += 3 * area;
  }
  const mean = total / vertexCount || 1;
  // A vertex without area (or outside every triangle) would make M singular.
  for (let k = 0; k < vertexCount; k++) out[k] = Math.max(out[k]! / mean, 1e-3);
  return out;
}
