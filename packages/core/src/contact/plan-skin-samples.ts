/**
 * F7. The skin as contact sees it: samples spread evenly over it, a share of the local thickness apart, and smooth weights that
 * carry what happens to the samples to the vertices.
 *
 *   f_k = Σ_s w_ks d_s,   w_ks ∝ (1 − |x̄_k − x̄_s|²/R_s²)²₊,   Σ_s w_ks = 1,   R_s = max(2 h t_s, 1.6 edges)
 *
 * t  local thickness;  h  spacing in thicknesses. A sample is a vertex; only vertices that are joined to it inside its ball
 * count, so nothing leaks from one finger to the next. Where edges are longer than the spacing every vertex is a sample.
 * So contact costs what the shape costs, not what the mesh costs. O(#V), at planning time.
 */
import type { Character } from '../character/character.js';
import { normalise, sumAreaVectors } from '../kernels/reference-kernels.js';
import { grow, transposeSparse } from '../linear-algebra/multiply-sparse.js';
import { measureTriangleArea } from '../mesh/cross.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { measureLength } from '../mesh/measure-length.js';
import { planClusters, spreadFromClusters } from '../mesh/plan-clusters.js';
import { type Csr, NO_COMPONENT, type Surface } from '../mesh/surface.js';
import { measureRestThickness, planThickness } from './measure-thickness.js';
import { type BallTree, findNearestPoint, measureBalls, planBallTree } from './plan-ball-tree.js';

/** Numbers with a share each: list k is values[e], shares[e] for e in offsets[k] … offsets[k+1] − 1. */
export interface Shares extends Csr {
  readonly shares: Float64Array;
}

export interface SkinSamples {
  readonly count: number;
  /** Balls around samples that lie together, which are numbered together. */
  readonly tree: BallTree;
  /** Vertex of each sample. */
  readonly vertices: Uint32Array;
  /** x̄ and outward unit normals at rest, #S×3. */
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  /** Area of skin that a sample stands for, and t. */
  readonly areas: Float64Array;
  readonly thickness: Float64Array;
  /** Mean length of the edges around a sample. */
  readonly edges: Float64Array;
  /** Sample on the other side of the flesh: nearest to x̄ − t n̄. */
  readonly opposites: Uint32Array;
  /** Sample → vertices that follow it, w_ks. */
  readonly carried: Shares;
  /** Sample → samples that it follows itself, with their weights at it, and samples that follow it; it is among both. */
  readonly around: Shares;
  readonly followers: Shares;
}

/** R in spacings: three rings of samples reach a vertex; below 1.5 the samples show as dents, above 3 the push is blunt. */
const REACH = 2;
/** … and at least the ring around a sample: a push of one vertex is a spike. */
const RING = 1.6;
/** Edges in spacings from which every vertex is a sample: to leave one out is a matter of luck there. */
const COARSE = 0.5;
/** Above this many vertices rays are cast from about so many seeds only: thickness is smooth. */
const SEEDS = 2000;
/** Sweeps of smoothing of the thickness: rays that just miss an edge jump. */
const SWEEPS = 3;

/** @param spacing h, in thicknesses */
export function planSkinSamples({ surface }: Character, spacing: number, slope: number): SkinSamples {
  const thickness = planSmoothThickness(surface, slope);
  const { areas, normals } = measureSkin(surface);
  const spread = spreadSamples(surface, thickness, spacing);
  const { tree, order } = planBallTree(spread, surface.positions, surface.vertexComponent);
  const seeds = Uint32Array.from(order, (s) => spread[s]!);
  const count = seeds.length;
  const carried = planCarried(surface, thickness, seeds, spacing);
  const positions = pickRows(surface.positions, seeds, 3);
  const sampleNormals = pickRows(normals, seeds, 3);
  const sampleThickness = pickRows(thickness, seeds, 1);
  const sampleAreas = new Float64Array(count);
  for (let s = 0; s < count; s++) {
    for (let e = carried.offsets[s]!; e < carried.offsets[s + 1]!; e++)
      sampleAreas[s]! += carried.shares[e]! * areas[carried.values[e]!]!;
  }
  return {
    count,
    tree,
    vertices: seeds,
    positions,
    normals: sampleNormals,
    areas: sampleAreas,
    thickness: sampleThickness,
    edges: Float64Array.from(seeds, (k) => measureEdge(surface, k)),
    opposites: listOpposites(tree, positions, sampleNormals, sampleThickness),
    carried,
    ...listAround(carried, seeds, surface.vertexCount),
  };
}

