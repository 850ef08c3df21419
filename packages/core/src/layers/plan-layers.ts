/**
 * C17.1. One body: parts that lie on each other (shirt, skin, belt, plates) and ledges that are welded to the skin (hems, waistbands,
 * eye sockets) are planned as one field on *places*, clusters in space, so that layers move together.
 *
 *   layered_k  gap_k ≤ min(2 % of the size, max(0.35 T_k, 0.2 %)),  or a step lies within min(1 %, 0.35 T_k)
 *   step       an edge along the push: |⟨e, n⟩| > 0.6 |e|, |e| < min(0.35 T, 1.2 %), T the larger one of its ends, which both get
 *   h_k        = min(0.35 T_k, max(1 %, 1.2 mean edge around k in all layers, 1.2 gap_k)), within 0.3 … 4 %
 *   places     seeds ≥ h apart among the layered vertices of one body that move alike; every other vertex is a place of its own
 *   w_kp       ∝ (1 − (d_kp / 2.2 h_k)²)²₊ s((α_kp − 0.2) / 0.3), corrected to carry linear fields (moving least squares, ridge 10 %)
 *   v_k        = Σ_p w_kp v_p,   v_p  area mean over what carries in place p, v one of γ, φ_s;  T_p  the mean;  n̄_p  see direct()
 *
 * k  vertex;  p  place;  d_kp  distance;  T_k  thickness of the thickest carrying part at k;  gap_k  distance to the nearest other part of the
 * body;  α_kp = Σ_b min(w_kb, w_pb)  how alike the skin weights move them;  s  smooth step;  n  mean normal of the skin around.
 *
 * A part that lies on itself (a tie that is welded to its collar) counts as two parts there, and what lies between as well (find-stacked.ts).
 *
 * Parts form one body where one covers the other: a share of it is close inside the other, or close to it and facing the same way with the gap
 * along its normal. Parts that abut end to end stay alone. Parts that hold flesh *carry*; flat cards and parts of one bone *ride*.
 *
 * Seeds are taken by a key that neither the order of the vertices nor a mirror changes. O(#V log #T).
 */
import type { Body } from '../body/plan-body.js';
import type { Character } from '../character/character.js';
import { planBvh } from '../contact/bvh.js';
import { castRay, createRayHit } from '../contact/cast-ray.js';
import { type DirectionOptions, smoothDirections } from '../correction/measure-directions.js';
import { measureVertexAreas } from '../correction/measure-vertex-areas.js';
import { FINE } from '../correction/plan-bases.js';
import { normalise, sumAreaVectors } from '../kernels/reference-kernels.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { createDisjointSets, findRoot, uniteSets } from '../mesh/disjoint-sets.js';
import { createStackFinder } from '../mesh/find-stacked.js';
import { groupItems } from '../mesh/group-items.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { measureLength } from '../mesh/measure-length.js';
import { createNearestPoint, measureNearestPoint } from '../mesh/measure-nearest-point.js';
import { type Clusters, comparePlaces, listTouching, measureKeys, spreadFromClusters } from '../mesh/plan-clusters.js';
import { NO_COMPONENT, type Surface } from '../mesh/surface.js';
import { findRigidParts } from '../regions/find-rigid-parts.js';
import { createLinearCorrection } from './linear-correction.js';
import { createSight } from './measure-sight.js';
import { PointGrid } from './point-grid.js';

/** Largest and least gap between layers, as shares of the size; and of the thickness. */
const MAX_GAP = 0.02;
const LEAST_GAP = 0.002;
const THICKNESS_SHARE = 0.35;
/** Least likeness α of layers, of members of a place, and where weights start and how far until they are full. */
const LEAST_ALIKE = 0.35;
const PLACE_ALIKE = 0.499; // not on a half, which is what many weights are
const WEIGHT_ALIKE = 0.2;
const WEIGHT_ALIKE_SPAN = 0.3;
/** Reach from the middle between two sheets of a part, in gaps, within which vertices lie between them. */
const BETWEEN = 0.6;
/** Least share of a part's area, and of its vertices, that must lie on, or under, another one. */
const COVER_SHARE = 0.05;
const LEAST_COVER = 3;
/** Least cosine between the normals of layers, and between normal and gap. */
const SAME_WAY = 0.5;
const ALONG_NORMAL = 0.6;
/** Steps: least slope along the normal, largest length as shares of the thickness and of the size, reach of the size, least share of vertices. */
const STEP_SLOPE = 0.6;
const STEP_LENGTH = 0.35;
const MAX_STEP = 0.012;
const STEP_REACH = 0.01;
const STEP_SHARE = 0.005;
/** Normals that steps stand along: reach as a share of the size, and vertices from which on no further ring is looked at. */
const FACING_REACH = 0.025;
const FACING_COUNT = 60;
/** Area vectors around a vertex that cancel out to less than this share have no direction. */
const LEAST_FACING = 1e-3;
/** Width of a place, as shares of the size; edges and gaps per width. */
const PLACE_WIDTH = 0.01;
const LEAST_WIDTH = 0.003;
const MAX_WIDTH = 0.04;
const EDGES_PER_WIDTH = 1.2;
const EDGE_SWEEPS = 3;
/** Reach of a place, in widths. */
const PLACE_REACH = 2.2;
/** Least share of a place's own value that its vertices keep. */
const LEAST_SPREAD = 0.1;
/** Keys closer than this, as a share of the largest, count as equal: images of each other. */
const KEY_EPSILON = 1e-7;
/** Weight of a place that only riders are in, among those that carry. */
const RIDER_WEIGHT = 1e-6;
/** γ of the parts of a rider that lie on nothing. */
const LOOSE_SOFTNESS = 0.3;
/** Weight of what is hidden. */
const HIDDEN_WEIGHT = 0.02;
const RIDER_SIGHT = 0.05;
/** Least share of the area of a part of one bone that must lie on the body, so that it rides. */
const RIDE_SHARE = 0.3;
/** Gap to parts that move otherwise, as a share of the size, below which skin is held back; and the least that is left of its softness. */
const CLEARANCE = 0.015;
const LEAST_FREE = 0.02;
/** Places whose area vectors agree so far need no rays. */
const AGREEING = 0.9;

