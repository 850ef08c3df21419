import { crossEdges } from '../mesh/cross.js';

const vector = new Float64Array(3);

/** Adds twice the area vector of the triangles start … end − 1 (corners) to their vertices; returns six times the volume. */
export function sumVectors(
  out: Float64Array,
  p: Float64Array,
  triangles: Uint32Array,
  start: number,
  end: number,
): number {
  let volume = 0;
  for (let i = start; i < end; i += 3) {
    const a = 3 * triangles[i]!;
    const b = 3 * triangles[i + 1]!;
    const c = 3 * triangles[i + 2]!;
    const px = p[a]!;
    const py = p[a + 1]!;
    const pz = p[a + 2]!;
    const ux = p[b]! - px;
    const uy = p[b + 1]! - py;
    const uz = p[b + 2]! - pz;
    const vx = p[c]! - px;
    const vy = p[c + 1]! - py;
    const vz = p[c + 2]! - pz;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    out[a]! += x;
    out[a + 1]! += y;
    out[a + 2]! += z;
    out[b]! += x;
    out[b + 1]! += y;
    out[b + 2]! += z;
    out[c]! += x;
    out[c + 1]! += y;
    out[c + 2]! += z;
    volume += px * x + py * y + pz * z;
  }
  return volume;
}

/**
 * Areas of the listed triangles, and how high skin may rise over them before the normals of two corners meet: also by vertex in `vertexRooms`, which holds what
 * is less. Returns six times the volume under them.
 */
export function measurePatches(
  { areas, rooms }: { readonly areas: Float64Array; readonly rooms: Float64Array },
  vertexRooms: Float64Array,
  list: Uint32Array,
  triangles: Uint32Array,
  { positions: p, normals: n }: { readonly positions: Float64Array; readonly normals: Float64Array },
): number {
  let volume = 0;
  for (let i = 0; i < list.length; i++) {
    const t = 3 * list[i]!;
    const a = 3 * triangles[t]!;
    crossEdges(vector, 0, p, a, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!);
    const x = vector[0]!;
    const y = vector[1]!;
    const z = vector[2]!;
    areas[i] = Math.sqrt(x * x + y * y + z * z) / 2;
    volume += p[a]! * x + p[a + 1]! * y + p[a + 2]! * z;
    rooms[i] = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) {
      const from = triangles[t + k]!;
      const to = triangles[t + (k === 2 ? 0 : k + 1)]!;
      const room = measureEdgeRoom(p, n, 3 * from, 3 * to);
      if (room < rooms[i]!) rooms[i] = room;
      if (room < vertexRooms[from]!) vertexRooms[from] = room;
      if (room < vertexRooms[to]!) vertexRooms[to] = room;
    }
  }
  return volume;
}

/** Height at which the normals of two neighbours meet. */
function measureEdgeRoom(p: Float64Array, n: Float64Array, i: number, j: number): number {
  const x = p[j]! - p[i]!;
  const y = p[j + 1]! - p[i + 1]!;
  const z = p[j + 2]! - p[i + 2]!;
  const closing = x * (n[i]! - n[j]!) + y * (n[i + 1]! - n[j + 1]!) + z * (n[i + 2]! - n[j + 2]!);
  return closing > 0 ? (x * x + y * y + z * z) / closing : Number.POSITIVE_INFINITY;
}
