/**
 * B5. The article's estimate of how much volume a region gained: prisms between its rest triangles, carried along rigidly by
 * its main bone, and its skinned triangles.
 *
 *   ΔV_s ≈ V(top) − V(bottom) + Σ_border quads,   each side quad split in 4 at its centroid
 *
 * Side quads between two triangles of one region cancel, so only those over the region's border are summed. The main bone's
 * motion is read from the positions: the rigid fit of the region's vertices, weighted by ω_ks⁸, is that of the vertices that
 * hang on the bone alone. Exact for a closed region; with borders it misses what flows through them (18 % → 9 % in the
 * article), which is what B4 is for. O(#T); allocation-free.
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008, § 5.2.
 */

import type { Character } from '../character/character.js';
import { fitRotation } from '../linear-algebra/fit-rotation.js';
import { tripleProduct } from '../mesh/cross.js';
import { packLists } from '../mesh/pack-lists.js';
import { edgeEnd, edgeStart, recallEdges } from '../mesh/plan-edges.js';
import type { Csr } from '../mesh/surface.js';
import type { Regions } from '../regions/plan-regions.js';
import { applyApexes } from './plan-closed-surface.js';
import { NO_REGION, type RegionVolumes } from './plan-region-volumes.js';

export interface PrismPlan {
  readonly character: Character;
  readonly volumes: RegionVolumes;
  /** Region → vertices, for the fit. */
  readonly vertices: Csr;
  /** Per region, how much each of its vertices hangs on the main bone: in the order of `vertices`, ^8. */
  readonly weights: Float64Array;
  /** Region → triangles of the closed surface. */
  readonly triangles: Csr;
  /** Region → directed border edges, pairs of vertices. */
  readonly borders: Csr;
  /** Rest positions with apexes. */
  readonly rest: Float64Array;
  readonly rotation: Float64Array;
  readonly fitFrom: Float64Array;
  readonly fitTo: Float64Array;
  readonly corners: Float64Array;
}

const WEIGHT_POWER = 8;

export function planPrisms(character: Character, regions: Regions, volumes: RegionVolumes): PrismPlan {
  const { closed, triangleRegion, regionCount } = volumes;
  const { binding, skeleton, surface } = character;
  const triangles: number[][] = Array.from({ length: regionCount }, () => []);
  const vertices: Set<number>[] = Array.from({ length: regionCount }, () => new Set());
  for (let t = 0; t < closed.triangleCount; t++) {
    const s = triangleRegion[t]!;
    if (s === NO_REGION) continue;
    triangles[s]!.push(t);
    for (let c = 0; c < 3; c++) {
      if (closed.triangles[3 * t + c]! < surface.vertexCount) vertices[s]!.add(closed.triangles[3 * t + c]!);
    }
  }
  const mainWeight = (s: number, k: number): number => {
    if (regions.joints[s]! < 0) return 1;
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
      if (skeleton.boneNodes[binding.bones[n]!] === regions.joints[s]) return binding.weights[n]! ** WEIGHT_POWER;
    }
    return 0;
  };
  const rest = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  rest.set(surface.positions);
  applyApexes(rest, closed.vertexCount, closed.members);
  const largest = Math.max(0, ...vertices.map((set) => set.size));
  return {
    character,
    volumes,
    vertices: packLists(vertices.map((set) => [...set])),
    weights: Float64Array.from(vertices.flatMap((set, s) => weigh(set, (k) => mainWeight(s, k)))),
    triangles: packLists(triangles),
    borders: packLists(findBorders(volumes)),
    rest,
    rotation: new Float64Array(9),
    fitFrom: new Float64Array(3 * largest),
    fitTo: new Float64Array(3 * largest),
    corners: new Float64Array(15),
  };
}

/** A region that its main bone does not reach at all is fitted as a whole. */
function weigh(set: ReadonlySet<number>, weight: (k: number) => number): number[] {
  const list = [...set].map(weight);
  return list.some((w) => w > 0) ? list : list.map(() => 1);
}

