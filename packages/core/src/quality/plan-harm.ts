/** Everything about a surface at rest that `measure-harm.ts` compares frames with. Data alone: threads share it. */
import { planBvh } from '../contact/bvh.js';
import { crossEdges } from '../mesh/cross.js';
import { createGatherer, createStackFinder } from '../mesh/find-stacked.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { createNearestPoint, measureNearestPoint, type NearestPoint } from '../mesh/measure-nearest-point.js';
import type { Csr, Surface } from '../mesh/surface.js';
import { planQuality } from './measure-quality.js';

export type HarmSurface = Pick<
  Surface,
  | 'vertexCount'
  | 'positions'
  | 'triangles'
  | 'neighbours'
  | 'vertexComponent'
  | 'triangleComponent'
  | 'corners'
  | 'signs'
>;

export interface HarmPlan {
  readonly surface: Pick<Surface, 'vertexCount' | 'positions' | 'triangles' | 'neighbours' | 'signs'>;
  readonly size: number;
  /** Every edge once, #E×2, and their lengths at rest. */
  readonly edges: Uint32Array;
  readonly lengths: Float64Array;
  readonly wholeLength: number;
  /** Twice the area of every triangle, and a third of the areas of a vertex's triangles. */
  readonly doubles: Float64Array;
  readonly areas: Float64Array;
  readonly wholeArea: number;
  /** N_k, and the spread of the normals at rest. */
  readonly around: Csr;
  readonly spreads: Float64Array;
  /** Vertex, then corners of the triangle beside it, #×4; barycentric coordinates there, #×3; side at rest, #. */
  readonly pairs: Uint32Array;
  readonly places: Float64Array;
  readonly sides: Float64Array;
  /** #×2. */
  readonly ledges: Uint32Array;
}

/** Shares of the size D. */
const SHARES = { ring: 0.01, near: 0.015, touch: 1e-5, smooth: 0.025, ledge: 0.012, point: 1e-6 };
const RING_MOST = 40;
const SMOOTH_MOST = 120;
/** A pair or a ledge stands along the normal from this cosine on. */
const UPRIGHT = 0.6;
/** Fewer ledges are no hem. */
const LEAST_LEDGES = 40;

export function planHarm(surface: HarmSurface): HarmPlan {
  const { vertexCount, positions, triangles } = surface;
  const size = measureDiagonal(positions);
  const { edges } = planQuality(surface);
  const lengths = Float64Array.from({ length: edges.length / 2 }, (_, e) =>
    measureDistance(positions, edges[2 * e]!, edges[2 * e + 1]!),
  );
  const faces = new Float64Array(triangles.length);
  const normals = new Float64Array(3 * vertexCount);
  measureNormals(faces, normals, surface, positions);
  const areas = new Float64Array(vertexCount);
  const doubles = Float64Array.from({ length: triangles.length / 3 }, (_, t) => lengthAt(faces, 3 * t));
  for (let c = 0; c < triangles.length; c++) areas[triangles[c]!]! += doubles[Math.trunc(c / 3)]! / 6;
  const around = gatherNear(surface, SHARES.ring * size, RING_MOST);
  const spreads = new Float64Array(vertexCount);
  for (let k = 0; k < vertexCount; k++) spreads[k] = measureSpread(normals, around, k);
  return {
    surface: {
      vertexCount,
      positions,
      triangles,
      neighbours: surface.neighbours,
      ...(surface.signs && { signs: surface.signs }),
    },
    size,
    edges,
    lengths,
    wholeLength: lengths.reduce((sum, l) => sum + l, 0),
    doubles,
    areas,
    wholeArea: areas.reduce((sum, a) => sum + a, 0),
    around,
    spreads,
    ...planPairs(surface, size, normals),
    ledges: planLedges(surface, size, edges, lengths, faces),
  };
}

/** Vertices beside a triangle of another part, or of another sheet of their own, on one side of it. */
function planPairs(
  surface: HarmSurface,
  size: number,
  normals: Float64Array,
): Pick<HarmPlan, 'pairs' | 'places' | 'sides'> {
  const { vertexCount, positions, triangles, vertexComponent } = surface;
  const [pairs, places, sides]: number[][] = [[], [], []];
  const bvh = planBvh(triangles, positions);
  const findStacked = createStackFinder(surface, bvh, normals, SHARES.near * size);
  const hit = createNearestPoint();
  for (let k = 0; k < vertexCount; k++) {
    const own = vertexComponent[k]!;
    const isOther = (t: number) => vertexComponent[triangles[3 * t]!] !== own;
    const [x, y, z] = [positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!];
    measureNearestPoint(hit, bvh, positions, x, y, z, SHARES.near * size, isOther);
    if (hit.triangle < 0 && !findStacked(hit, k)) continue;
    if (!(hit.distance > SHARES.touch * size)) continue;
    // A point on an edge belongs to several triangles: the one that faces the vertex most counts, whatever their order.
    let best = { side: 0, corners: [0, 0, 0], shares: [0, 0, 0] };
    for (const t of listTriangles(surface, hit)) {
      const corners = [...triangles.subarray(3 * t, 3 * t + 3)];
      crossEdges(face, 0, positions, 3 * corners[0]!, 3 * corners[1]!, 3 * corners[2]!);
      const side =
        ((x - hit.x) * face[0]! + (y - hit.y) * face[1]! + (z - hit.z) * face[2]!) / (lengthAt(face, 0) || 1);
      if (Math.abs(side) <= (1 + ALIKE) * Math.abs(best.side)) continue;
      best = { side, corners, shares: corners.map((v) => shareOf(surface, hit, v)) };
    }
    if (!(Math.abs(best.side) > UPRIGHT * hit.distance)) continue;
    pairs.push(k, ...best.corners);
    places.push(...best.shares);
    sides.push(best.side);
  }
  return { pairs: Uint32Array.from(pairs), places: Float64Array.from(places), sides: Float64Array.from(sides) };
}
const face = new Float64Array(3);
/** Shares and sides that differ by less are one. */
const ALIKE = 1e-6;