export interface Layers {
  /** Component → the main component of its body. */
  readonly bodyOf: Uint32Array;
  readonly clusters: Clusters;
  /** T, from ℓ of every vertex alone. */
  joinRoom(room: Float64Array): Float64Array;
  /** γ from that of every vertex alone. */
  average(gamma: Float64Array): Float64Array;
  /** 0 where another part lies close, 1 where none does, #V: skin that fades by itself there would move against it. */
  readonly solitude: Float64Array;
  direct(options?: DirectionOptions): LayerDirections;
}

export interface LayerDirections {
  /** n̄, #V×3; the same all over a part that rides as a whole. */
  readonly directions: Float64Array;
  readonly riders: Riders;
}

/** Parts of one bone keep their form, and so their volume. */
export interface Riders {
  /** Components that lie on too little to follow it. */
  readonly still: ReadonlySet<number>;
  /** Components that take the mean motion of what they lie on. */
  readonly whole: ReadonlySet<number>;
  /** Weight of each vertex in the mean of its component, #V; they sum to 1. */
  readonly shares: Float64Array;
}

/** Everything that is measured once, before parts are compared. */
interface Scene {
  readonly body: Body;
  readonly character: Character;
  readonly surface: Surface;
  readonly size: number;
  readonly areas: Float64Array;
  /** Area vectors and their unit vectors, #V×3. */
  readonly vectors: Float64Array;
  readonly normals: Float64Array;
  /** 1: the vertex's part holds flesh; 0: it rides. */
  readonly carries: Uint8Array;
  readonly rigid: ReadonlySet<number>;
  /** α of two vertices. */
  compare(a: number, b: number): number;
  /** α of a vertex and a point of a triangle, whose corners have `shares` in it. */
  compareWithPoint(k: number, triangle: number, shares: Float64Array): number;
}

/** Vertices that are near another part: one entry per vertex and part. */
interface Contacts {
  readonly vertices: number[];
  readonly triangles: number[];
  /** Of the triangle's corners in the nearest point, ×3: a point on an edge belongs to both triangles alike. */
  readonly shares: number[];
  readonly distances: number[];
  /** Whether the vertex lies on, under or inside the triangle's part, as parts of a body do. */
  readonly isCover: boolean[];
  /** Thickness of the flesh under two sheets of one part, which is not their room: they are in each other's way; 0 between parts. */
  readonly depths: number[];
  /** Whether both are parallel, with the gap along the normal, whichever way they face: what lies so shares one thickness. */
  readonly isParallel: boolean[];
  /** Distance to the nearest part that moves otherwise, #V; ∞ where none is near. */
  readonly clearances: Float64Array;
}

interface Places {
  readonly count: number;
  /** The first ones are shared; the others stand for vertices that are not layered. */
  readonly shared: number;
  readonly seeds: Uint32Array;
  readonly clusterOf: Uint32Array;
  readonly centres: Float64Array;
  readonly masses: Float64Array;
  /** 1: something in it carries. */
  readonly holds: Uint8Array;
}

/**
 * @param room ℓ, #V
 * @returns undefined where no part lies on another and the skin has no steps
 */
