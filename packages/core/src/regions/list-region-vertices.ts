import type { Surface } from '../mesh/surface.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';

export interface RegionVertices {
  /** The region's vertices, then ring after ring around it. */
  readonly vertices: Uint32Array;
  /** Ring of each: 0 for the region's own. */
  readonly rings: Uint16Array;
  /** Share of the vertex's triangles that lie in the region. */
  readonly membership: Float64Array;
  /** Vertex → place in `vertices`, −1 outside. Valid until the next region is listed. */
  readonly local: Int32Array;
}

/** Lists a region's vertices and `rings` rings of neighbours around it; one call per region, linear in what is listed. */
export function listRegionVertices(
  volumes: RegionVolumes,
  surface: Surface,
  rings: number,
): (region: number) => RegionVertices {
  const { corners, neighbours, vertexCount, triangles } = surface;
  const local = new Int32Array(vertexCount).fill(-1);
  const triangleCount = triangles.length / 3;
  const trianglesOf = Array.from({ length: volumes.regionCount }, () => [] as number[]);
  for (let t = 0; t < triangleCount; t++) trianglesOf[volumes.triangleRegion[t]!]?.push(t);
  let last: number[] = [];

  return (region) => {
    for (const k of last) local[k] = -1;
    const vertices: number[] = [];
    const ring: number[] = [];
    const visit = (k: number, depth: number): void => {
      if (local[k] !== -1) return;
      local[k] = vertices.length;
      vertices.push(k);
      ring.push(depth);
    };
    for (const t of trianglesOf[region]!) for (let c = 0; c < 3; c++) visit(triangles[3 * t + c]!, 0);
    for (let i = 0; i < vertices.length; i++) {
      if (ring[i]! >= rings) break;
      const k = vertices[i]!;
      for (let e = neighbours.offsets[k]!; e < neighbours.offsets[k + 1]!; e++)
        visit(neighbours.values[e]!, ring[i]! + 1);
    }
    const membership = Float64Array.from(vertices, (k) => {
      let own = 0;
      for (let c = corners.offsets[k]!; c < corners.offsets[k + 1]!; c++) {
        if (volumes.triangleRegion[(corners.values[c]! / 3) | 0] === region) own++;
      }
      return own / Math.max(1, corners.offsets[k + 1]! - corners.offsets[k]!);
    });
    last = vertices;
    return { vertices: Uint32Array.from(vertices), rings: Uint16Array.from(ring), membership, local };
  };
}
