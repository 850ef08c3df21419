/**
 * What one shape moves, and how it turns normals: the numbers of its morph target before they are rounded.
 *
 *   δ_s,u = φ_s,k n̄_k / scale   for point u at welded vertex k
 */
import type { Character } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { measureNormals, turnDirection } from './create-normal-fit.js';
import type { PartDirections } from './list-directions.js';
import type { SourceSkin } from './plan-source-skin.js';
import type { ReducedShapes } from './reduce-harmonics.js';

/** What the targets are made of. */
export interface ShapeSource extends ReducedShapes {
  readonly surface: Character['surface'];
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

/** Directions of the parts per unit of the amount: as the normals of the rest surface turn at its largest. */
export function turnNormals(
  { surface, shapes, directions }: ShapeSource,
  shape: number,
  amount: number,
  sources: readonly PartDirections[],
  welded: Uint32Array,
): Float64Array[] {
  const pushed = surface.positions.slice();
  for (let k = 0; k < surface.vertexCount; k++) {
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      if (shapes.shapes[e] !== shape) continue;
      for (let r = 0; r < 3; r++) pushed[3 * k + r]! += amount * shapes.values[e]! * directions[3 * k + r]!;
    }
  }
  const before = new Float64Array(3 * surface.vertexCount);
  const after = new Float64Array(3 * surface.vertexCount);
  measureNormals(before, surface, surface.positions);
  measureNormals(after, surface, pushed);
  const p = new Float64Array(3);
  return sources.map(({ points, width, directions: given }) => {
    const out = new Float64Array(3 * points.length);
    for (let v = 0; v < points.length; v++) {
      const at = 3 * welded[points[v]!]!;
      if (before[at] === after[at] && before[at + 1] === after[at + 1] && before[at + 2] === after[at + 2]) continue;
      for (let r = 0; r < 3; r++) p[r] = given[width * v + r]!;
      turnDirection(p, before, after, at);
      for (let r = 0; r < 3; r++) out[3 * v + r] = (p[r]! - given[width * v + r]!) / amount;
    }
    return out;
  });
}