/** Share of a vertex in the nearest point. */
function shareOf({ triangles }: HarmSurface, { triangle, shares }: NearestPoint, vertex: number): number {
  const at = [0, 1, 2].find((c) => triangles[3 * triangle + c] === vertex);
  return at !== undefined && shares[at]! > ALIKE ? shares[at]! : 0;
}

/** The triangles that the nearest point lies on. */
function listTriangles(surface: HarmSurface, hit: NearestPoint): number[] {
  const { triangles, corners } = surface;
  const held = [0, 1, 2].map((c) => triangles[3 * hit.triangle + c]!).filter((v) => shareOf(surface, hit, v) > 0);
  const around = held.map((v) =>
    Array.from(corners.values.subarray(corners.offsets[v], corners.offsets[v + 1]), (corner) => Math.trunc(corner / 3)),
  );
  return (around[0] ?? [hit.triangle]).filter((t) => around.every((list) => list.includes(t)));
}

/** Short edges that stand along the smoothed normal of one of their ends. */
function planLedges(
  surface: HarmSurface,
  size: number,
  edges: Uint32Array,
  lengths: Float64Array,
  faces: Float64Array,
): Uint32Array {
  const { positions, triangles, vertexCount } = surface;
  const sums = new Float64Array(3 * vertexCount);
  for (let c = 0; c < triangles.length; c++) {
    for (let r = 0; r < 3; r++) sums[3 * triangles[c]! + r]! += faces[c - (c % 3) + r]!;
  }
  const isShort = (e: number) => lengths[e]! > SHARES.point * size && lengths[e]! < SHARES.ledge * size;
  const asked = new Uint8Array(vertexCount);
  for (let e = 0; e < lengths.length; e++) if (isShort(e)) asked[edges[2 * e]!] = asked[edges[2 * e + 1]!] = 1;
  const { offsets, values } = gatherNear(surface, SHARES.smooth * size, SMOOTH_MOST, asked);
  const normals = new Float64Array(3 * vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    if (asked[k] === 0) continue;
    for (let r = 0; r < 3; r++) {
      normals[3 * k + r] = sums[3 * k + r]!;
      for (let i = offsets[k]!; i < offsets[k + 1]!; i++) normals[3 * k + r]! += sums[3 * values[i]! + r]!;
    }
    const length = lengthAt(normals, 3 * k) || 1;
    for (let r = 0; r < 3; r++) normals[3 * k + r]! /= length;
  }
  const out: number[] = [];
  for (let e = 0; e < lengths.length; e++) {
    if (!isShort(e)) continue;
    const [a, b] = [edges[2 * e]!, edges[2 * e + 1]!];
    const isAlong = (k: number): boolean => {
      let along = 0;
      for (let r = 0; r < 3; r++) along += normals[3 * k + r]! * (positions[3 * b + r]! - positions[3 * a + r]!);
      return Math.abs(along) > UPRIGHT * lengths[e]!;
    };
    if (isAlong(a) || isAlong(b)) out.push(a, b);
  }
  return Uint32Array.from(out.length >= 2 * LEAST_LEDGES ? out : []);
}

function gatherNear(surface: HarmSurface, radius: number, most: number, asked?: Uint8Array): Csr {
  const offsets = new Uint32Array(surface.vertexCount + 1);
  const values: number[] = [];
  const gather = createGatherer(surface, most);
  for (let k = 0; k < surface.vertexCount; k++) {
    if ((asked?.[k] ?? 1) === 1) for (const v of gather(k, radius)) if (v !== k) values.push(v);
    offsets[k + 1] = values.length;
  }
  return { offsets, values: Uint32Array.from(values) };
}

/** Doubled area vectors of the triangles into `faces`, unit normals of the vertices into `normals`. */
export function measureNormals(
  faces: Float64Array,
  normals: Float64Array,
  { triangles }: HarmPlan['surface'],
  x: Float64Array,
): void {
  normals.fill(0);
  for (let i = 0; i < triangles.length; i += 3) {
    crossEdges(faces, i, x, 3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!);
    for (let c = i; c < i + 3; c++) for (let r = 0; r < 3; r++) normals[3 * triangles[c]! + r]! += faces[i + r]!;
  }
  for (let k = 0; k < normals.length; k += 3) {
    const length = lengthAt(normals, k) || 1;
    for (let r = k; r < k + 3; r++) normals[r]! /= length;
  }
}

/** Mean angle between a normal and those around it. */
export function measureSpread(normals: Float64Array, { offsets, values }: Csr, k: number): number {
  const [begin, end] = [offsets[k]!, offsets[k + 1]!];
  const [x, y, z] = [normals[3 * k]!, normals[3 * k + 1]!, normals[3 * k + 2]!];
  let sum = 0;
  for (let i = begin; i < end; i++) {
    const j = 3 * values[i]!;
    sum += Math.acos(Math.max(-1, Math.min(1, x * normals[j]! + y * normals[j + 1]! + z * normals[j + 2]!)));
  }
  return end > begin ? sum / (end - begin) : 0;
}

export function lengthAt(x: Float64Array, i: number): number {
  return Math.sqrt(x[i]! ** 2 + x[i + 1]! ** 2 + x[i + 2]! ** 2);
}