export function planLayers(body: Body, room: Float64Array): Layers | undefined {
  const scene = describeScene(body);
  const { surface, carries, areas, size } = scene;
  const { vertexCount: V, vertexComponent, components } = surface;
  const contacts = findContacts(scene);
  addStacks(contacts, scene);
  const bodyOf = joinParts(scene, contacts);
  const { gaps, thick, edges } = measureSurroundings(scene, contacts, bodyOf, room);
  const layered = new Uint8Array(V);
  for (let k = 0; k < V; k++) {
    const limit = Math.min(MAX_GAP * size, Math.max(THICKNESS_SHARE * thick[k]!, LEAST_GAP * size));
    if (gaps[k]! <= limit) layered[k] = 1;
  }
  markSteps(layered, scene, thick);
  if (!layered.includes(1)) return undefined;

  const widths = new Float64Array(V);
  for (let k = 0; k < V; k++) {
    const gap = Number.isFinite(gaps[k]!) ? gaps[k]! : 0;
    const wanted = Math.max(PLACE_WIDTH * size, EDGES_PER_WIDTH * Math.max(edges[k]!, gap));
    const width = Math.max(LEAST_WIDTH * size, Math.min(THICKNESS_SHARE * thick[k]!, wanted));
    widths[k] = Math.min(MAX_WIDTH * size, width);
  }
  const bodyAt = Uint32Array.from(vertexComponent, (c) => bodyOf[c] ?? NO_COMPONENT);
  const coarse = V > FINE ? body.clusters : undefined;
  const places = planPlaces(scene, layered, widths, bodyAt, coarse);
  const { count, shared, clusterOf, masses, holds } = places;
  const weights = weighPlaces(scene, layered, widths, bodyAt, places, coarse);
  const neighbours = listTouching(clusterOf, surface.neighbours, count);
  const clusters: Clusters = { count, seeds: places.seeds, clusterOf, neighbours, weights, carries };
  /** Linear fields may leave the range of their places: what is positive stays so. */
  const spreadPositive = (values: Float64Array) =>
    spreadFromClusters(clusters, values).map((value, k) => Math.max(value, LEAST_SPREAD * values[clusterOf[k]!]!));
  return {
    bodyOf,
    clusters,
    joinRoom(own) {
      const sums = new Float64Array(count);
      const all = new Float64Array(count);
      for (let k = 0; k < V; k++) {
        const p = clusterOf[k]!;
        if (p < shared && !carries[k] && holds[p]) continue;
        sums[p]! += areas[k]! * (p < shared ? thick[k]! : own[k]!);
        all[p]! += areas[k]!;
      }
      return spreadPositive(sums.map((sum, p) => sum / all[p]!));
    },
    average(gamma) {
      const sums = new Float64Array(count);
      const all = new Float64Array(count);
      const hasLayers = new Uint8Array(components.length);
      for (let k = 0; k < V; k++) {
        if (layered[k]) hasLayers[vertexComponent[k]!] = 1;
        if (!carries[k]) continue;
        sums[clusterOf[k]!]! += areas[k]! * gamma[k]!;
        all[clusterOf[k]!]! += areas[k]!;
      }
      const out = spreadPositive(sums.map((sum, p) => (all[p]! > 0 ? sum / all[p]! : 0)));
      for (let k = 0; k < V; k++) {
        const isLoose = !layered[k] || !(out[k]! > 0);
        if (!carries[k] && isLoose && hasLayers[vertexComponent[k]!]) out[k] = LOOSE_SOFTNESS;
        const free = smoothStep(contacts.clearances[k]! / (CLEARANCE * size));
        out[k]! *= LEAST_FREE + (1 - LEAST_FREE) * free;
      }
      return out;
    },
    solitude: gaps.map((gap, k) => smoothStep(Math.min(gap, contacts.clearances[k]!) / (MAX_GAP * size))),
    direct(options) {
      const vectors = sumSeenVectors(scene, places);
      // A shared place weighs as the vertices of one sheet would; the others as they do without layers.
      const sheets = masses.map((mass, p) => (p < shared ? Math.max(mass / 2, 0.5) : mass));
      const smoothed = smoothDirections(scaleSheets(vectors, sheets, shared, scene), sheets, neighbours, options);
      const directions = new Float64Array(3 * V);
      for (let k = 0; k < V; k++) {
        for (let e = weights.offsets[k]!; e < weights.offsets[k + 1]!; e++) {
          const w = weights.shares[e]!;
          for (let r = 0; r < 3; r++) directions[3 * k + r]! += w * smoothed[3 * weights.values[e]! + r]!;
        }
      }
      return { directions, riders: planRiders(directions, scene, layered) };
    },
  };
}

function describeScene(body: Body): Scene {
  const { character } = body;
  const { surface, binding } = character;
  const { vertexCount, positions, triangles, vertexComponent, components } = surface;
  const vectors = new Float64Array(3 * vertexCount);
  sumAreaVectors(vectors, positions, triangles, triangles.length / 3, vertexCount);
  const normals = new Float64Array(3 * vertexCount);
  normalise(normals, vectors, 0, vertexCount);
  const rigid = new Set(findRigidParts(character).map(({ component }) => component));
  const carries = Uint8Array.from(vertexComponent, (c) => (components[c]?.solid && !rigid.has(c) ? 1 : 0));
  const { offsets, bones, weights } = binding;
  const compare = (a: number, b: number): number => {
    let sum = 0;
    for (let n = offsets[a]!; n < offsets[a + 1]!; n++) {
      for (let m = offsets[b]!; m < offsets[b + 1]!; m++) {
        if (bones[n] === bones[m]) sum += Math.min(weights[n]!, weights[m]!);
      }
    }
    return sum;
  };
  const blend = new Float64Array(character.skeleton.boneCount);
  const compareWithPoint = (k: number, triangle: number, shares: Float64Array): number => {
    for (let c = 0; c < 3; c++) {
      const corner = triangles[3 * triangle + c]!;
      for (let m = offsets[corner]!; m < offsets[corner + 1]!; m++) blend[bones[m]!]! += shares[c]! * weights[m]!;
    }
    let sum = 0;
    for (let n = offsets[k]!; n < offsets[k + 1]!; n++) sum += Math.min(weights[n]!, blend[bones[n]!]!);
    for (let c = 0; c < 3; c++) {
      const corner = triangles[3 * triangle + c]!;
      for (let m = offsets[corner]!; m < offsets[corner + 1]!; m++) blend[bones[m]!] = 0;
    }
    return sum;
  };
  const areas = measureVertexAreas(surface);
  return {
    body,
    character,
    surface,
    size: measureDiagonal(positions),
    areas,
    vectors,
    normals,
    carries,
    rigid,
    compare,
    compareWithPoint,
  };
}

