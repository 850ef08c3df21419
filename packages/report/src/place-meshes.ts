import type { PictureChain } from './decode-picture.js';
import { type Color, type Picture, toLinear } from './picture.js';
import type { Camera } from './place-camera.js';

/** A triangle mesh to draw. */
export interface PictureMesh {
  /** #V×3. */
  readonly positions: Float32Array | Float64Array;
  /** #T×3. */
  readonly triangles: ArrayLike<number>;
  /** Per vertex, #V×3, sRGB 0 … 1; wins over `color`. */
  readonly colors?: ArrayLike<number>;
  /** One colour for all. Default: warm clay. */
  readonly color?: Color;
  /** The same per corner, #T×9; wins over both. */
  readonly cornerColors?: ArrayLike<number>;
  /** Pictures that the colours are multiplied by. */
  readonly textures?: MeshTextures;
  /** Per vertex, #V×3. Default: area-weighted, with creases. */
  readonly normals?: ArrayLike<number>;
  /** Edges sharper than this (degrees) stay sharp where `normals` are not given. 0: flat shading. Default 60. */
  readonly crease?: number;
  /** Thin lines along the edges. Default false. */
  readonly wireframe?: boolean;
}

export interface MeshTextures {
  readonly pictures: readonly PictureChain[];
  /** Number of every triangle's picture, −1 for none, #T. */
  readonly of: ArrayLike<number>;
  /** Per corner, #T×6, from the upper left; pictures are repeated outside of 0 … 1. */
  readonly uv: ArrayLike<number>;
}

/** All meshes in screen space, one corner after the other: what the rasteriser and the shader read. */
export interface PlacedMeshes {
  readonly triangleCount: number;
  /** #T×9, per corner: x, y in samples, and depth (1/distance, or view z when orthographic; larger is nearer). */
  readonly screen: Float64Array;
  /** #T×9, normal of every corner in view space, length 1. */
  readonly normals: Float32Array;
  /** #T×9, light reflected at every corner, linear. */
  readonly colors: Float32Array;
  /** 1 where the edges are drawn, #T. */
  readonly wireframe: Uint8Array;
  /** Picture on every triangle, as fine as it is seen; and coordinates of its corners, #T×6. */
  readonly pictures: (Picture | undefined)[];
  readonly uv: Float32Array;
}

/** The colour of a mesh that names none. */
export const CLAY: Color = [0.88, 0.74, 0.63];

/** Projects the meshes to a picture of width × height samples. Triangles that reach behind the camera are left out. */
export function placeMeshes(
  meshes: readonly PictureMesh[],
  camera: Camera,
  width: number,
  height: number,
): PlacedMeshes {
  let capacity = 0;
  for (const mesh of meshes) capacity += Math.floor(mesh.triangles.length / 3);
  const screen = new Float64Array(9 * capacity);
  const normals = new Float32Array(9 * capacity);
  const colors = new Float32Array(9 * capacity);
  const wireframe = new Uint8Array(capacity);
  const pictures: (Picture | undefined)[] = [];
  const uv = new Float32Array(6 * capacity);
  let count = 0;
  for (const mesh of meshes) {
    const vertexCount = mesh.positions.length / 3;
    const { points, near } = projectPoints(mesh.positions, camera, width, height);
    const cornerNormals = mesh.normals ? null : createCornerNormals(mesh, mesh.crease ?? 60);
    const given = mesh.cornerColors ?? mesh.colors;
    const shares = given ? Float32Array.from(given, toLinear) : null;
    const color = (mesh.color ?? CLAY).map(toLinear);
    for (let t = 0; t + 2 < mesh.triangles.length; t += 3) {
      const a = mesh.triangles[t]!;
      const b = mesh.triangles[t + 1]!;
      const c = mesh.triangles[t + 2]!;
      if (!(a < vertexCount && b < vertexCount && c < vertexCount && near[a] && near[b] && near[c])) continue;
      for (let i = 0; i < 3; i++) {
        const v = i === 0 ? a : i === 1 ? b : c;
        const o = 9 * count + 3 * i;
        for (let k = 0; k < 3; k++) {
          screen[o + k] = points[3 * v + k]!;
          colors[o + k] = shares ? shares[3 * (mesh.cornerColors ? t + i : v) + k]! : color[k]!;
        }
        if (cornerNormals) turnNormal(normals, o, camera.axes, cornerNormals, 3 * (t + i));
        else turnNormal(normals, o, camera.axes, mesh.normals!, 3 * v);
      }
      if (mesh.textures) for (let n = 0; n < 6; n++) uv[6 * count + n] = mesh.textures.uv[2 * t + n]!;
      const chain = mesh.textures?.pictures[mesh.textures.of[t / 3]!];
      pictures.push(chain && choosePicture(chain, uv.subarray(6 * count), screen.subarray(9 * count)));
      wireframe[count++] = mesh.wireframe ? 1 : 0;
    }
  }
  return { triangleCount: count, screen, normals, colors, wireframe, pictures, uv };
}

