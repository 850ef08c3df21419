/**
 * A5(c). Weights by diffusion over the skin, so that neighbouring folds and limbs do not leak into each other.
 *
 *   (L + M H) w_i = M H p_i
 *
 * L  cotangent stiffness, entries bounded so that bad triangles neither cut the skin nor glue it;  M  vertex areas;
 * H = c/d², d the distance to the closest bone that the vertex sees: heat flows in fastest where the bone is near, and the
 *     border between two bones becomes about as wide as the limb is thick (c = 1), half that with c = 4;
 * p_i = 1 where bone i is that closest one, shared between bones that are equally close; H = 0 where none is seen.
 * Every off-diagonal entry is negative, so 0 ≤ w_i ≤ 1 and Σ_i w_i = 1. A component that sees no bone at all takes the
 * closest bones as they are. One factorisation, one solve per bone: O(#V^1.5 + #B #V log #V).
 * Based on: Baran, Popović, Automatic Rigging and Animation of 3D Characters, 2007, §4.
 */

import { planSparseCholesky } from '../linear-algebra/plan-sparse-cholesky.js';
import type { SparseMatrix } from '../linear-algebra/sparse-matrix.js';
import { measureTriangleArea } from '../mesh/cross.js';
import { NO_COMPONENT, type Surface } from '../mesh/surface.js';
import type { BoneProbe } from './create-bone-probe.js';
import type { Influences } from './create-influences.js';
import type { BoneVisibility } from './plan-visibility.js';
import type { WeightsBody } from './plan-weights-body.js';

/** Bones up to this much farther than the closest one share its heat, the less the farther: no jump where they swap. */
const TIE = 0.05;
/** Bounds of ½(cot α + cot β); a regular mesh has 0.58. */
const LEAST_STIFFNESS = 0.02;
const MOST_STIFFNESS = 20;
/** Vertices of slivers count with at least this share of the mean vertex area. */
const LEAST_AREA = 1e-6;

/**
 * Adds the weights of all vertices to `out`; returns how many vertices see no bone.
 *
 * @param locality c: larger keeps weights closer to the closest bone
 */
export function weighByHeat(
  out: Influences,
  body: WeightsBody,
  probe: BoneProbe,
  visibility: BoneVisibility,
  locality: number,
): number {
  const { surface, vertexCount } = body;
  const seeds = collectSeeds(body, probe, visibility);
  const areas = measureAreas(surface);
  const inflow = areas.map((area, k) => (seeds.distances[k]! > 0 ? (locality * area) / seeds.distances[k]! ** 2 : 0));
  const factor = planSparseCholesky(assemble(surface, inflow), surface.positions);

  const { starts, vertices, shares } = sortByBone(seeds, probe.boneCount);
  const warm = Array.from(starts.keys()).filter((i) => starts[i]! < starts[i + 1]!);
  for (let first = 0; first < warm.length; first += 4) {
    const four = warm.slice(first, first + 4);
    const heats = four.map((i) => {
      const heat = new Float64Array(vertexCount);
      for (let n = starts[i]!; n < starts[i + 1]!; n++) heat[vertices[n]!] = inflow[vertices[n]!]! * shares[n]!;
      return heat;
    });
    factor.solveSome(heats);
    for (const [n, i] of four.entries()) for (let k = 0; k < vertexCount; k++) out.add(k, i, heats[n]![k]!);
  }
  return seeds.unreached;
}

interface Seeds {
  /** d of every vertex; 0: it takes in no heat of its own. */
  readonly distances: Float64Array;
  /** Triples vertex, bone, share. */
  readonly triples: readonly number[];
  readonly unreached: number;
}