/** Of every vertex and every other part near it that moves alike: the nearest triangle. */
function findContacts({ surface, size, normals, carries, compareWithPoint }: Scene): Contacts {
  const { positions: x, triangles, triangleComponent, vertexComponent, components } = surface;
  const clearances = new Float64Array(surface.vertexCount).fill(Number.POSITIVE_INFINITY);
  const out: Contacts = {
    vertices: [],
    triangles: [],
    shares: [],
    distances: [],
    depths: [],
    isCover: [],
    isParallel: [],
    clearances,
  };
  if (components.length < 2) return out;
  const far = MAX_GAP * size;
  const grid = new PointGrid(x, far).putAll();
  const lists = groupItems(components.length, triangleComponent.length, (t) => triangleComponent[t]!);
  const nearest = createNearestPoint();
  const face = new Float64Array(3);
  for (let c = 0; c < components.length; c++) {
    const own = lists.values.subarray(lists.offsets[c]!, lists.offsets[c + 1]!);
    const corners = new Uint32Array(3 * own.length);
    for (let n = 0; n < corners.length; n++) corners[n] = triangles[3 * own[(n / 3) | 0]! + (n % 3)]!;
    const tree = planBvh(corners, x);
    const low = Float64Array.from(tree.bounds.subarray(0, 3), (at) => at - far);
    const high = Float64Array.from(tree.bounds.subarray(3, 6), (at) => at + far);
    const count = grid.searchBox(low, high);
    for (let n = 0; n < count; n++) {
      const k = grid.found[n]!;
      if (vertexComponent[k] === c || vertexComponent[k] === NO_COMPONENT) continue;
      const find = (limit: number, isAlike?: (t: number, shares: Float64Array) => boolean): boolean => {
        measureNearestPoint(nearest, tree, x, x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!, limit, isAlike);
        return nearest.triangle >= 0;
      };
      const isAlike = (t: number, shares: Float64Array) => compareWithPoint(k, own[t]!, shares) >= LEAST_ALIKE;
      if (!find(far)) continue;
      const { distance } = nearest;
      // Of two points that are equally near, the one that moves alike: neither rounding nor the order of triangles decides.
      if (!isAlike(nearest.triangle, nearest.shares) && !find((1 + KEY_EPSILON) * distance, isAlike)) {
        clearances[k] = Math.min(clearances[k]!, distance);
        continue;
      }
      const t = own[nearest.triangle]!;
      face.fill(0);
      for (let i = 0; i < 9; i++)
        face[i % 3]! += nearest.shares[(i / 3) | 0]! * normals[3 * triangles[3 * t + ((i / 3) | 0)]! + (i % 3)]!;
      const isInside =
        (x[3 * k]! - nearest.x) * face[0]! +
          (x[3 * k + 1]! - nearest.y) * face[1]! +
          (x[3 * k + 2]! - nearest.z) * face[2]! <
        0;
      const way = dot(face, 0, normals, 3 * k) / (measureLength(face[0]!, face[1]!, face[2]!) || 1);
      const along =
        (nearest.x - x[3 * k]!) * normals[3 * k]! +
        (nearest.y - x[3 * k + 1]!) * normals[3 * k + 1]! +
        (nearest.z - x[3 * k + 2]!) * normals[3 * k + 2]!;
      const isSameWay = carries[k] && carries[triangles[3 * t]!] ? way >= SAME_WAY : Math.abs(way) >= SAME_WAY; // cards have two sides
      const isAlong = Math.abs(along) >= ALONG_NORMAL * nearest.distance || nearest.distance < LEAST_GAP * size;
      out.vertices.push(k);
      out.triangles.push(t);
      out.shares.push(...nearest.shares);
      out.distances.push(nearest.distance);
      out.depths.push(0);
      out.isParallel.push(Math.abs(way) >= SAME_WAY && isAlong);
      out.isCover.push((isSameWay && isAlong) || isInside);
    }
  }
  return out;
}

