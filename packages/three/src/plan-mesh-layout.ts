/**
 * From welded vertices back to those of a mesh: which vertex each one follows, and how its authored normal and tangent stand
 * on the surface there.
 *
 *   n = a N + b T + c N×T,   T = unit part of the edge to a fixed neighbour across N
 *
 * N  normal of the welded surface. Hard edges and hand-made normals so turn and bend with the corrected skin.
 */
import type { Character } from '@isoskin/core';
import { normalise, sumAreaVectors } from '@isoskin/core/kernels';
import { type BufferAttribute, type InterleavedBufferAttribute, Matrix3, type SkinnedMesh } from 'three';

export interface MeshLayout {
  readonly vertexCount: number;
  /** Vertex of the mesh → welded vertex. */
  readonly welded: Uint32Array;
  /** Vertex of the mesh → welded neighbour that its frame points to; itself where the normal is simply N. */
  readonly neighbour: Uint32Array;
  /** a, b, c of the normals, #×3; absent when the mesh has none. */
  readonly normal?: Float32Array;
  /** The same of the tangents and their sign, #×4. */
  readonly tangent?: Float32Array;
}

/** cos of the angle (0.6°) below which an authored normal is taken for the surface's. */
const SAME_NORMAL = 1 - 5e-5;

export function planMeshLayouts(character: Character, meshes: readonly SkinnedMesh[]): MeshLayout[] {
  const { surface } = character;
  const normals = new Float64Array(3 * surface.vertexCount);
  const { triangles, positions, vertexCount } = surface;
  sumAreaVectors(normals, positions, triangles, triangles.length / 3, vertexCount);
  normalise(normals, normals, 0, vertexCount);
  const far = listFarNeighbours(character, normals);
  return meshes.map((mesh, m) => planLayout(character, mesh, m, normals, far));
}

/** Of every vertex the neighbour whose edge is longest across the normal; itself where there is none. */
function listFarNeighbours({ surface }: Character, normals: Float64Array): Uint32Array {
  const { neighbours, positions: x, vertexCount } = surface;
  const far = Uint32Array.from({ length: vertexCount }, (_, v) => v);
  for (let v = 0; v < vertexCount; v++) {
    let longest = 0;
    for (let e = neighbours.offsets[v]!; e < neighbours.offsets[v + 1]!; e++) {
      const j = neighbours.values[e]!;
      const edge = [0, 1, 2].map((r) => x[3 * j + r]! - x[3 * v + r]!);
      const along = edge.reduce((sum, value, r) => sum + value * normals[3 * v + r]!, 0);
      const length = edge.reduce((sum, value) => sum + value * value, 0) - along * along;
      if (length > longest) {
        longest = length;
        far[v] = j;
      }
    }
  }
  return far;
}

function planLayout(
  character: Character,
  mesh: SkinnedMesh,
  m: number,
  normals: Float64Array,
  far: Uint32Array,
): MeshLayout {
  const { welded, vertexCount, scale } = character.parts[m]!;
  const { positions: x } = character.surface;
  const attributes = mesh.geometry.attributes as Record<string, BufferAttribute | InterleavedBufferAttribute>;
  const linear = new Matrix3().setFromMatrix4(mesh.bindMatrix).multiplyScalar(scale);
  const mirror = Math.sign(mesh.bindMatrix.determinant());
  const across = new Matrix3().getNormalMatrix(mesh.bindMatrix).multiplyScalar(mirror);
  const neighbour = welded.slice();
  const normal = attributes.normal && new Float32Array(3 * vertexCount);
  const tangent = attributes.tangent && new Float32Array(4 * vertexCount);
  const [N, T, B, n] = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const;
  for (let i = 0; i < vertexCount; i++) {
    const v = welded[i]!;
    for (let r = 0; r < 3; r++) {
      N[r] = normals[3 * v + r]!;
      T[r] = x[3 * far[v]! + r]! - x[3 * v + r]!;
    }
    const along = dot(T, N);
    for (let r = 0; r < 3; r++) T[r]! -= along * N[r]!;
    makeUnit(T);
    for (let r = 0; r < 3; r++) B[r] = N[(r + 1) % 3]! * T[(r + 2) % 3]! - N[(r + 2) % 3]! * T[(r + 1) % 3]!;
    if (normal) {
      readVector(n, attributes.normal!, i, across.elements);
      const isSame = dot(n, N) > SAME_NORMAL || far[v] === v || dot(n, n) === 0;
      normal[3 * i] = isSame ? 1 : dot(n, N);
      normal[3 * i + 1] = isSame ? 0 : dot(n, T);
      normal[3 * i + 2] = isSame ? 0 : dot(n, B);
      if (!isSame) neighbour[i] = far[v]!;
    }
    if (tangent) {
      readVector(n, attributes.tangent!, i, linear.elements);
      tangent.set([dot(n, N), dot(n, T), dot(n, B), attributes.tangent!.getW(i)], 4 * i);
      neighbour[i] = far[v]!;
    }
  }
  return { vertexCount, welded, neighbour, ...(normal && { normal }), ...(tangent && { tangent }) };
}

function readVector(
  out: Float64Array,
  attribute: BufferAttribute | InterleavedBufferAttribute,
  i: number,
  m: readonly number[],
): void {
  const [x, y, z] = [attribute.getX(i), attribute.getY(i), attribute.getZ(i)];
  for (let r = 0; r < 3; r++) out[r] = m[r]! * x + m[3 + r]! * y + m[6 + r]! * z;
  makeUnit(out);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function makeUnit(v: Float64Array): void {
  const length = Math.sqrt(dot(v, v));
  for (let r = 0; r < 3; r++) v[r]! *= length > 0 ? 1 / length : 0;
}