/** The picture of a chain that has about a pixel for every sample of a triangle. */
function choosePicture(chain: PictureChain, uv: Float32Array, screen: Float64Array): Picture | undefined {
  const area = (x: ArrayLike<number>, step: number) =>
    Math.abs((x[step]! - x[0]!) * (x[2 * step + 1]! - x[1]!) - (x[step + 1]! - x[1]!) * (x[2 * step]! - x[0]!));
  const [first] = chain;
  const texels = first ? area(uv, 2) * first.width * first.height : 0;
  const level = Math.round(0.5 * Math.log2(texels / area(screen, 3)));
  return chain[Math.min(chain.length - 1, Math.max(0, level || 0))];
}

/** Places on the picture and depths, #V×3, and which points are before the camera. */
export function projectPoints(positions: ArrayLike<number>, camera: Camera, width: number, height: number) {
  const { axes, distance, centreX, centreY, tanX, tanY } = camera;
  const points = new Float64Array(positions.length);
  const near = new Uint8Array(positions.length / 3);
  const perspective = Number.isFinite(distance);
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const px = positions[i]!;
    const py = positions[i + 1]!;
    const pz = positions[i + 2]!;
    const z = axes[6]! * px + axes[7]! * py + axes[8]! * pz;
    const w = perspective ? 1 / (distance - z) : 1;
    const x = (axes[0]! * px + axes[1]! * py + axes[2]! * pz - centreX) * w;
    const y = (axes[3]! * px + axes[4]! * py + axes[5]! * pz - centreY) * w;
    points[i] = ((x / tanX + 1) * width) / 2;
    points[i + 1] = ((1 - y / tanY) * height) / 2;
    points[i + 2] = perspective ? w : z;
    near[i / 3] = Number.isFinite(x + y + z) && (!perspective || distance - z > 1e-3 * distance) ? 1 : 0;
  }
  return { points, near };
}

/** Normal of every corner: area vectors of the triangles at its vertex that bend away from its own by less than crease. */
function createCornerNormals(mesh: PictureMesh, crease: number): Float64Array {
  const { positions, triangles } = mesh;
  const triangleCount = Math.floor(triangles.length / 3);
  const faces = new Float64Array(3 * triangleCount);
  const lengths = new Float64Array(triangleCount);
  const offsets = new Uint32Array(positions.length / 3 + 1);
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [3 * triangles[3 * t]!, 3 * triangles[3 * t + 1]!, 3 * triangles[3 * t + 2]!];
    for (let i = 0; i < 3; i++) {
      const j = i === 2 ? 0 : i + 1;
      const k = i === 0 ? 2 : i - 1;
      faces[3 * t + i] =
        (positions[b + j]! - positions[a + j]!) * (positions[c + k]! - positions[a + k]!) -
        (positions[b + k]! - positions[a + k]!) * (positions[c + j]! - positions[a + j]!);
      offsets[triangles[3 * t + i]! + 1]!++;
    }
    lengths[t] = Math.hypot(faces[3 * t]!, faces[3 * t + 1]!, faces[3 * t + 2]!);
  }
  for (let v = 1; v < offsets.length; v++) offsets[v]! += offsets[v - 1]!;
  const around = new Uint32Array(3 * triangleCount);
  const next = offsets.slice();
  for (let c = 0; c < 3 * triangleCount; c++) around[next[triangles[c]!]!++] = Math.floor(c / 3);

  const limit = Math.cos((crease * Math.PI) / 180);
  const normals = new Float64Array(9 * triangleCount);
  for (let c = 0; c < 3 * triangleCount; c++) {
    const own = Math.floor(c / 3);
    const v = triangles[c]!;
    for (let i = offsets[v]!; i < offsets[v + 1]!; i++) {
      const t = around[i]!;
      const dot =
        faces[3 * own]! * faces[3 * t]! +
        faces[3 * own + 1]! * faces[3 * t + 1]! +
        faces[3 * own + 2]! * faces[3 * t + 2]!;
      if (t !== own && dot <= limit * lengths[own]! * lengths[t]!) continue;
      for (let k = 0; k < 3; k++) normals[3 * c + k]! += faces[3 * t + k]!;
    }
  }
  return normals;
}

function turnNormal(out: Float32Array, at: number, axes: Float64Array, normals: ArrayLike<number>, from: number): void {
  const nx = normals[from]!;
  const ny = normals[from + 1]!;
  const nz = normals[from + 2]!;
  const scale = 1 / (Math.hypot(nx, ny, nz) || 1);
  for (let r = 0; r < 3; r++) {
    out[at + r] = (axes[3 * r]! * nx + axes[3 * r + 1]! * ny + axes[3 * r + 2]! * nz) * scale;
  }
}
