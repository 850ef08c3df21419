import { measureTriangleArea } from '../mesh/cross.js';
import type { Surface } from '../mesh/surface.js';

/** M: one third of the area of the triangles around each vertex at rest, scaled to mean 1 and kept above 1e−3. */
export function measureVertexAreas(surface: Surface): Float64Array {
  const { triangles, positions: x, vertexCount } = surface;
  const out = new Float64Array(vertexCount);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const i = triangles[t]!;
    const j = triangles[t + 1]!;
    const l = triangles[t + 2]!;
    const area = measureTriangleArea(x, 3 * i, 3 * j, 3 * l) / 3;
    out[i]! += area;
    out[j]! += area;
    out[l]! += area;
    total += 3 * area;
  }
  const mean = total / vertexCount || 1;
  // A vertex without area (or outside every triangle) would make M singular.
  for (let k = 0; k < vertexCount; k++) out[k] = Math.max(out[k]! / mean, 1e-3);
  return out;
}
