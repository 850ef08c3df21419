/**
 * A5(b). Whether the straight way from a vertex to a point of a bone stays inside the body.
 *
 * `rays`: the ray is followed through the BVH. The body is the union of the solid components, and D(t), the number of them
 * around the point at t, goes down where the ray leaves one and up where it enters one. The way leaves the body where D
 * reaches 0, unless it goes out or in through the cap of a hole (a window), or into another component close by (a shirt over a
 * chest). A card without inside (hair, a cape) starts outside and only has to get in.
 * `normals`: the article's cheap test, the way must start inwards: ⟨point − x_k, n_k⟩ < 0.
 * Complexity: O(log #T) per ray, no allocation.
 */

import { planBvh } from '../contact/bvh.js';
import { castRay, createRayHit } from '../contact/cast-ray.js';
import { normalise, sumAreaVectors } from '../kernels/reference-kernels.js';
import { crossEdges } from '../mesh/cross.js';
import { NO_COMPONENT, type Surface } from '../mesh/surface.js';
import { applyApexes, planClosedSurface } from '../volume/plan-closed-surface.js';

export const VISIBILITIES = ['rays', 'normals'] as const;
export type VisibilityKind = (typeof VISIBILITIES)[number];

export interface BoneVisibility {
  /** Whether vertex k sees the point. */
  reaches(k: number, x: number, y: number, z: number): boolean;
}

/**
 * Rays start this share of their length away from the vertex, beyond its own triangles and those of a coincident one, and end
 * so much before the bone, which may touch the skin.
 */
const START = 1e-6;
const END = 1 - START;
/** A ray that starts at least this steeply (sine) behind every triangle of its vertex surely starts inside. */
const STEEP = 1e-3;
/** Gap between two components that a ray may cross, relative to the size of the body. */
const GAP = 0.01;
/** Walls that a ray is followed through, of each side. */
const MOST_WALLS = 32;
const UNKNOWN = -1;