/** Adds the sheets of one part that lie on each other (find-stacked.ts), and what lies between them: the back of a tie. */
function addStacks(out: Contacts, { body, surface, size, normals, carries, compare, compareWithPoint }: Scene): void {
  const { positions: x, vertexComponent, vertexCount } = surface;
  const hit = createNearestPoint();
  const findStacked = createStackFinder(surface, body.bvh, normals, MAX_GAP * size);
  const add = (k: number, depth: number): void => {
    out.vertices.push(k);
    out.triangles.push(hit.triangle);
    out.shares.push(...hit.shares);
    out.distances.push(hit.distance);
    out.depths.push(depth);
    out.isCover.push(false);
    out.isParallel.push(true);
  };
  const under = createRayHit();
  const inner = new Float64Array(3);
  const inwards = new Float64Array(3);
  /** Thickness of the flesh under the inner sheet of k and its hit, by a ray that starts on it. */
  const measureDepth = (k: number): number => {
    const way = [hit.x - x[3 * k]!, hit.y - x[3 * k + 1]!, hit.z - x[3 * k + 2]!];
    for (let r = 0; r < 3; r++) inwards[r] = -normals[3 * k + r]!;
    const isOutside = way[0]! * inwards[0]! + way[1]! * inwards[1]! + way[2]! * inwards[2]! < 0;
    for (let r = 0; r < 3; r++) inner[r] = x[3 * k + r]! + (isOutside ? 0 : way[r]!);
    return castRay(under, body.bvh, x, inner, inwards, size, 1, k) ? under.t : 0;
  };
  let grid: PointGrid | undefined;
  const { clusters } = body;
  const members = clusters && groupItems(clusters.count, vertexCount, (k) => clusters.clusterOf[k]!);
  for (let n = 0; n < (clusters?.count ?? vertexCount); n++) {
    const k = clusters?.seeds[n] ?? n;
    if (!carries[k] || !findStacked(hit, k) || compareWithPoint(k, hit.triangle, hit.shares) < LEAST_ALIKE) continue;
    const depth = measureDepth(k);
    for (const v of members?.values.subarray(members.offsets[n]!, members.offsets[n + 1]!) ?? [k]) {
      if (dot(normals, 3 * v, normals, 3 * k) >= SAME_WAY) add(v, depth);
    }
    grid ??= new PointGrid(x, MAX_GAP * size).putAll();
    const [a, b, c] = [x[3 * k]! + hit.x, x[3 * k + 1]! + hit.y, x[3 * k + 2]! + hit.z];
    const found = grid.search(a / 2, b / 2, c / 2, BETWEEN * hit.distance);
    for (let i = 0; i < found; i++) {
      const v = grid.found[i]!;
      if (v !== k && vertexComponent[v] === vertexComponent[k] && compare(k, v) >= LEAST_ALIKE) add(v, depth);
    }
  }
}

/** Component → main component of its body: the largest that carries. */
function joinParts({ surface, areas, rigid }: Scene, { vertices, triangles, isCover }: Contacts): Uint32Array {
  const { components, vertexComponent, triangleComponent, vertexCount } = surface;
  const totals = new Float64Array(components.length);
  for (let k = 0; k < vertexCount; k++)
    if (vertexComponent[k] !== NO_COMPONENT) totals[vertexComponent[k]!]! += areas[k]!;
  const covers = new Map<number, { count: number; area: number }>();
  for (const [n, k] of vertices.entries()) {
    if (!isCover[n]) continue;
    const pair = vertexComponent[k]! * components.length + triangleComponent[triangles[n]!]!;
    const cover = covers.get(pair) ?? { count: 0, area: 0 };
    covers.set(pair, cover);
    cover.count++;
    cover.area += areas[k]!;
  }
  const sets = createDisjointSets(components.length);
  for (const [pair, { count, area }] of covers) {
    const c = Math.floor(pair / components.length);
    if (count >= LEAST_COVER && area >= COVER_SHARE * totals[c]!) uniteSets(sets, c, pair % components.length);
  }
  const weigh = (c: number) => Math.abs(components[c]!.volume) * (components[c]!.solid && !rigid.has(c) ? 1 : 1e-6);
  const main = new Uint32Array(components.length).fill(NO_COMPONENT);
  for (let c = 0; c < components.length; c++) {
    const root = findRoot(sets, c);
    if (main[root] === NO_COMPONENT || weigh(c) > weigh(main[root]!)) main[root] = c;
  }
  return main.map((_, c) => main[findRoot(sets, c)]!);
}

