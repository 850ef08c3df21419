import type { Primitives } from './pack-primitives.js';
import type { RayMesh } from './ray-mesh.js';

/**
 * I3, I5. Rays of all primitives in world space, and the weights that make volumes of their lengths T:
 *
 *   V_i = Σ_rays a₁T + a₂T²/2 + a₃T³/3
 *
 * a₁ + a₂T + a₃T² is the ray's share of the area of the offset surface at distance T: faces keep their area, sides grow with T,
 * corners with T². The shares are those of the triangles around a ray, scaled so that their sums are Steiner's: 2·area, π times
 * the perimeter (2π times the length of a segment) and 4π. Exact for a lone primitive.
 */
export interface RayState {
  readonly count: number;
  /** #P+1. */
  readonly offsets: Uint32Array;
  /** #R×3. */
  readonly origins: Float64Array;
  readonly directions: Float64Array;
  /** #R×3: a₁, a₂, a₃. */
  readonly weights: Float64Array;
  /** Where the ray stops, and where its territory begins to fade (see sample-territories.ts). */
  readonly ends: Float64Array;
  readonly fades: Float64Array;
  /** #P×3: second axis of a segment's frame, carried along so that seeds do not spin. */
  readonly frames: Float64Array;
  readonly meshes: readonly RayMesh[];
  /** Per primitive, #R_i×3: the weights for length 1 (unused for triangles). */
  readonly unitWeights: readonly Float64Array[];
}

export function planRays(primitives: Primitives, meshes: readonly RayMesh[]): RayState {
  const { count, shape, thickness } = primitives;
  const offsets = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + meshes[i]!.count;
  const total = offsets[count]!;
  const directions = new Float64Array(3 * total);
  const weights = new Float64Array(3 * total);
  const ends = new Float64Array(total);
  const known = new Map<RayMesh, Float64Array>();
  const unitWeights = meshes.map((mesh, i) => {
    const found = known.get(mesh);
    if (found) return found;
    const unit = new Float64Array(3 * mesh.count);
    known.set(mesh, unit);
    if (shape[i] === 3) return unit;
    const origins = new Float64Array(3 * mesh.count);
    const segment = shape[i] === 2;
    if (segment) for (let r = 0; r < mesh.count; r++) origins[3 * r] = mesh.feet[2 * r]!;
    measureWeights(unit, 0, origins, mesh.local, mesh, 0, segment ? 2 * Math.PI : 0);
    return unit;
  });
  for (let i = 0; i < count; i++) {
    ends.fill(thickness[i]!, offsets[i]!, offsets[i + 1]!);
    weights.set(unitWeights[i]!, 3 * offsets[i]!);
    if (shape[i] === 1) directions.set(meshes[i]!.local, 3 * offsets[i]!);
  }
  return {
    count: total,
    offsets,
    origins: new Float64Array(3 * total),
    directions,
    weights,
    ends,
    fades: ends.slice(),
    frames: new Float64Array(3 * count),
    meshes,
    unitWeights,
  };
}

/** Moves every ray to where its skeleton is now. */
export function placeRays(rays: RayState, primitives: Primitives): void {
  for (let i = 0; i < primitives.count; i++) {
    const shape = primitives.shape[i]!;
    if (shape === 1) placeAroundPoint(rays, primitives.corners, i);
    else if (shape === 2) placeAroundSegment(rays, primitives.corners, i);
    else placeAroundTriangle(rays, primitives.corners, i);
  }
}

function placeAroundPoint(rays: RayState, corners: Float64Array, i: number): void {
  const x = corners[9 * i]!;
  const y = corners[9 * i + 1]!;
  const z = corners[9 * i + 2]!;
  for (let at = 3 * rays.offsets[i]!; at < 3 * rays.offsets[i + 1]!; at += 3) {
    rays.origins[at] = x;
    rays.origins[at + 1] = y;
    rays.origins[at + 2] = z;
  }
}

