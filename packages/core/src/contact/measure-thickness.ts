import { sumAreaVectors } from '../kernels/reference-kernels.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { comparePlaces } from '../mesh/plan-clusters.js';
import type { Surface } from '../mesh/surface.js';
import { type Bvh, planBvh, refitBvh } from './bvh.js';
import { castRay, createRayHit, type RayHit } from './cast-ray.js';

/**
 * Local thickness of a body at every vertex, to limit displacements and to weight γ (C11).
 *
 * t_k = median of the lengths, inside the body, of five rays from vertex k: one along −n_k (n_k = area-weighted normal) and
 * four on a cone of 30° around it. Only where a ray leaves the vertex's own component counts, so that a part inside the
 * body (an eyeball in its socket) does not make it thin. Rays that leave nowhere are ignored; a vertex without any gets the
 * median of its neighbours, spreading outward from the known ones, and 0 where nothing is known (a flat card).
 * The cone is turned towards the neighbour that is farthest at rest, so the result moves with the body.
 * Shapes: out #V. Complexity: O(#V log #T), no allocation.
 * Based on: Shapira, Shamir, Cohen-Or, Consistent Mesh Partitioning … using the Shape Diameter Function, 2008.
 */
export interface ThicknessPlan {
  readonly surface: ThicknessSurface;
  readonly bvh: Bvh;
  /** Neighbour that a vertex's cone is turned to, #V. */
  readonly farthest: Uint32Array;
  /** Area vectors of the last measurement, #V×3. */
  readonly normals: Float64Array;
  readonly queue: Uint32Array;
  /** Of every vertex: 0 nothing known, 1 in the queue, 2 known. */
  readonly state: Uint8Array;
  /** Values whose median is taken. */
  readonly values: Float64Array;
  readonly origin: Float64Array;
  readonly direction: Float64Array;
  readonly hit: RayHit;
}

export type ThicknessSurface = Pick<
  Surface,
  'vertexCount' | 'positions' | 'signs' | 'triangles' | 'neighbours' | 'triangleComponent' | 'vertexComponent'
>;

const CONE_COS = Math.cos(Math.PI / 6);
const CONE_SIN = Math.sin(Math.PI / 6);
const KNOWN = 2;
/** Neighbours whose distances differ by less, relatively, are equally far. */
const TIE = 1e-6;

/** @param bvh a tree over the same triangles to share; it is refitted by every measurement */
export function planThickness(
  surface: ThicknessSurface,
  bvh = planBvh(surface.triangles, surface.positions),
): ThicknessPlan {
  const { positions, signs, vertexCount } = surface;
  const { offsets, values } = surface.neighbours;
  const farthest = new Uint32Array(vertexCount);
  let mostNeighbours = 5;
  for (let k = 0; k < vertexCount; k++) {
    mostNeighbours = Math.max(mostNeighbours, offsets[k + 1]! - offsets[k]!);
    let most = -1;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const j = values[e]!;
      const distance = measureDistance(positions, k, j);
      const isFarther = distance > (1 + TIE) * most;
      if (isFarther || (distance > (1 - TIE) * most && comparePlaces(positions, j, farthest[k]!, signs) < 0))
        farthest[k] = j;
      most = Math.max(most, distance);
    }
  }
  return {
    surface,
    bvh,
    farthest,
    normals: new Float64Array(3 * surface.vertexCount),
    queue: new Uint32Array(surface.vertexCount),
    state: new Uint8Array(surface.vertexCount),
    values: new Float64Array(mostNeighbours),
    origin: new Float64Array(3),
    direction: new Float64Array(3),
    hit: createRayHit(),
  };
}

/**
 * Writes the thickness of the surface at `positions` (#V×3) to `out` (#V).
 * @param only vertices (non-zero) that cast rays; the others take theirs from them
 */
export function measureThickness(
  out: Float64Array,
  plan: ThicknessPlan,
  positions: Float64Array,
  only?: Uint8Array,
): void {
  refitBvh(plan.bvh, positions);
  castThickness(out, plan, positions, only);
  spread(out, plan);
}

/** The same over a tree that fits already, for the vertices that cast rays; 0 at the others, unless one of those needs them to hear from its neighbours. */
export function measureRestThickness(out: Float64Array, plan: ThicknessPlan, only?: Uint8Array): void {
  castThickness(out, plan, plan.surface.positions, only);
  const { state } = plan;
  if (state.some((known, k) => known !== KNOWN && (!only || only[k] === 1))) spread(out, plan);
}

