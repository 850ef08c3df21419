import { createTwins, NO_TWIN, nextHalfEdge } from '../src/polygonise/half-edges.js';

export interface MeshQuality {
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** Every edge has exactly two triangles, with opposite directions, and every vertex one fan of triangles. */
  readonly manifold: boolean;
  /** Half-edges without a twin. */
  readonly openEdges: number;
  /** V − E + F: 2 for one closed surface without handles. */
  readonly euler: number;
  readonly volume: number;
  readonly area: number;
  /** Smallest angle of a triangle in degrees: the worst, the 1st percentile and the median over all triangles. */
  readonly minAngle: number;
  readonly minAngle01: number;
  readonly minAngle50: number;
}

/** Topology, size and shape of a triangle mesh. Allocates; meant for tests and reports. */
export function measureMeshQuality(positions: Float64Array, triangles: Uint32Array): MeshQuality {
  const vertexCount = positions.length / 3;
  const triangleCount = triangles.length / 3;
  const twins = createTwins(triangles, vertexCount);
  let openEdges = 0;
  for (const twin of twins) if (twin === NO_TWIN) openEdges++;

  const angles = new Float64Array(triangleCount);
  let volume = 0;
  let area = 0;
  const side = new Float64Array(3);
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [3 * triangles[3 * t]!, 3 * triangles[3 * t + 1]!, 3 * triangles[3 * t + 2]!];
    for (let n = 0; n < 3; n++) {
      const [p, q] = [3 * triangles[3 * t + ((n + 1) % 3)]!, 3 * triangles[3 * t + ((n + 2) % 3)]!];
      side[n] = Math.hypot(
        positions[p]! - positions[q]!,
        positions[p + 1]! - positions[q + 1]!,
        positions[p + 2]! - positions[q + 2]!,
      );
    }
    const [x, y, z] = side.sort() as unknown as [number, number, number];
    angles[t] = (Math.acos(Math.min(1, (y * y + z * z - x * x) / (2 * y * z))) * 180) / Math.PI;
    area += Math.sqrt(Math.max(0, (x + y + z) * (x + y - z) * (x - y + z) * (-x + y + z))) / 4;
    volume +=
      (positions[a]! * (positions[b + 1]! * positions[c + 2]! - positions[b + 2]! * positions[c + 1]!) +
        positions[a + 1]! * (positions[b + 2]! * positions[c]! - positions[b]! * positions[c + 2]!) +
        positions[a + 2]! * (positions[b]! * positions[c + 1]! - positions[b + 1]! * positions[c]!)) /
      6;
  }
  angles.sort();
  return {
    vertexCount,
    triangleCount,
    manifold: openEdges === 0 && everyVertexHasOneFan(triangles, twins, vertexCount),
    openEdges,
    euler: vertexCount - triangles.length / 2 + triangleCount,
    volume,
    area,
    minAngle: angles[0]!,
    minAngle01: angles[Math.floor(triangleCount / 100)]!,
    minAngle50: angles[triangleCount >> 1]!,
  };
}

/** Turning around a vertex must meet all its triangles; an edge must not appear twice in one direction. */
function everyVertexHasOneFan(triangles: Uint32Array, twins: Uint32Array, vertexCount: number): boolean {
  const valence = new Uint32Array(vertexCount);
  const start = new Uint32Array(vertexCount);
  for (let h = 0; h < triangles.length; h++) {
    valence[triangles[h]!]!++;
    start[triangles[h]!] = h;
  }
  const seen = new Int32Array(vertexCount).fill(-1);
  for (let v = 0; v < vertexCount; v++) {
    if (valence[v] === 0) return false;
    let count = 0;
    let h = start[v]!;
    do {
      const neighbour = triangles[nextHalfEdge(h)]!;
      if (seen[neighbour] === v) return false;
      seen[neighbour] = v;
      h = nextHalfEdge(twins[h]!);
      count++;
    } while (h !== start[v] && count <= valence[v]!);
    if (count !== valence[v]) return false;
  }
  return true;
}