/** Of every vertex: gap to the rest of its body (∞ where there is none), thickness of the thickest part there, and the mean edge around. */
function measureSurroundings({ surface, carries }: Scene, contacts: Contacts, bodyOf: Uint32Array, room: Float64Array) {
  const { vertexCount, positions: x, neighbours, triangles, vertexComponent, triangleComponent } = surface;
  const { offsets, values } = neighbours;
  const gaps = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY);
  const thick = room.slice();
  let edges = new Float64Array(vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += measureDistance(x, k, values[e]!);
    edges[k] = sum / Math.max(1, offsets[k + 1]! - offsets[k]!);
  }
  for (let n = 0; n < EDGE_SWEEPS; n++) {
    edges = edges.map((own, k) => {
      let sum = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += edges[values[e]!]!;
      return offsets[k + 1]! > offsets[k]! ? 0.5 * own + (0.5 * sum) / (offsets[k + 1]! - offsets[k]!) : own;
    });
  }
  const wide = edges.slice();
  for (const [n, k] of contacts.vertices.entries()) {
    const t = contacts.triangles[n]!;
    if (bodyOf[vertexComponent[k]!] !== bodyOf[triangleComponent[t]!]) continue;
    gaps[k] = Math.min(gaps[k]!, contacts.distances[n]!);
    if (!carries[triangles[3 * t]!]) continue;
    const [i, j, l] = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!];
    const [a, b, c] = [contacts.shares[3 * n]!, contacts.shares[3 * n + 1]!, contacts.shares[3 * n + 2]!];
    if (contacts.isParallel[n])
      thick[k] = Math.max(thick[k]!, a * room[i]! + b * room[j]! + c * room[l]!, contacts.depths[n]!);
    wide[k] = Math.max(wide[k]!, a * edges[i]! + b * edges[j]! + c * edges[l]!);
  }
  return { gaps, thick, edges: wide };
}

/** Marks what lies at steps, where there are enough of them, and gives both ends of each the larger thickness. */
function markSteps(layered: Uint8Array, scene: Scene, thick: Float64Array): void {
  const { surface, size, carries, compare } = scene;
  const { vertexCount, positions: x, neighbours } = surface;
  const { offsets, values } = neighbours;
  const isStep = new Uint8Array(vertexCount);
  const deep = thick.slice();
  const facing = measureFacing(scene);
  for (let k = 0; k < vertexCount; k++) {
    if (!carries[k]) continue;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const j = values[e]!;
      const edge = measureDistance(x, k, j);
      const most = Math.max(thick[k]!, thick[j]!); // rays that start in the notch of a step measure the notch
      if (!(edge > 1e-6 * size && edge < Math.min(MAX_STEP * size, STEP_LENGTH * most))) continue;
      const rise =
        (x[3 * j]! - x[3 * k]!) * facing[3 * k]! +
        (x[3 * j + 1]! - x[3 * k + 1]!) * facing[3 * k + 1]! +
        (x[3 * j + 2]! - x[3 * k + 2]!) * facing[3 * k + 2]!;
      if (Math.abs(rise) < STEP_SLOPE * edge) continue;
      isStep[k] = isStep[j] = 1;
      deep[k] = Math.max(deep[k]!, most);
      deep[j] = Math.max(deep[j]!, most);
    }
  }
  let count = 0;
  for (let k = 0; k < vertexCount; k++) count += isStep[k]!;
  if (count < STEP_SHARE * vertexCount) return;
  thick.set(deep);
  const grid = new PointGrid(x, STEP_REACH * size);
  for (let k = 0; k < vertexCount; k++) if (isStep[k]) grid.put(k);
  for (let k = 0; k < vertexCount; k++) {
    if (layered[k] || surface.vertexComponent[k] === NO_COMPONENT) continue;
    const reach = Math.min(STEP_REACH * size, THICKNESS_SHARE * thick[k]!);
    const near = grid.search(x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!, reach);
    for (let n = 0; n < near && !layered[k]; n++) if (compare(k, grid.found[n]!) > LEAST_ALIKE) layered[k] = 1;
  }
}

/** Unit normals of the skin around each vertex: mean over whole rings within FACING_REACH, until there are FACING_COUNT vertices. */
function measureFacing({ surface, vectors, size }: Scene): Float64Array {
  const { vertexCount, positions: x, neighbours } = surface;
  const { offsets, values } = neighbours;
  const out = new Float64Array(3 * vertexCount);
  const seenBy = new Uint32Array(vertexCount); // the last vertex whose ring it was in, and 1
  const queue = new Uint32Array(vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    seenBy[k] = k + 1;
    queue[0] = k;
    let tail = 1;
    for (let head = 0, ring = 1; head < tail && tail < FACING_COUNT; ring = tail) {
      for (; head < ring; head++) {
        for (let e = offsets[queue[head]!]!; e < offsets[queue[head]! + 1]!; e++) {
          const j = values[e]!;
          if (seenBy[j] === k + 1 || !(measureDistance(x, k, j) < FACING_REACH * size)) continue;
          seenBy[j] = k + 1;
          queue[tail++] = j;
        }
      }
    }
    let all = 0;
    for (let n = 0; n < tail; n++) {
      const i = 3 * queue[n]!;
      for (let r = 0; r < 3; r++) out[3 * k + r]! += vectors[i + r]!;
      all += measureLength(vectors[i]!, vectors[i + 1]!, vectors[i + 2]!);
    }
    const facing = measureLength(out[3 * k]!, out[3 * k + 1]!, out[3 * k + 2]!);
    if (facing < LEAST_FACING * all) out.fill(0, 3 * k, 3 * k + 3); // a closed part as small as that faces nowhere
  }
  normalise(out, out, 0, vertexCount);
  return out;
}

