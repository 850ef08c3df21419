/** How coarse a surface is: the length of its edges beside the local thickness of the body. At planning time. */
import type { Surface } from '../mesh/surface.js';
import { measureThickness, planThickness } from './measure-thickness.js';

export interface Coarseness {
  /** Local thickness at rest, #V. */
  readonly thickness: Float64Array;
  /** Whether a vertex is a whole knuckle or paw: it cannot be pressed in without taking the shape away. */
  readonly coarse: boolean;
}

/** Median edge, in local thicknesses, above which a surface is coarse: low-poly models have 0.7 – 1, finer ones 0.1 – 0.4. */
const COARSE = 0.5;

export function planCoarseness(surface: Surface): Coarseness {
  const { triangles, positions: x } = surface;
  const thickness = new Float64Array(surface.vertexCount);
  measureThickness(thickness, planThickness(surface), x);
  const lengths = Float64Array.from(triangles, (i, c) => {
    const j = triangles[c % 3 === 2 ? c - 2 : c + 1]!;
    const length = Math.hypot(x[3 * i]! - x[3 * j]!, x[3 * i + 1]! - x[3 * j + 1]!, x[3 * i + 2]! - x[3 * j + 2]!);
    return length / Math.min(thickness[i]!, thickness[j]!);
  }).sort();
  return { thickness, coarse: lengths[lengths.length >> 1]! > COARSE };
}