function placeAroundSegment(rays: RayState, corners: Float64Array, i: number): void {
  const { origins, directions, weights, frames } = rays;
  const { feet, local, count } = rays.meshes[i]!;
  const unit = rays.unitWeights[i]!;
  const c = 9 * i;
  const ex = corners[c + 3]! - corners[c]!;
  const ey = corners[c + 4]! - corners[c + 1]!;
  const ez = corners[c + 5]! - corners[c + 2]!;
  const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const ax = length > 0 ? ex / length : 1;
  const ay = length > 0 ? ey / length : 0;
  const az = length > 0 ? ez / length : 0;
  // The carried axis, made orthogonal again; the coordinate axis least along the segment to begin with.
  let px = frames[3 * i]!;
  let py = frames[3 * i + 1]!;
  let pz = frames[3 * i + 2]!;
  let along = px * ax + py * ay + pz * az;
  let rest = px * px + py * py + pz * pz - along * along;
  if (rest < 1e-6) {
    const least = Math.min(Math.abs(ax), Math.abs(ay), Math.abs(az));
    px = Math.abs(ax) === least ? 1 : 0;
    py = px === 0 && Math.abs(ay) === least ? 1 : 0;
    pz = px + py === 0 ? 1 : 0;
    along = px * ax + py * ay + pz * az;
    rest = 1 - along * along;
  }
  const scale = 1 / Math.sqrt(rest);
  px = (px - along * ax) * scale;
  py = (py - along * ay) * scale;
  pz = (pz - along * az) * scale;
  frames[3 * i] = px;
  frames[3 * i + 1] = py;
  frames[3 * i + 2] = pz;
  const qx = ay * pz - az * py;
  const qy = az * px - ax * pz;
  const qz = ax * py - ay * px;
  let at = 3 * rays.offsets[i]!;
  for (let r = 0; r < count; r++, at += 3) {
    const s = feet[2 * r]!;
    const u = local[3 * r]!;
    const v = local[3 * r + 1]!;
    const w = local[3 * r + 2]!;
    origins[at] = corners[c]! + s * ex;
    origins[at + 1] = corners[c + 1]! + s * ey;
    origins[at + 2] = corners[c + 2]! + s * ez;
    directions[at] = u * ax + v * px + w * qx;
    directions[at + 1] = u * ay + v * py + w * qy;
    directions[at + 2] = u * az + v * pz + w * qz;
    weights[at + 1] = unit[3 * r + 1]! * length;
  }
}

const out = new Float64Array(9);
const turn = new Float64Array(3);

/** The frame of each edge (outward normals) and the turn at each corner follow the triangle as it deforms. */
function placeAroundTriangle(rays: RayState, corners: Float64Array, i: number): void {
  const { origins, directions, weights } = rays;
  const mesh = rays.meshes[i]!;
  const c = 9 * i;
  const ux = corners[c + 3]! - corners[c]!;
  const uy = corners[c + 4]! - corners[c + 1]!;
  const uz = corners[c + 5]! - corners[c + 2]!;
  const vx = corners[c + 6]! - corners[c]!;
  const vy = corners[c + 7]! - corners[c + 1]!;
  const vz = corners[c + 8]! - corners[c + 2]!;
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(doubleArea > 1e-12 * (ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz))) {
    // Flattened to a line for a moment: the rays keep their directions and only move along.
    for (let r = 0, at = 3 * rays.offsets[i]!; r < mesh.count; r++, at += 3) {
      const s = mesh.feet[2 * r]!;
      const t = mesh.feet[2 * r + 1]!;
      origins[at] = corners[c]! + s * ux + t * vx;
      origins[at + 1] = corners[c + 1]! + s * uy + t * vy;
      origins[at + 2] = corners[c + 2]! + s * uz + t * vz;
    }
    return;
  }
  nx /= doubleArea;
  ny /= doubleArea;
  nz /= doubleArea;
  let perimeter = 0;
  for (let edge = 0; edge < 3; edge++) {
    const a = c + 3 * edge;
    const b = c + 3 * ((edge + 1) % 3);
    const ex = corners[b]! - corners[a]!;
    const ey = corners[b + 1]! - corners[a + 1]!;
    const ez = corners[b + 2]! - corners[a + 2]!;
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    perimeter += length;
    out[3 * edge] = (ey * nz - ez * ny) / length;
    out[3 * edge + 1] = (ez * nx - ex * nz) / length;
    out[3 * edge + 2] = (ex * ny - ey * nx) / length;
  }
  for (let edge = 0; edge < 3; edge++) {
    const a = 3 * edge;
    const b = 3 * ((edge + 1) % 3);
    const cosine = out[a]! * out[b]! + out[a + 1]! * out[b + 1]! + out[a + 2]! * out[b + 2]!;
    turn[edge] = Math.acos(Math.min(1, Math.max(-1, cosine)));
  }
  let at = 3 * rays.offsets[i]!;
  for (let r = 0; r < mesh.count; r++, at += 3) {
    const s = mesh.feet[2 * r]!;
    const t = mesh.feet[2 * r + 1]!;
    const edge = mesh.local[3 * r]!;
    const angle = mesh.local[3 * r + 1]! * turn[edge]!;
    const lift = mesh.local[3 * r + 2]!;
    const flat = Math.sqrt(Math.max(0, 1 - lift * lift));
    // o turned about the normal: o cos + (n × o) sin.
    const ox = out[3 * edge]!;
    const oy = out[3 * edge + 1]!;
    const oz = out[3 * edge + 2]!;
    const cosine = flat * Math.cos(angle);
    const sine = flat * Math.sin(angle);
    origins[at] = corners[c]! + s * ux + t * vx;
    origins[at + 1] = corners[c + 1]! + s * uy + t * vy;
    origins[at + 2] = corners[c + 2]! + s * uz + t * vz;
    directions[at] = cosine * ox + sine * (ny * oz - nz * oy) + lift * nx;
    directions[at + 1] = cosine * oy + sine * (nz * ox - nx * oz) + lift * ny;
    directions[at + 2] = cosine * oz + sine * (nx * oy - ny * ox) + lift * nz;
  }
  measureWeights(weights, rays.offsets[i]!, origins, directions, mesh, doubleArea, Math.PI * perimeter);
}