/** @param size of the body, a length */
export function planVisibility(kind: VisibilityKind, surface: Surface, size: number): BoneVisibility {
  const { vertexCount, triangles, vertexComponent, components } = surface;
  const normals = new Float64Array(3 * vertexCount);
  sumAreaVectors(normals, surface.positions, triangles, triangles.length / 3, vertexCount);
  normalise(normals, normals, 0, vertexCount);
  const hasInside = (k: number) => vertexComponent[k] !== NO_COMPONENT && components[vertexComponent[k]!]!.solid;
  /** −cosine between the way and the normal. */
  const measureDive = (k: number, x: number, y: number, z: number): number => {
    const dx = surface.positions[3 * k]! - x;
    const dy = surface.positions[3 * k + 1]! - y;
    const dz = surface.positions[3 * k + 2]! - z;
    const along = dx * normals[3 * k]! + dy * normals[3 * k + 1]! + dz * normals[3 * k + 2]!;
    return along / (Math.sqrt(dx * dx + dy * dy + dz * dz) || 1);
  };
  if (kind === 'normals') return { reaches: (k, x, y, z) => !hasInside(k) || measureDive(k, x, y, z) > 0 };

  const { positions, bvh, isSingle, isCap, componentOf } = planWalls(surface);
  const origin = new Float64Array(3);
  const direction = new Float64Array(3);
  const hit = createRayHit();
  /** Components around each vertex besides its own, found when first needed. */
  const around = new Int8Array(vertexCount).fill(UNKNOWN);

  const faces = measureFaceNormals(surface);
  const { offsets, values: corners } = surface.corners;
  const startsBehind = (k: number, length: number): boolean => {
    for (let n = offsets[k]!; n < offsets[k + 1]!; n++) {
      const t = corners[n]! - (corners[n]! % 3);
      const along = direction[0]! * faces[t]! + direction[1]! * faces[t + 1]! + direction[2]! * faces[t + 2]!;
      if (along > -STEEP * length) return false;
    }
    return true;
  };

  /** Where the ray from vertex k next meets a wall beyond t, at most `tMax`; ∞ if nowhere. The wall is hit.triangle. */
  const findWall = (k: number, t: number, side: number, tMax: number): number => {
    for (let a = 0; a < 3; a++) origin[a] = positions[3 * k + a]! + t * direction[a]!;
    return castRay(hit, bvh, positions, origin, direction, tMax - t, side) ? t + hit.t : Number.POSITIVE_INFINITY;
  };

  /** D at the start of the ray: walls that it leaves through on its way to infinity, less those that it enters through. */
  const countAround = (k: number): number => {
    let depth = 0;
    for (const side of [1, -1]) {
      let t = findWall(k, START, side, Number.POSITIVE_INFINITY);
      for (let n = 0; n < MOST_WALLS && t < Number.POSITIVE_INFINITY; n++) {
        depth += side;
        t = findWall(k, behind(t), side, Number.POSITIVE_INFINITY);
      }
    }
    return depth;
  };

  const countOthers = (k: number): number => {
    if (around[k] === UNKNOWN) {
      const [x, y, z] = direction as unknown as [number, number, number];
      for (let a = 0; a < 3; a++) direction[a] = -size * normals[3 * k + a]!;
      around[k] = Math.max(0, Math.min(100, countAround(k) - (hasInside(k) ? 1 : 0)));
      direction.set([x, y, z]);
    }
    return around[k]!;
  };

  /** Follows the ray that starts inside `depth` components to its end. */
  const staysInside = (k: number, depth: number, gap: number): boolean => {
    let exit = findWall(k, START, 1, END);
    let exitWall = hit.triangle;
    let entry = findWall(k, START, -1, END);
    let entryWall = hit.triangle;
    for (let n = 0; n < 2 * MOST_WALLS; n++) {
      if (exit === Number.POSITIVE_INFINITY) return true;
      if (entry < exit) {
        depth++;
        entry = findWall(k, behind(entry), -1, END);
        entryWall = hit.triangle;
        continue;
      }
      depth--;
      if (depth <= 0 && !isCap(exitWall)) {
        if (entry === Number.POSITIVE_INFINITY) return false;
        const isNeighbour = entry - exit <= gap && componentOf(entryWall) !== componentOf(exitWall);
        if (!isNeighbour && !isCap(entryWall)) return false;
      }
      exit = findWall(k, behind(exit), 1, END);
      exitWall = hit.triangle;
    }
    return false;
  };

  const reaches = (k: number, x: number, y: number, z: number): boolean => {
    direction[0] = x - positions[3 * k]!;
    direction[1] = y - positions[3 * k + 1]!;
    direction[2] = z - positions[3 * k + 2]!;
    const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
    if (!(length > 0)) return true;
    const inside = hasInside(k);
    const isSteep = inside && startsBehind(k, length);
    const isFree = findWall(k, START, 0, END) === Number.POSITIVE_INFINITY;
    if (isFree && (isSteep || !inside)) return true;
    if (!isFree && isSingle && inside && !isCap(hit.triangle)) return false;
    const depth = isSteep || !inside ? countOthers(k) + (inside ? 1 : 0) : countAround(k);
    const gap = GAP * (size / length);
    if (inside && depth <= 0) {
      // A ray through an open border may count too few walls: then the normal decides.
      if (isFree) return measureDive(k, x, y, z) > 0;
      const entry = findWall(k, START, 0, gap);
      if (entry > gap || hit.side > 0 || componentOf(hit.triangle) === vertexComponent[k]) return false;
    }
    return isFree || staysInside(k, depth, gap);
  };
  return { reaches };
}

/** On behind a wall, by more than the rounding of the new origin. */
function behind(t: number): number {
  return t * (1 + START);
}

/** Unit normal of every triangle, #T×3; 0 for one without area, which then decides nothing. */
function measureFaceNormals({ positions: x, triangles }: Surface): Float64Array {
  const normals = new Float64Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    crossEdges(normals, t, x, 3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!);
  }
  normalise(normals, normals, 0, triangles.length / 3);
  return normals;
}

/** A tree over the solid components with their caps; flat cards let rays through. */
function planWalls(surface: Surface) {
  const closed = planClosedSurface(surface);
  const positions = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  positions.set(surface.positions);
  applyApexes(positions, closed.vertexCount, closed.members);
  const triangles = new Uint32Array(closed.triangles.length);
  const sources = new Uint32Array(closed.triangleCount);
  let count = 0;
  for (let t = 0; t < closed.triangleCount; t++) {
    if (!surface.components[closed.triangleComponent[t]!]!.solid) continue;
    for (let c = 0; c < 3; c++) triangles[3 * count + c] = closed.triangles[3 * t + c]!;
    sources[count++] = t;
  }
  const ownCount = surface.triangles.length / 3;
  return {
    positions,
    bvh: planBvh(triangles.slice(0, 3 * count), positions),
    isSingle: surface.components.filter(({ solid }) => solid).length === 1,
    isCap: (t: number) => sources[t]! >= ownCount,
    componentOf: (t: number) => closed.triangleComponent[sources[t]!]!,
  };
}
