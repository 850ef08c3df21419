/**
 * Numbers on the skin, #V, smoothed over a width along it: where soft flesh meets stiff flesh, or one bone's flesh another's, there is no crease.
 *
 *   (A + w² L) s = A s̄        the s nearest to s̄ with little slope: min Σ A (s − s̄)² + w² Σ_edges (s_k − s_j)² · ½
 *
 * A  area of a vertex;  L  Laplacian of the edges, ½ each (the mean of cotangents in well-shaped triangles);  w  width, one or #V. The largest value stays, by a
 * factor. Conjugate gradients, O(#E · w/edge), once per plan.
 */
import { measureVertexAreas } from '../correction/measure-vertex-areas.js';
import { createPcgScratch, solvePcg } from '../linear-algebra/solve-pcg.js';
import { measureTriangleArea } from '../mesh/cross.js';
import type { Surface } from '../mesh/surface.js';

const TOLERANCE = 1e-6;
const MOST_STEPS = 1000;

/** What w² L has beside its diagonal where areas are counted so that their mean is 1, as `measureVertexAreas` does. */
export function measurePull({ triangles, positions, vertexCount }: Surface, width: number): number {
  let whole = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    whole += measureTriangleArea(positions, 3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!);
  }
  return (0.5 * width * width * vertexCount) / whole;
}

export function smoothOverSkin(values: Float64Array, surface: Surface, width: number | Float64Array): Float64Array {
  const { vertexCount, neighbours } = surface;
  const areas = measureVertexAreas(surface);
  const scale = measurePull(surface, 1);
  const pulls = Float64Array.from(areas, (_, k) => scale * (typeof width === 'number' ? width : width[k]!) ** 2);
  if (!pulls.every(Number.isFinite) || !pulls.some((pull) => pull > 0)) return values.slice();
  const { offsets, values: list } = neighbours;
  const out = values.slice();
  solvePcg(
    out,
    (product, x) => {
      for (let k = 0; k < vertexCount; k++) {
        let sum = areas[k]! * x[k]!;
        for (let n = offsets[k]!; n < offsets[k + 1]!; n++)
          sum += 0.5 * (pulls[k]! + pulls[list[n]!]!) * (x[k]! - x[list[n]!]!);
        product[k] = sum;
      }
    },
    (z, r) => {
      for (let k = 0; k < vertexCount; k++) z[k] = r[k]! / (areas[k]! + pulls[k]! * (offsets[k + 1]! - offsets[k]!));
    },
    values.map((value, k) => areas[k]! * value),
    createPcgScratch(vertexCount),
    TOLERANCE,
    MOST_STEPS,
  );
  const largest = (list: Float64Array) => list.reduce((most, value) => Math.max(most, value), 0);
  const factor = largest(values) / largest(out) || 1;
  return out.map((value) => Math.max(0, factor * value));
}