function castThickness(out: Float64Array, plan: ThicknessPlan, positions: Float64Array, only?: Uint8Array): void {
  const { surface, farthest, normals, state, values, direction } = plan;
  const { offsets } = surface.neighbours;
  sumAreaVectors(normals, positions, surface.triangles, surface.triangles.length / 3, surface.vertexCount);
  for (let k = 0; k < surface.vertexCount; k++) {
    out[k] = 0;
    state[k] = 0;
    if (only && only[k] === 0) continue;
    const nx = normals[3 * k]!;
    const ny = normals[3 * k + 1]!;
    const nz = normals[3 * k + 2]!;
    const normal = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(normal > 0) || offsets[k] === offsets[k + 1]) continue;
    const ax = -nx / normal;
    const ay = -ny / normal;
    const az = -nz / normal;
    const j = 3 * farthest[k]!;
    let tx = positions[j]! - positions[3 * k]!;
    let ty = positions[j + 1]! - positions[3 * k + 1]!;
    let tz = positions[j + 2]! - positions[3 * k + 2]!;
    const along = tx * ax + ty * ay + tz * az;
    tx -= along * ax;
    ty -= along * ay;
    tz -= along * az;
    const tangent = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const rays = tangent > 0 ? 5 : 1;
    let found = 0;
    for (let ray = 0; ray < rays; ray++) {
      if (ray === 0) {
        direction[0] = ax;
        direction[1] = ay;
        direction[2] = az;
      } else {
        // Tangent, axis × tangent, and their opposites.
        const s = ((ray & 1) === 0 ? -CONE_SIN : CONE_SIN) / tangent;
        const across = ray > 2;
        direction[0] = CONE_COS * ax + s * (across ? ay * tz - az * ty : tx);
        direction[1] = CONE_COS * ay + s * (across ? az * tx - ax * tz : ty);
        direction[2] = CONE_COS * az + s * (across ? ax * ty - ay * tx : tz);
      }
      const length = measureInside(plan, positions, k);
      if (length > 0) values[found++] = length;
    }
    if (found > 0) {
      out[k] = median(values, found);
      state[k] = KNOWN;
    }
  }
}

/** Length of the ray from vertex k along plan.direction to where it leaves k's component; 0 if it does not. */
function measureInside(
  { surface, bvh, origin, direction, hit }: ThicknessPlan,
  positions: Float64Array,
  k: number,
): number {
  const { triangleComponent, vertexComponent } = surface;
  for (let a = 0; a < 3; a++) origin[a] = positions[3 * k + a]!;
  const own = vertexComponent[k];
  const far = Number.POSITIVE_INFINITY;
  return castRay(hit, bvh, positions, origin, direction, far, 1, k, triangleComponent, own) ? hit.t : 0;
}

/** Gives vertices without a ray the median of their known neighbours, breadth first. */
function spread(out: Float64Array, plan: ThicknessPlan): void {
  const { surface, queue, state, values } = plan;
  const { offsets, values: neighbours } = surface.neighbours;
  let end = 0;
  for (let k = 0; k < surface.vertexCount; k++) {
    if (state[k] !== 0) continue;
    for (let i = offsets[k]!; i < offsets[k + 1]!; i++) {
      if (state[neighbours[i]!] !== KNOWN) continue;
      state[k] = 1;
      queue[end++] = k;
      break;
    }
  }
  // Ring by ring: what a vertex gets does not depend on the order of its ring.
  for (let begin = 0, ring = end; begin < ring; begin = ring, ring = end) {
    for (let n = begin; n < ring; n++) {
      const k = queue[n]!;
      let found = 0;
      for (let i = offsets[k]!; i < offsets[k + 1]!; i++) {
        const j = neighbours[i]!;
        if (state[j] === KNOWN) values[found++] = out[j]!;
        else if (state[j] === 0) {
          state[j] = 1;
          queue[end++] = j;
        }
      }
      out[k] = median(values, found);
    }
    for (let n = begin; n < ring; n++) state[queue[n]!] = KNOWN;
  }
}

/** Median of the first `count` values, which are sorted in place; the mean of the middle two when count is even. */
function median(values: Float64Array, count: number): number {
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let j = i - 1;
    while (j >= 0 && values[j]! > value) {
      values[j + 1] = values[j]!;
      j--;
    }
    values[j + 1] = value;
  }
  return (values[(count - 1) >> 1]! + values[count >> 1]!) / 2;
}
