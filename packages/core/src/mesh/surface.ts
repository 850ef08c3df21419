/**
 * The welded, oriented triangle surface that all geometry is computed on.
 *
 * Source vertices that differ only in UV or normal share one welded vertex. Boundary loops are closed by *caps*: a fan of
 * triangles around an apex that is the mean of the loop's vertices. The apexes are numbered after the real vertices, so an
 * *extended* position array has (vertexCount + apexCount) × 3 numbers and `closedTriangles` index it.
 */
export interface Surface {
  /** #V, welded vertices. */
  readonly vertexCount: number;
  /** x̄, #V×3, rest positions in world units. */
  readonly positions: Float64Array;
  /** #T×3, consistently oriented, outward where the component encloses a positive volume. */
  readonly triangles: Uint32Array;
  /** Component of every triangle, #T. */
  readonly triangleComponent: Uint32Array;
  /** Component of every vertex, #V (NO_COMPONENT for a vertex that no triangle uses). */
  readonly vertexComponent: Uint32Array;
  readonly components: readonly Component[];
  /** Vertex → corners (corner = 3·triangle + 0…2), CSR. */
  readonly corners: Csr;
  /** Vertex → neighbouring vertices, each once, CSR. */
  readonly neighbours: Csr;
  /** Apexes of the caps of holes. */
  readonly caps: Caps;
  /** +1 or −1 per axis: the way in which ties are broken along it, so that a mirrored character breaks them in the mirrored place. */
  readonly signs?: readonly number[];
  readonly defects: SurfaceDefects;
}

export const NO_COMPONENT = 0xffffffff;

/** Lists of different lengths in two flat arrays: list k is values[offsets[k]] … values[offsets[k+1] − 1]. */
export interface Csr {
  readonly offsets: Uint32Array;
  readonly values: Uint32Array;
}

export interface Component {
  /** Name of the first source part that it comes from. */
  readonly name: string;
  /** Mesh group (glTF node) that it comes from. */
  readonly group: number;
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly boundaryLoops: number;
  /** Volume at rest, caps included; negative when the component is inside out (or a cavity). */
  readonly volume: number;
  /** False for a flat card, an eyelash …: a component whose volume means nothing and that rides along uncorrected. */
  readonly solid: boolean;
}

/** Apex a is the mean of its members; it closes the directed edges `edges` (pairs i, j: the triangle i, j, apex). */
export interface Caps {
  readonly count: number;
  /** Apex → the vertices whose mean it is, CSR. */
  readonly members: Csr;
  /** Apex → directed edges, CSR over pairs: values[2e], values[2e+1] for e in offsets[a] … offsets[a+1] − 1. */
  readonly edges: Csr;
  /** Component of each apex. */
  readonly component: Uint32Array;
}

/** What was found, and whether it was mended. Counts; the words are in the character's warnings. */
export interface SurfaceDefects {
  /** Edges shared by more than two triangles after welding. */
  readonly nonManifoldEdges: number;
  /** Boundary edges after welding and repair. */
  readonly boundaryEdges: number;
  readonly boundaryLoops: number;
  /** Triangles dropped because two corners are one welded vertex. */
  readonly degenerateTriangles: number;
  /** Triangles dropped because the same oriented triangle was there already. */
  readonly duplicateTriangles: number;
  /** Triangles turned round to agree with their neighbours. */
  readonly flippedTriangles: number;
  /** Welded vertices that no triangle uses. */
  readonly unusedVertices: number;
}