function planPlaces(
  { surface, size, areas, carries, compare }: Scene,
  layered: Uint8Array,
  widths: Float64Array,
  bodyAt: Uint32Array,
  coarse: Clusters | undefined,
): Places {
  const { vertexCount, positions: x } = surface;
  const grid = new PointGrid(x, PLACE_WIDTH * size);
  const seeds: number[] = [];
  const seedOf = new Uint32Array(vertexCount); // seed vertex → place
  const search = (k: number, reach: number) => grid.search(x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!, reach);
  const isFree = (k: number, reach: number): boolean => {
    for (let n = search(k, reach) - 1; n >= 0; n--) {
      const seed = grid.found[n]!;
      if (bodyAt[seed] === bodyAt[k] && compare(seed, k) >= PLACE_ALIKE) return false;
    }
    return true;
  };
  // Images of each other have the same key, and are looked at before any of them is put in.
  const { order, keys, epsilon } = orderByKey(surface, layered, carries);
  for (let from = 0; from < order.length; ) {
    const free: number[] = [];
    let to = from;
    do {
      if (isFree(order[to]!, widths[order[to]!]!)) free.push(order[to]!);
      to++;
    } while (
      to < order.length &&
      keys[order[to]!]! - keys[order[to - 1]!]! <= epsilon &&
      carries[order[to]!] === carries[order[from]!]
    );
    if (free.length > 1) free.sort((a, b) => comparePlaces(x, a, b, surface.signs));
    for (const k of free) {
      if (free.length > 1 && !isFree(k, 1e-6 * size)) continue; // two parts meet in one point
      seedOf[k] = seeds.push(k) - 1;
      grid.put(k);
    }
    from = to;
  }
  const shared = seeds.length;
  const clusterOf = new Uint32Array(vertexCount);
  const coarsePlace = new Map<number, number>();
  for (let k = 0; k < vertexCount; k++) {
    if (layered[k]) {
      // A seed that moves alike lies within the width: no other one can be nearer by this measure beyond twice that.
      let least = Number.POSITIVE_INFINITY;
      for (let n = search(k, 2.001 * widths[k]!) - 1; n >= 0; n--) {
        const seed = grid.found[n]!;
        if (bodyAt[seed] !== bodyAt[k]) continue;
        const distance = grid.distances[n]! * (3 - 2 * compare(seed, k));
        const isNearer = distance < (1 - KEY_EPSILON) * least;
        if (isNearer || (distance < (1 + KEY_EPSILON) * least && seedOf[seed]! < clusterOf[k]!))
          clusterOf[k] = seedOf[seed]!;
        least = Math.min(least, distance);
      }
    } else if (coarse) {
      const c = coarse.clusterOf[k]!;
      if (!coarsePlace.has(c)) coarsePlace.set(c, seeds.push(layered[coarse.seeds[c]!] ? k : coarse.seeds[c]!) - 1);
      clusterOf[k] = coarsePlace.get(c)!;
    } else clusterOf[k] = seeds.push(k) - 1;
  }
  const count = seeds.length;
  const centres = new Float64Array(3 * count);
  const masses = new Float64Array(count);
  const holds = new Uint8Array(count);
  for (let k = 0; k < vertexCount; k++) {
    const p = clusterOf[k]!;
    masses[p]! += areas[k]!;
    if (carries[k]) holds[p] = 1;
    for (let r = 0; r < 3; r++) centres[3 * p + r]! += areas[k]! * x[3 * k + r]!;
  }
  for (let i = 0; i < centres.length; i++) centres[i]! /= masses[(i / 3) | 0]!;
  return { count, shared, seeds: Uint32Array.from(seeds), clusterOf, centres, masses, holds };
}

/** Layered vertices: what carries first, then from the middle of the box outwards. */
function orderByKey({ positions: x, signs }: Surface, layered: Uint8Array, carries: Uint8Array) {
  const { keys, largest } = measureKeys(x);
  const order = [...layered.keys()].filter((k) => layered[k]);
  order.sort((a, b) => carries[b]! - carries[a]! || keys[a]! - keys[b]! || comparePlaces(x, a, b, signs));
  return { order, keys, epsilon: KEY_EPSILON * largest };
}