function collectSeeds(body: WeightsBody, probe: BoneProbe, visibility: BoneVisibility): Seeds {
  const { vertexCount, positions, surface } = body;
  const { distances: d, points } = probe;
  const distances = new Float64Array(vertexCount);
  const triples: number[] = [];
  const warm = new Uint8Array(surface.components.length); // components with a seed
  const left = new Float64Array(probe.boneCount);
  const found: number[] = [];

  const seed = (k: number, sees: (bone: number) => boolean): boolean => {
    const bones = body.bonesOf(k);
    probe.measure(bones, positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!);
    for (const i of bones) left[i] = d[i]!;
    found.length = 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (;;) {
      let best = bones[0]!;
      for (const i of bones) if (left[i]! < left[best]!) best = i;
      if (!(left[best]! < nearest * (1 + TIE)) || left[best] === Number.POSITIVE_INFINITY) break;
      left[best] = Number.POSITIVE_INFINITY;
      if (!sees(best)) continue;
      nearest = Math.min(nearest, d[best]!);
      found.push(best);
    }
    if (found.length === 0) return false;
    distances[k] = nearest;
    const share = (i: number) => 1 - (d[i]! / nearest - 1) / TIE;
    const sum = found.reduce((total, i) => total + share(i), 0);
    for (const i of found) triples.push(k, i, share(i) / sum);
    return true;
  };

  let unreached = 0;
  for (let k = 0; k < vertexCount; k++) {
    if (!seed(k, (i) => visibility.reaches(k, points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!))) unreached++;
    else if (surface.vertexComponent[k] !== NO_COMPONENT) warm[surface.vertexComponent[k]!] = 1;
  }
  if (unreached > 0) {
    for (let k = 0; k < vertexCount; k++) {
      const c = surface.vertexComponent[k]!;
      if (distances[k] === 0 && (c === NO_COMPONENT || !warm[c])) seed(k, () => true);
    }
  }
  return { distances, triples, unreached };
}

function sortByBone({ triples }: Seeds, boneCount: number) {
  const starts = new Uint32Array(boneCount + 1);
  for (let n = 1; n < triples.length; n += 3) starts[triples[n]! + 1]!++;
  for (let i = 0; i < boneCount; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const vertices = new Uint32Array(triples.length / 3);
  const shares = new Float64Array(triples.length / 3);
  for (let n = 0; n < triples.length; n += 3) {
    const to = next[triples[n + 1]!]!++;
    vertices[to] = triples[n]!;
    shares[to] = triples[n + 2]!;
  }
  return { starts, vertices, shares };
}

/** A third of the triangles around each vertex. */
function measureAreas({ vertexCount, triangles, positions: x }: Surface): Float64Array {
  const areas = new Float64Array(vertexCount);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const area = measureTriangleArea(x, a, b, c) / 3;
    total += 3 * area;
    for (let i = t; i < t + 3; i++) areas[triangles[i]!]! += area;
  }
  const least = total > 0 ? (LEAST_AREA * total) / vertexCount : 1;
  return areas.map((area) => Math.max(area, least));
}

/** L + M H, lower triangle: the neighbours before each vertex, then itself. */
function assemble({ vertexCount, triangles, positions, neighbours }: Surface, inflow: Float64Array): SparseMatrix {
  const offsets = new Uint32Array(vertexCount + 1);
  const columns = new Uint32Array(neighbours.values.length / 2 + vertexCount);
  let used = 0;
  for (let i = 0; i < vertexCount; i++) {
    for (let n = neighbours.offsets[i]!; n < neighbours.offsets[i + 1]!; n++) {
      if (neighbours.values[n]! < i) columns[used++] = neighbours.values[n]!;
    }
    columns[used++] = i;
    offsets[i + 1] = used;
  }
  const values = new Float64Array(used);
  for (let corner = 0; corner < triangles.length; corner++) {
    const t = corner - (corner % 3);
    const i = triangles[t + ((corner + 1) % 3)]!;
    const j = triangles[t + ((corner + 2) % 3)]!;
    const high = Math.max(i, j);
    let entry = offsets[high]!;
    while (columns[entry] !== Math.min(i, j)) entry++;
    values[entry]! += cotangent(positions, 3 * triangles[corner]!, 3 * i, 3 * j) / 2;
  }
  for (let i = 0; i < vertexCount; i++) {
    const diagonal = offsets[i + 1]! - 1;
    values[diagonal]! += inflow[i]!;
    for (let n = offsets[i]!; n < diagonal; n++) {
      const stiffness = Math.min(MOST_STIFFNESS, Math.max(LEAST_STIFFNESS, values[n]!));
      values[n] = -stiffness;
      values[diagonal]! += stiffness;
      values[offsets[columns[n]! + 1]! - 1]! += stiffness;
    }
  }
  return { size: vertexCount, offsets, columns, values };
}

/** Cotangent of the angle at a in the triangle a, b, c; 0 for a triangle without area. */
function cotangent(x: Float64Array, a: number, b: number, c: number): number {
  let dot = 0;
  for (let r = 0; r < 3; r++) dot += (x[b + r]! - x[a + r]!) * (x[c + r]! - x[a + r]!);
  const area = measureTriangleArea(x, a, b, c);
  return area > 0 ? dot / (2 * area) : 0;
}
