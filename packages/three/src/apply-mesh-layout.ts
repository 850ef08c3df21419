import type { DrawnSurface } from './drawn-surface.js';
import type { MeshLayout } from './plan-mesh-layout.js';

/** What a mesh draws: positions and normals #×3, tangents #×4. */
export interface MeshArrays {
  readonly position: Float32Array;
  readonly normal?: Float32Array | undefined;
  readonly tangent?: Float32Array | undefined;
}

/** Writes the surface into the arrays of a mesh, and its bounding box (low x y z, high x y z) into `box`. */
export function applyMeshLayout(out: MeshArrays, layout: MeshLayout, surface: DrawnSurface, box: Float64Array): void {
  const { welded, vertexCount } = layout;
  const { positions, normals } = surface;
  const { position, normal } = out;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let i = 0; i < vertexCount; i++) {
    const v = 3 * welded[i]!;
    const x = positions[v]!;
    const y = positions[v + 1]!;
    const z = positions[v + 2]!;
    position[3 * i] = x;
    position[3 * i + 1] = y;
    position[3 * i + 2] = z;
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  box[0] = lowX;
  box[1] = lowY;
  box[2] = lowZ;
  box[3] = highX;
  box[4] = highY;
  box[5] = highZ;
  if (normal && layout.normal) turnVectors(normal, 3, layout.normal, layout, positions, normals);
  if (out.tangent && layout.tangent) turnVectors(out.tangent, 4, layout.tangent, layout, positions, normals);
}

/** a N + b T + c N×T for every vertex. */
function turnVectors(
  out: Float32Array,
  width: 3 | 4,
  frame: Float32Array,
  { welded, neighbour, vertexCount }: MeshLayout,
  positions: Float64Array,
  normals: Float64Array,
): void {
  for (let i = 0; i < vertexCount; i++) {
    const v = 3 * welded[i]!;
    const j = 3 * neighbour[i]!;
    const to = width * i;
    const nx = normals[v]!;
    const ny = normals[v + 1]!;
    const nz = normals[v + 2]!;
    if (width === 4) out[to + 3] = frame[to + 3]!;
    if (v === j) {
      out[to] = nx;
      out[to + 1] = ny;
      out[to + 2] = nz;
      continue;
    }
    let tx = positions[j]! - positions[v]!;
    let ty = positions[j + 1]! - positions[v + 1]!;
    let tz = positions[j + 2]! - positions[v + 2]!;
    const along = tx * nx + ty * ny + tz * nz;
    tx -= along * nx;
    ty -= along * ny;
    tz -= along * nz;
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const unit = length > 0 ? 1 / length : 0;
    const a = frame[to]!;
    const b = frame[to + 1]! * unit;
    const c = frame[to + 2]! * unit;
    out[to] = a * nx + b * tx + c * (ny * tz - nz * ty);
    out[to + 1] = a * ny + b * ty + c * (nz * tx - nx * tz);
    out[to + 2] = a * nz + b * tz + c * (nx * ty - ny * tx);
  }
}

/** The arrays of a mesh whose space is not that of the body: `m` column-major 4×4, body → mesh. */
export function moveArrays(out: MeshArrays, m: readonly number[], box: Float64Array): void {
  const { position, normal, tangent } = out;
  box.fill(Infinity, 0, 3);
  box.fill(-Infinity, 3);
  for (let i = 0; i < position.length; i += 3) {
    const [x, y, z] = [position[i]!, position[i + 1]!, position[i + 2]!];
    for (let r = 0; r < 3; r++) {
      const value = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z + m[12 + r]!;
      position[i + r] = value;
      if (value < box[r]!) box[r] = value;
      if (value > box[3 + r]!) box[3 + r] = value;
    }
  }
  if (normal) moveVectors(normal, 3, cofactors(m));
  if (tangent) moveVectors(tangent, 4, [m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!]);
}

function moveVectors(vectors: Float32Array, width: number, m: readonly number[]): void {
  for (let i = 0; i < vectors.length; i += width) {
    const [x, y, z] = [vectors[i]!, vectors[i + 1]!, vectors[i + 2]!];
    const u = m[0]! * x + m[3]! * y + m[6]! * z;
    const v = m[1]! * x + m[4]! * y + m[7]! * z;
    const w = m[2]! * x + m[5]! * y + m[8]! * z;
    const length = Math.hypot(u, v, w) || 1;
    vectors[i] = u / length;
    vectors[i + 1] = v / length;
    vectors[i + 2] = w / length;
  }
}

/** How area vectors move: det · inverse transposed, three columns. */
function cofactors(m: readonly number[]): number[] {
  const out: number[] = [];
  for (let c = 0; c < 3; c++) {
    const [a, b] = [4 * ((c + 1) % 3), 4 * ((c + 2) % 3)];
    for (let r = 0; r < 3; r++) {
      const [i, j] = [(r + 1) % 3, (r + 2) % 3];
      out.push(m[a + i]! * m[b + j]! - m[a + j]! * m[b + i]!);
    }
  }
  return out;
}