/** Directed edges of each region whose other side is not in it. */
function findBorders({ closed, triangleRegion, regionCount }: RegionVolumes): number[][] {
  const { triangles, vertexCount, apexCount } = closed;
  const out: number[][] = Array.from({ length: regionCount }, () => []);
  const { count, offsets, halfEdges } = recallEdges(triangles, vertexCount + apexCount);
  for (let e = 0; e < count; e++) {
    for (let n = offsets[e]!; n < offsets[e + 1]!; n++) {
      const s = triangleRegion[(halfEdges[n]! / 3) | 0]!;
      const from = edgeStart(triangles, halfEdges[n]!);
      let balance = 0;
      for (let m = offsets[e]!; m < offsets[e + 1]!; m++) {
        if (triangleRegion[(halfEdges[m]! / 3) | 0] !== s) continue;
        balance += edgeStart(triangles, halfEdges[m]!) === from ? 1 : -1;
      }
      if (s !== NO_REGION && balance > 0) out[s]!.push(from, edgeEnd(triangles, halfEdges[n]!));
    }
  }
  return out;
}

/** Volume gained by region s at `positions` (extended, apexes set) since rest. */
export function estimatePrisms(plan: PrismPlan, positions: Float64Array, s: number): number {
  const { volumes, triangles, borders, corners: c } = plan;
  fitRegion(plan, positions, s);
  let six = 0;
  for (let n = triangles.offsets[s]!; n < triangles.offsets[s + 1]!; n++) {
    const t = 3 * triangles.values[n]!;
    for (let i = 0; i < 3; i++) placeSkinned(c, 3 * i, positions, volumes.closed.triangles[t + i]!);
    six += tripleProduct(c, 0, 3, 6);
    for (let i = 0; i < 3; i++) placeCarried(c, 3 * i, plan, volumes.closed.triangles[t + i]!);
    six -= tripleProduct(c, 0, 3, 6);
  }
  for (let n = borders.offsets[s]!; n < borders.offsets[s + 1]!; n += 2) {
    // Quad i → j at the bottom, j → i on top: seen from outside, against the top's edge.
    const i = borders.values[n]!;
    const j = borders.values[n + 1]!;
    placeCarried(c, 0, plan, i);
    placeCarried(c, 3, plan, j);
    placeSkinned(c, 6, positions, j);
    placeSkinned(c, 9, positions, i);
    for (let r = 0; r < 3; r++) c[12 + r] = (c[r]! + c[3 + r]! + c[6 + r]! + c[9 + r]!) / 4;
    for (let q = 0; q < 4; q++) six += tripleProduct(c, 3 * q, (3 * q + 3) % 12, 12);
  }
  return six / 6;
}

/** Rest vertex k carried by the main bone, about the skinned centre. */
function placeCarried(out: Float64Array, at: number, { rest, rotation: R }: PrismPlan, k: number): void {
  const x = rest[3 * k]! - centres.from[0]!;
  const y = rest[3 * k + 1]! - centres.from[1]!;
  const z = rest[3 * k + 2]! - centres.from[2]!;
  for (let r = 0; r < 3; r++) out[at + r] = R[r]! * x + R[3 + r]! * y + R[6 + r]! * z;
}

function placeSkinned(out: Float64Array, at: number, positions: Float64Array, k: number): void {
  for (let r = 0; r < 3; r++) out[at + r] = positions[3 * k + r]! - centres.to[r]!;
}

const centres = { from: new Float64Array(3), to: new Float64Array(3) };

/** Rigid motion of the main bone: `plan.rotation` and the two `centres`. */
function fitRegion(plan: PrismPlan, positions: Float64Array, s: number): void {
  const { vertices, weights, rest, fitFrom, fitTo, rotation } = plan;
  const first = vertices.offsets[s]!;
  const count = vertices.offsets[s + 1]! - first;
  centres.from.fill(0);
  centres.to.fill(0);
  let total = 0;
  for (let n = 0; n < count; n++) {
    const k = vertices.values[first + n]!;
    const w = weights[first + n]!;
    total += w;
    for (let r = 0; r < 3; r++) {
      fitFrom[3 * n + r] = rest[3 * k + r]!;
      fitTo[3 * n + r] = positions[3 * k + r]!;
      centres.from[r]! += w * rest[3 * k + r]!;
      centres.to[r]! += w * positions[3 * k + r]!;
    }
  }
  for (let r = 0; r < 3; r++) {
    centres.from[r]! /= total || 1;
    centres.to[r]! /= total || 1;
  }
  fitRotation(rotation, fitFrom, fitTo, count, weights.subarray(first, first + count));
}