function planSmoothThickness(surface: Surface, slope: number): Float64Array {
  const { vertexCount, neighbours } = surface;
  const { offsets, values } = neighbours;
  const out = new Float64Array(vertexCount);
  if (vertexCount > SEEDS) {
    const clusters = planClusters(surface, SEEDS);
    const only = new Uint8Array(vertexCount);
    for (const k of clusters.seeds) only[k] = 1;
    measureRestThickness(out, planThickness(surface), only);
    return spreadFromClusters(clusters, limitSlope(surface, clusters.seeds, out, slope));
  }
  measureRestThickness(out, planThickness(surface));
  for (let n = 0; n < SWEEPS; n++) {
    const before = out.slice();
    for (let k = 0; k < vertexCount; k++) {
      const ring = offsets[k + 1]! - offsets[k]!;
      let sum = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += before[values[e]!]!;
      if (ring > 0) out[k] = 0.5 * before[k]! + (0.5 * sum) / ring;
    }
  }
  return limitSlope(surface, Uint32Array.from(out.keys()), out, slope);
}

/** min_j t_j + slope |x̄_k − x̄_j| over the vertices of the same component: beside something thin skin counts as thin. */
function limitSlope({ positions: x, vertexComponent }: Surface, list: Uint32Array, t: Float64Array, slope: number) {
  const thinnest = list.filter((j) => t[j]! > 0).sort((a, b) => t[a]! - t[b]!);
  const out = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const k = list[i]!;
    let least = t[k]!;
    for (let n = 0; n < thinnest.length; n++) {
      const j = thinnest[n]!;
      const thin = t[j]!;
      if (!(thin < least)) break;
      const dx = x[3 * j]! - x[3 * k]!;
      const dy = x[3 * j + 1]! - x[3 * k + 1]!;
      const dz = x[3 * j + 2]! - x[3 * k + 2]!;
      const left = (least - thin) / slope;
      if (dx * dx + dy * dy + dz * dz > left * left * (1 + 1e-9) || vertexComponent[j] !== vertexComponent[k]) continue;
      least = Math.min(least, thin + slope * measureLength(dx, dy, dz));
    }
    out[i] = least;
  }
  return out;
}

/** Rows of `size` numbers each, of these vertices. */
function pickRows(values: Float64Array, vertices: Uint32Array, size: number): Float64Array {
  const out = new Float64Array(size * vertices.length);
  for (let s = 0; s < vertices.length; s++)
    for (let r = 0; r < size; r++) out[size * s + r] = values[size * vertices[s]! + r]!;
  return out;
}

/** A third of the area of the triangles around every vertex, and unit normals. */
function measureSkin({ vertexCount, triangles, positions: x }: Surface) {
  const areas = new Float64Array(vertexCount);
  const normals = new Float64Array(3 * vertexCount);
  for (let t = 0; t < triangles.length; t += 3) {
    const third = measureTriangleArea(x, 3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!) / 3;
    for (let c = t; c < t + 3; c++) areas[triangles[c]!]! += third;
  }
  sumAreaVectors(normals, x, triangles, triangles.length / 3, vertexCount);
  normalise(normals, normals, 0, vertexCount);
  return { areas, normals };
}

function measureEdge({ neighbours, positions: x }: Surface, k: number): number {
  const { offsets, values } = neighbours;
  let sum = 0;
  for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
    sum += measureDistance(x, values[e]!, k);
  }
  return sum / Math.max(1, offsets[k + 1]! - offsets[k]!);
}

/** Memory of a walk over the surface: who saw a vertex last, those that are found, and how far they are, squared. */
interface Walk {
  readonly seen: Int32Array;
  readonly queue: Uint32Array;
  readonly squares: Float64Array;
}

function createWalk(count: number): Walk {
  return { seen: new Int32Array(count).fill(-1), queue: new Uint32Array(count), squares: new Float64Array(count) };
}

