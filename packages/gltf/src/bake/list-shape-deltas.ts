/**
 * What one shape moves: the numbers of its morph target before they are rounded.
 *
 *   δ_s,u = φ_s,k n̄_k / scale   for point u at welded vertex k
 */
import type { ReadResult } from '../read-character-from-bytes.js';
import type { SourceSkin } from './plan-source-skin.js';
import type { ReducedShapes } from './reduce-harmonics.js';

/** What the targets are made of. */
export interface ShapeSource extends ReducedShapes {
  readonly directions: Float64Array;
}

/** δ_s of the points of a group, units of POSITION. */
export function listShapeDeltas(
  { character }: ReadResult,
  { shapes, directions }: ShapeSource,
  { welded, groupOffsets }: SourceSkin,
  group: number,
  shape: number,
): Float64Array {
  const { scale } = character.parts.find((part) => part.group === group)!;
  const [from, to] = [groupOffsets[group]!, groupOffsets[group + 1]!];
  const out = new Float64Array(3 * (to - from));
  for (let u = from; u < to; u++) {
    const k = welded[u]!;
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      if (shapes.shapes[e] !== shape) continue;
      for (let r = 0; r < 3; r++) out[3 * (u - from) + r] = (shapes.values[e]! * directions[3 * k + r]!) / scale;
    }
  }
  return out;
}
