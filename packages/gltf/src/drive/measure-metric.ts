/**
 * P1. The metric G of errors of amounts, S×S: Gram matrix of the pushes over the area, in shares of VISIBLE of the size, and of the volumes that
 * they add to the regions at rest, in shares of VOLUME. O(entries · shapes of a vertex + K · S²).
 */
import type { FrameSource } from '@isoskin/core';
import { measureDiagonal, sumVertexAreas } from '@isoskin/core/mesh';

/** A push of this share of the size, all over, and a change of this share of a region's volume, are as bad as each other. */
const VISIBLE = 1e-3;
const VOLUME = 0.02;

export function measureMetric({ character, volume }: Pick<FrameSource, 'character' | 'volume'>): Float64Array {
  const { shapes: solved, directions, regions, rest } = volume!;
  const { offsets, shapes, values, shapeCount: S } = solved!.shapes;
  const { surface } = character;
  const { triangles } = surface;
  const areas = sumVertexAreas(surface);
  const size = measureDiagonal(surface.positions);
  const whole = areas.reduce((sum, area) => sum + area, 0) || 1;
  const lengths = areas.map((_, k) =>
    Math.hypot(directions![3 * k]!, directions![3 * k + 1]!, directions![3 * k + 2]!),
  );
  const gram = new Float64Array(S * S);
  for (let k = 0; k < areas.length; k++) {
    const weight = (areas[k]! / whole) * (lengths[k]! / (VISIBLE * size)) ** 2;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      for (let f = offsets[k]!; f < offsets[k + 1]!; f++)
        gram[shapes[e]! * S + shapes[f]!]! += weight * values[e]! * values[f]!;
    }
  }
  // Volume that a unit of each shape adds to each region, to first order: what it pushes the region's vertices out by.
  const gains = new Float64Array(rest.length * S);
  const corners = new Uint32Array(areas.length);
  for (let c = 0; c < triangles.length; c++) if (triangles[c]! < areas.length) corners[triangles[c]!]!++;
  for (let c = 0; c < triangles.length; c++) {
    const k = triangles[c]!;
    const region = regions.triangleRegion[Math.trunc(c / 3)]!;
    if (k >= areas.length || region >= rest.length) continue;
    const share = areas[k]! / corners[k]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
      gains[region * S + shapes[e]!]! += share * values[e]! * lengths[k]!;
  }
  for (let r = 0; r < rest.length; r++) {
    const scale = 1 / (VOLUME * Math.abs(rest[r]!) || 1) ** 2;
    for (let s = 0; s < S; s++) {
      const gain = gains[r * S + s]!;
      if (gain === 0) continue;
      for (let t = 0; t < S; t++) gram[s * S + t]! += scale * gain * gains[r * S + t]!;
    }
  }
  return gram;
}