/**
 * Shares of the area ½(Δq₁ + TΔu₁)×(Δq₂ + TΔu₂) of each triangle, by powers of T, to its three rays (a third each), scaled to
 * the exact sums `flat`, `sides` and 4π. Rays of the mesh begin at `start` in all arrays.
 */
function measureWeights(
  weights: Float64Array,
  start: number,
  origins: Float64Array,
  directions: Float64Array,
  mesh: RayMesh,
  flat: number,
  sides: number,
): void {
  const { triangles, count } = mesh;
  weights.fill(0, 3 * start, 3 * (start + count));
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * (start + triangles[t]!);
    const b = 3 * (start + triangles[t + 1]!);
    const c = 3 * (start + triangles[t + 2]!);
    const nx = directions[a]! + directions[b]! + directions[c]!;
    const ny = directions[a + 1]! + directions[b + 1]! + directions[c + 1]!;
    const nz = directions[a + 2]! + directions[b + 2]! + directions[c + 2]!;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const share = 1 / (6 * length);
    const w1 = share * boxProduct(origins, origins, a, b, c, nx, ny, nz);
    const w2 =
      share *
      (boxProduct(origins, directions, a, b, c, nx, ny, nz) + boxProduct(directions, origins, a, b, c, nx, ny, nz));
    const w3 = share * boxProduct(directions, directions, a, b, c, nx, ny, nz);
    sum1 += 3 * w1;
    sum2 += 3 * w2;
    sum3 += 3 * w3;
    weights[a]! += w1;
    weights[b]! += w1;
    weights[c]! += w1;
    weights[a + 1]! += w2;
    weights[b + 1]! += w2;
    weights[c + 1]! += w2;
    weights[a + 2]! += w3;
    weights[b + 2]! += w3;
    weights[c + 2]! += w3;
  }
  const scale1 = flat > 0 ? flat / sum1 : 0;
  const scale2 = sides > 0 ? sides / sum2 : 0;
  const scale3 = (4 * Math.PI) / sum3;
  for (let at = 3 * start; at < 3 * (start + count); at += 3) {
    weights[at]! *= scale1;
    weights[at + 1]! *= scale2;
    weights[at + 2]! *= scale3;
  }
}

/** (p_b − p_a) × (q_c − q_a) · n. */
function boxProduct(
  p: Float64Array,
  q: Float64Array,
  a: number,
  b: number,
  c: number,
  nx: number,
  ny: number,
  nz: number,
): number {
  const ux = p[b]! - p[a]!;
  const uy = p[b + 1]! - p[a + 1]!;
  const uz = p[b + 2]! - p[a + 2]!;
  const vx = q[c]! - q[a]!;
  const vy = q[c + 1]! - q[a + 1]!;
  const vz = q[c + 2]! - q[a + 2]!;
  return nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx);
}
