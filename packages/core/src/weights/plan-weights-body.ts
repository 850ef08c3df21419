import { NO_COMPONENT, type Surface } from '../mesh/surface.js';

/** What the weighing methods read of the body. */
export interface WeightsBody {
  readonly surface: Surface;
  readonly vertexCount: number;
  readonly positions: Float64Array;
  /** Bones that may move vertex k, at least one. */
  bonesOf(k: number): Uint32Array;
  /** Twice the distance from the mean of the vertices to the farthest one, which turning does not change; 1 for a point. */
  readonly size: number;
}

/** @param bonesOfGroup bones that may move each group of the surface; absent: all */
export function planWeightsBody(
  surface: Surface,
  boneCount: number,
  bonesOfGroup?: readonly (readonly number[])[],
): WeightsBody {
  const { vertexCount, positions, vertexComponent, components } = surface;
  const all = Uint32Array.from({ length: boneCount }, (_, i) => i);
  const lists = components.map(({ group }) => {
    const own = bonesOfGroup?.[group];
    return own && own.length > 0 ? Uint32Array.from(own) : all;
  });
  return {
    surface,
    vertexCount,
    positions,
    bonesOf: (k) => (vertexComponent[k] === NO_COMPONENT ? all : lists[vertexComponent[k]!]!),
    size: measureSize(positions, vertexCount),
  };
}

function measureSize(positions: Float64Array, vertexCount: number): number {
  const mean = [0, 0, 0];
  for (let i = 0; i < 3 * vertexCount; i++) mean[i % 3]! += positions[i]! / vertexCount;
  let farthest = 0;
  for (let k = 0; k < 3 * vertexCount; k += 3) {
    const square =
      (positions[k]! - mean[0]!) ** 2 + (positions[k + 1]! - mean[1]!) ** 2 + (positions[k + 2]! - mean[2]!) ** 2;
    if (square > farthest) farthest = square;
  }
  return 2 * Math.sqrt(farthest) || 1;
}
