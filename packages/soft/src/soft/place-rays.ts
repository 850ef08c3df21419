import { writeCross } from '../flat-arrays.js';
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

export function createRays(primitives: Primitives, meshes: readonly RayMesh[]): RayState {
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
  const { count, shape, corners } = primitives;
  for (let i = 0; i < count; i++) {
    placeOrigins(rays, corners, i);
    if (shape[i] === 2) turnAroundSegment(rays, corners, i);
    else if (shape[i] === 3) turnAroundTriangle(rays, corners, i);
  }
}

/** A + s (B − A) + t (C − A); s and t are 0 where there is no such corner. */
function placeOrigins({ origins, offsets, meshes }: RayState, corners: Float64Array, i: number): void {
  const { feet, count } = meshes[i]!;
  for (let axis = 0; axis < 3; axis++) {
    const a = corners[9 * i + axis]!;
    const u = corners[9 * i + 3 + axis]! - a;
    const v = corners[9 * i + 6 + axis]! - a;
    for (let r = 0, at = 3 * offsets[i]! + axis; r < count; r++, at += 3) {
      origins[at] = a + feet[2 * r]! * u + feet[2 * r + 1]! * v;
    }
  }
}

/** The frame of the segment (a along it, p carried from step to step, q = a × p) turns the directions. */
function turnAroundSegment(rays: RayState, corners: Float64Array, i: number): void {
  const { directions, weights, frames } = rays;
  const { local, count } = rays.meshes[i]!;
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
    const u = local[3 * r]!;
    const v = local[3 * r + 1]!;
    const w = local[3 * r + 2]!;
    directions[at] = u * ax + v * px + w * qx;
    directions[at + 1] = u * ay + v * py + w * qy;
    directions[at + 2] = u * az + v * pz + w * qz;
    weights[at + 1] = unit[3 * r + 1]! * length;
  }
}

const normal = new Float64Array(3);
const outward = new Float64Array(9);
const turn = new Float64Array(3);

/** The frame of each edge (outward normals) and the turn at each corner follow the triangle as it deforms. */
function turnAroundTriangle(rays: RayState, corners: Float64Array, i: number): void {
  const { origins, directions, weights } = rays;
  const mesh = rays.meshes[i]!;
  const c = 9 * i;
  writeCross(normal, corners, corners, c, c + 3, c + 6);
  const doubleArea = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!);
  // Flattened to a line for a moment: the rays keep their directions and only move along.
  if (!(doubleArea > 1e-12 * measureSquares(corners, c))) return;
  for (let axis = 0; axis < 3; axis++) normal[axis]! /= doubleArea;
  const perimeter = measureOutward(corners, c);
  for (let r = 0, at = 3 * rays.offsets[i]!; r < mesh.count; r++, at += 3) {
    const edge = mesh.local[3 * r]!;
    const angle = mesh.local[3 * r + 1]! * turn[edge]!;
    const lift = mesh.local[3 * r + 2]!;
    const flat = Math.sqrt(Math.max(0, 1 - lift * lift));
    const cosine = flat * Math.cos(angle);
    const sine = flat * Math.sin(angle);
    // o turned about the normal: o cos + (n × o) sin.
    for (let x = 0; x < 3; x++) {
      const [y, z] = [(x + 1) % 3, (x + 2) % 3];
      const across = normal[y]! * outward[3 * edge + z]! - normal[z]! * outward[3 * edge + y]!;
      directions[at + x] = cosine * outward[3 * edge + x]! + sine * across + lift * normal[x]!;
    }
  }
  measureWeights(weights, rays.offsets[i]!, origins, directions, mesh, doubleArea, Math.PI * perimeter);
}

/** |B − A|² + |C − A|². */
function measureSquares(corners: Float64Array, c: number): number {
  let sum = 0;
  for (let n = 3; n < 9; n++) sum += (corners[c + n]! - corners[c + (n % 3)]!) ** 2;
  return sum;
}

/** Outward normal of each edge in the plane, and the turn from it to the next; returns the perimeter. */
function measureOutward(corners: Float64Array, c: number): number {
  let perimeter = 0;
  for (let edge = 0; edge < 3; edge++) {
    const a = c + 3 * edge;
    const b = c + 3 * ((edge + 1) % 3);
    const ex = corners[b]! - corners[a]!;
    const ey = corners[b + 1]! - corners[a + 1]!;
    const ez = corners[b + 2]! - corners[a + 2]!;
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    perimeter += length;
    outward[3 * edge] = (ey * normal[2]! - ez * normal[1]!) / length;
    outward[3 * edge + 1] = (ez * normal[0]! - ex * normal[2]!) / length;
    outward[3 * edge + 2] = (ex * normal[1]! - ey * normal[0]!) / length;
  }
  for (let edge = 0; edge < 3; edge++) {
    const a = 3 * edge;
    const b = 3 * ((edge + 1) % 3);
    const cosine = outward[a]! * outward[b]! + outward[a + 1]! * outward[b + 1]! + outward[a + 2]! * outward[b + 2]!;
    turn[edge] = Math.acos(Math.min(1, Math.max(-1, cosine)));
  }
  return perimeter;
}

/**
 * Shares of the area ½(Δq₁ + TΔu₁)×(Δq₂ + TΔu₂) of each triangle, by powers of T, to its three rays (a third each), scaled to
 * the exact sums `flat`, `sides` and 4π. Rays of the mesh begin at `start` in all arrays.
 */
function measureWeights(
  weights: Float64Array,
  start: number,
  q: Float64Array,
  u: Float64Array,
  { triangles, count }: RayMesh,
  flat: number,
  sides: number,
): void {
  const wanted = [flat, sides, 4 * Math.PI];
  const sums = new Float64Array(3);
  const w = new Float64Array(3);
  const n = new Float64Array(3);
  weights.fill(0, 3 * start, 3 * (start + count));
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * (start + triangles[t]!);
    const b = 3 * (start + triangles[t + 1]!);
    const c = 3 * (start + triangles[t + 2]!);
    for (let axis = 0; axis < 3; axis++) n[axis] = u[a + axis]! + u[b + axis]! + u[c + axis]!;
    const share = 1 / (6 * Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!));
    w[0] = share * boxProduct(q, q, a, b, c, n);
    w[1] = share * (boxProduct(q, u, a, b, c, n) + boxProduct(u, q, a, b, c, n));
    w[2] = share * boxProduct(u, u, a, b, c, n);
    for (let k = 0; k < 3; k++) {
      sums[k]! += 3 * w[k]!;
      weights[a + k]! += w[k]!;
      weights[b + k]! += w[k]!;
      weights[c + k]! += w[k]!;
    }
  }
  for (let k = 0; k < 3; k++) {
    const scale = wanted[k]! > 0 ? wanted[k]! / sums[k]! : 0;
    for (let at = 3 * start + k; at < 3 * (start + count); at += 3) weights[at]! *= scale;
  }
}

const cross = new Float64Array(3);

/** (p_b − p_a) × (q_c − q_a) · n. */
function boxProduct(p: Float64Array, q: Float64Array, a: number, b: number, c: number, n: Float64Array): number {
  writeCross(cross, p, q, a, b, c);
  return n[0]! * cross[0]! + n[1]! * cross[1]! + n[2]! * cross[2]!;
}