/** w. */
function weighPlaces(
  { surface, size, compare }: Scene,
  layered: Uint8Array,
  widths: Float64Array,
  bodyAt: Uint32Array,
  { shared, seeds, clusterOf, centres, masses, holds }: Places,
  coarse: Clusters | undefined,
): Clusters['weights'] {
  const { vertexCount, positions: x } = surface;
  const grid = new PointGrid(centres, 2 * PLACE_WIDTH * size).putAll();
  const offsets = new Uint32Array(vertexCount + 1);
  const values: number[] = [];
  const shares: number[] = [];
  const correct = createLinearCorrection(centres, x);
  const placeOf = coarse && new Map(Array.from(clusterOf, (p, k) => [layered[k] ? -1 : coarse.clusterOf[k]!, p]));
  for (let k = 0; k < vertexCount; k++) {
    const from = values.length;
    let sum = 0;
    const add = (place: number, weight: number): void => {
      if (!(weight > 0)) return;
      values.push(place);
      shares.push(weight);
      sum += weight;
    };
    if (layered[k]) {
      const reach = PLACE_REACH * widths[k]!;
      const near = grid.search(x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!, reach);
      for (let n = 0; n < near; n++) {
        const p = grid.found[n]!;
        if (bodyAt[seeds[p]!] !== bodyAt[k]) continue;
        const alike = smoothStep((compare(seeds[p]!, k) - WEIGHT_ALIKE) / WEIGHT_ALIKE_SPAN);
        const bump = (1 - (grid.distances[n]! / reach) ** 2) ** 2;
        // Single vertices stand closer than places: they count by their area.
        add(p, bump * alike * (p < shared ? 1 : Math.min(1, masses[p]! / 4)) * (holds[p] ? 1 : RIDER_WEIGHT));
      }
    } else if (coarse && placeOf) {
      for (let e = coarse.weights.offsets[k]!; e < coarse.weights.offsets[k + 1]!; e++) {
        const place = placeOf.get(coarse.weights.values[e]!);
        if (place !== undefined) add(place, coarse.weights.shares[e]!);
      }
    }
    if (sum > 0) for (let n = from; n < shares.length; n++) shares[n]! /= sum;
    else add(clusterOf[k]!, 1);
    if (layered[k]) correct(values, shares, from, k);
    offsets[k + 1] = values.length;
  }
  return { offsets, values: Uint32Array.from(values), shares: Float64Array.from(shares) };
}

/**
 * Area vectors of the places. Where those of a shared place disagree, vertices count by how much of the sky they see: inner sides of cloth and
 * the skin under it do not turn the push.
 */
function sumSeenVectors(scene: Scene, { count, shared, clusterOf }: Places): Float64Array {
  const { surface, carries, vectors } = scene;
  const sums = new Float64Array(3 * count);
  const lengths = new Float64Array(count);
  const add = (k: number, weight: number): void => {
    for (let r = 0; r < 3; r++) sums[3 * clusterOf[k]! + r]! += weight * vectors[3 * k + r]!;
  };
  for (let k = 0; k < surface.vertexCount; k++) {
    add(k, 1);
    lengths[clusterOf[k]!]! += measureLength(vectors[3 * k]!, vectors[3 * k + 1]!, vectors[3 * k + 2]!);
  }
  const isMixed = new Uint8Array(count);
  for (let p = 0; p < shared; p++) {
    if (measureLength(sums[3 * p]!, sums[3 * p + 1]!, sums[3 * p + 2]!) >= AGREEING * lengths[p]!) continue;
    isMixed[p] = 1;
    sums.fill(0, 3 * p, 3 * p + 3);
  }
  const measureSight = createSight(scene);
  for (let k = 0; k < surface.vertexCount; k++) {
    if (isMixed[clusterOf[k]!]) add(k, (carries[k] ? 1 : RIDER_SIGHT) * (HIDDEN_WEIGHT + measureSight(k) ** 2));
  }
  return sums;
}

/** Lengths as `smoothDirections` takes them: the mean vertex has 1. */
function scaleSheets(
  vectors: Float64Array,
  sheets: Float64Array,
  shared: number,
  { vectors: own }: Scene,
): Float64Array {
  let mean = 0;
  for (let i = 0; i < own.length; i += 3) mean += measureLength(own[i]!, own[i + 1]!, own[i + 2]!) / (own.length / 3);
  return vectors.map((value, i) => {
    const p = (i / 3) | 0;
    if (p >= shared) return value / (mean || 1);
    return (value * sheets[p]!) / (measureLength(vectors[3 * p]!, vectors[3 * p + 1]!, vectors[3 * p + 2]!) || 1);
  });
}

/** Parts of one bone that ride as a whole get the mean direction of what they lie on. */
function planRiders(directions: Float64Array, { surface, areas, rigid }: Scene, layered: Uint8Array): Riders {
  const { vertexCount, vertexComponent } = surface;
  const sums = new Map([...rigid].map((c) => [c, { all: 0, near: 0, mean: [0, 0, 0] }]));
  for (let k = 0; k < vertexCount; k++) {
    const part = sums.get(vertexComponent[k]!);
    if (part) part.all += areas[k]!;
    if (!part || !layered[k]) continue;
    part.near += areas[k]!;
    for (let r = 0; r < 3; r++) part.mean[r]! += areas[k]! * directions[3 * k + r]!;
  }
  const still = new Set<number>();
  const whole = new Set<number>();
  for (const [c, { all, near }] of sums) {
    (near < RIDE_SHARE * all ? still : whole).add(c);
  }
  const shares = new Float64Array(vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    const c = vertexComponent[k]!;
    if (!whole.has(c)) continue;
    const { near, mean } = sums.get(c)!;
    if (layered[k]) shares[k] = areas[k]! / near;
    for (let r = 0; r < 3; r++) directions[3 * k + r] = mean[r]! / near;
  }
  return { still, whole, shares };
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!;
}