/** Lists the vertices within `reach` of vertex k that are joined to it inside that ball in the queue, and returns how many. */
function listBall(
  { neighbours, positions: x }: Surface,
  k: number,
  reach: number,
  { seen, queue, squares }: Walk,
): number {
  const { offsets, values } = neighbours;
  const limit = reach * reach;
  let tail = 1;
  queue[0] = k;
  squares[0] = 0;
  seen[k] = k;
  for (let head = 0; head < tail; head++) {
    const i = queue[head]!;
    for (let e = offsets[i]!; e < offsets[i + 1]!; e++) {
      const j = values[e]!;
      if (seen[j] === k) continue;
      seen[j] = k;
      const square =
        (x[3 * j]! - x[3 * k]!) ** 2 + (x[3 * j + 1]! - x[3 * k + 1]!) ** 2 + (x[3 * j + 2]! - x[3 * k + 2]!) ** 2;
      if (square >= limit) continue;
      queue[tail] = j;
      squares[tail++] = square;
    }
  }
  return tail;
}

/** Greedy: a vertex that no sample covers yet becomes one. Flat cards and vertices without a body are left out. */
function spreadSamples(surface: Surface, thickness: Float64Array, spacing: number): Uint32Array {
  const { vertexCount, vertexComponent, components } = surface;
  const covered = new Uint8Array(vertexCount);
  const walk = createWalk(vertexCount);
  const seeds: number[] = [];
  for (let k = 0; k < vertexCount; k++) {
    const c = vertexComponent[k]!;
    if (covered[k] || c === NO_COMPONENT || !components[c]!.solid || !(thickness[k]! > 0)) continue;
    seeds.push(k);
    const reach = spacing * thickness[k]!;
    if (measureEdge(surface, k) > COARSE * reach) continue; // every vertex counts
    const found = listBall(surface, k, reach, walk);
    for (let n = 0; n < found; n++) covered[walk.queue[n]!] = 1;
  }
  return Uint32Array.from(seeds);
}

function planCarried(surface: Surface, thickness: Float64Array, seeds: Uint32Array, spacing: number): Shares {
  const walk = createWalk(surface.vertexCount);
  const sums = new Float64Array(surface.vertexCount);
  const offsets = new Uint32Array(seeds.length + 1);
  let values = new Uint32Array(16 * seeds.length);
  let shares = new Float64Array(values.length);
  let end = 0;
  for (let s = 0; s < seeds.length; s++) {
    const k = seeds[s]!;
    const reach = Math.max(REACH * spacing * thickness[k]!, RING * measureEdge(surface, k));
    const found = listBall(surface, k, reach, walk);
    while (end + found > values.length) [values, shares] = [grow(values), grow(shares)];
    for (let n = 0; n < found; n++) {
      const share = (1 - walk.squares[n]! / (reach * reach)) ** 2;
      values[end] = walk.queue[n]!;
      shares[end++] = share;
      sums[walk.queue[n]!]! += share;
    }
    offsets[s + 1] = end;
  }
  for (let e = 0; e < end; e++) shares[e]! /= sums[values[e]!]!;
  return { offsets, values: values.slice(0, end), shares: shares.slice(0, end) };
}

/** The weights between the samples themselves: of every sample those that follow it, and those that it follows. */
function listAround({ offsets, values, shares }: Shares, seeds: Uint32Array, vertexCount: number) {
  const count = seeds.length;
  const sampleOf = new Int32Array(vertexCount).fill(-1);
  for (let s = 0; s < count; s++) sampleOf[seeds[s]!] = s;
  const starts = new Uint32Array(count + 1);
  const list = new Uint32Array(values.length);
  const weights = new Float64Array(values.length);
  let end = 0;
  for (let s = 0; s < count; s++) {
    for (let e = offsets[s]!; e < offsets[s + 1]!; e++) {
      const k = sampleOf[values[e]!]!;
      if (k < 0) continue;
      list[end] = k;
      weights[end++] = shares[e]!;
    }
    starts[s + 1] = end;
  }
  const followers = { offsets: starts, values: list.slice(0, end), shares: weights.slice(0, end) };
  return { followers, around: transposeSparse(followers, count) };
}

function listOpposites(tree: BallTree, x: Float64Array, n: Float64Array, thickness: Float64Array): Uint32Array {
  measureBalls(tree, x);
  return Uint32Array.from(thickness, (t, s) =>
    findNearestPoint(
      tree,
      x,
      x[3 * s]! - t * n[3 * s]!,
      x[3 * s + 1]! - t * n[3 * s + 1]!,
      x[3 * s + 2]! - t * n[3 * s + 2]!,
    ),
  );
}
