/**
 * How far a vertex may be pushed: its local thickness at rest, or less where another part of the same body lies close in
 * front of it (the neighbouring finger, the other side of the groin).
 *
 *   ℓ_k = min(t_k, ½ c_k), smoothed over the surface,   t  thickness,  c  clearance: nearest hit of five outward rays.
 *
 * Kept above 1e−3 of the median thickness, so that nothing divides by zero. O(#V log #T), at planning time.
 */
import type { Bvh } from '../contact/bvh.js';
import { castRay, createRayHit } from '../contact/cast-ray.js';
import { measureRestThickness, planThickness } from '../contact/measure-thickness.js';
import { normalise } from '../kernels/reference-kernels.js';
import { measureTangents } from '../mesh/cross.js';
import { measureLength } from '../mesh/measure-length.js';
import { type Clusters, spreadFromClusters } from '../mesh/plan-clusters.js';
import type { Surface } from '../mesh/surface.js';

/** Share of the clearance that a vertex may use: its counterpart needs the other half. */
const CLEARANCE_SHARE = 0.5;
const SMOOTHING_SWEEPS = 2;
/** Tilt of the four side rays: tangent of the angle to the normal. */
const TILT = 0.6;

/** @param clusters where they are given, rays are cast from their seeds only */
export function measureRoom(surface: Surface, bvh: Bvh, clusters?: Clusters): Float64Array {
  if (!clusters) {
    const room = castRoom(surface, bvh);
    for (let n = 0; n < SMOOTHING_SWEEPS; n++) smoothRoom(room, surface);
    return room;
  }
  const only = new Uint8Array(surface.vertexCount);
  for (const k of clusters.seeds) only[k] = 1;
  const room = castRoom(surface, bvh, only);
  return spreadFromClusters(
    clusters,
    Float64Array.from(clusters.seeds, (k) => room[k]!),
  );
}

/** By rays, from the vertices that `only` marks. */
function castRoom(surface: Surface, bvh: Bvh, only?: Uint8Array): Float64Array {
  const { vertexCount, positions, triangleComponent, vertexComponent } = surface;
  const room = new Float64Array(vertexCount);
  const thickness = planThickness(surface, bvh);
  measureRestThickness(room, thickness, only);
  const measured = (only ? room.filter((_, k) => only[k] === 1) : room.slice()).sort();
  const least = 1e-3 * (measured[measured.length >> 1] || 1);

  const { normals } = thickness;
  normalise(normals, normals, 0, vertexCount);
  const hit = createRayHit();
  const origin = new Float64Array(3);
  const ray = new Float64Array(3);
  const side = new Float64Array(6);
  for (let k = 0; k < vertexCount; k++) {
    if (only && only[k] === 0) continue;
    origin.set(positions.subarray(3 * k, 3 * k + 3));
    const normal = normals.subarray(3 * k, 3 * k + 3);
    measureTangents(side, normal);
    const reach = room[k]! / CLEARANCE_SHARE; // farther away the thickness decides
    let clearance = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 5; n++) {
      const u = n === 1 ? TILT : n === 2 ? -TILT : 0;
      const v = n === 3 ? TILT : n === 4 ? -TILT : 0;
      for (let r = 0; r < 3; r++) ray[r] = normal[r]! + u * side[r]! + v * side[3 + r]!;
      const length = measureLength(ray[0]!, ray[1]!, ray[2]!);
      if (!(length > 0) || !castRay(hit, bvh, positions, origin, ray, reach / length, 0, k)) continue;
      if (triangleComponent[hit.triangle] === vertexComponent[k]) clearance = Math.min(clearance, hit.t * length);
    }
    room[k] = Math.max(least, Math.min(room[k]!, CLEARANCE_SHARE * clearance));
  }
  return room;
}

/** Half-way to the neighbours' mean, but never more than half as much again: a gap stays a gap. */
function smoothRoom(room: Float64Array, { neighbours, vertexCount }: Surface): void {
  const { offsets, values } = neighbours;
  const before = room.slice();
  for (let k = 0; k < vertexCount; k++) {
    const count = offsets[k + 1]! - offsets[k]!;
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += before[values[e]!]!;
    if (count > 0) room[k] = Math.min(1.5 * before[k]!, 0.5 * before[k]! + (0.5 * sum) / count);
  }
}
