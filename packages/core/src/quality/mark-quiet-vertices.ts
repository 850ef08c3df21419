import type { Surface } from '../mesh/surface.js';

/**
 * Marks the vertices where a local correction has nothing to do (Q7): those all of whose triangles belong to one region
 * whose skinned volume V_s differs from its target V̄_s by less than `tolerance`·|V̄_s|.
 *
 * Shapes: out #V (1 or 0); triangleRegion #T; volumes and targets one number per region. No allocation.
 */
export function markQuietVertices(
  out: Uint8Array,
  surface: Pick<Surface, 'vertexCount' | 'corners'>,
  triangleRegion: Uint32Array | Int32Array,
  volumes: Float64Array,
  targets: Float64Array,
  tolerance = 1e-3,
): void {
  const { offsets, values } = surface.corners;
  for (let k = 0; k < surface.vertexCount; k++) {
    out[k] = 0;
    const begin = offsets[k]!;
    const end = offsets[k + 1]!;
    if (begin === end) continue;
    const region = triangleRegion[Math.floor(values[begin]! / 3)]!;
    if (!(Math.abs(volumes[region]! - targets[region]!) < tolerance * Math.abs(targets[region]!))) continue;
    out[k] = 1;
    for (let i = begin + 1; i < end; i++) {
      if (triangleRegion[Math.floor(values[i]! / 3)] !== region) out[k] = 0;
    }
  }
}
