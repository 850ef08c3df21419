/**
 * A coarse picture of a fine surface: a few thousand seeds, spread evenly over it, and smooth weights that carry values from
 * the seeds to the vertices.
 *
 *   value_k = Σ_c w_kc value_c,   w_kc ∝ (1 − (d_kc/R)²)²₊   over the seeds c whose clusters touch k's own
 *
 * Planning works on the seeds where it would be slow on a million vertices: smooth things need no more. Only clusters that are
 * neighbours on the surface count, so nothing leaks from one finger to the next. O(#V).
 */
import { measureBox } from './measure-box.js';
import type { Csr, Surface } from './surface.js';

export interface Clusters {
  readonly count: number;
  /** Vertex of each seed. */
  readonly seeds: Uint32Array;
  /** Cluster of each vertex. */
  readonly clusterOf: Uint32Array;
  /** Cluster → clusters that touch it. */
  readonly neighbours: Csr;
  /** Vertex → clusters (`values`) and their weights, which sum to 1. */
  readonly weights: Csr & { readonly shares: Float64Array };
  /** Of places that parts share (plan-layers.ts), #V: 1 where a vertex's part holds flesh. */
  readonly carries?: Uint8Array;
}

/** Above this many vertices planning looks at clusters. */
const FINE = 4_500;
/** About how many, at most; and the fewest vertices that they have, a seed and those beside it. */
const SEEDS = 6_000;
const LEAST = 3.6;

/** What planning looks at where it need not look at every vertex; undefined where these are few. */
export function planCoarseClusters(surface: Surface): Clusters | undefined {
  const { vertexCount } = surface;
  return vertexCount > FINE ? planClusters(surface, Math.min(SEEDS, vertexCount / LEAST)) : undefined;
}

/** @param wanted about how many clusters */
export function planClusters(surface: Surface, wanted: number): Clusters {
  const { vertexCount, neighbours } = surface;
  // Seeds at least `radius` edges apart; a disk of that radius holds about 0.9 radius² cells' worth of vertices.
  const radius = Math.max(1, Math.round(Math.sqrt(vertexCount / wanted / 0.9)));
  const { seeds, clusterOf } = spreadSeeds(surface, radius);
  const touching = listTouching(clusterOf, neighbours, seeds.length);
  let weights: Clusters['weights'] | undefined;
  return {
    count: seeds.length,
    seeds,
    clusterOf,
    neighbours: touching,
    get weights() {
      return (weights ??= weigh(surface, seeds, clusterOf, touching)); // patches of skin need none
    },
  };
}

/**
 * Greedy seeds from the middle of the box outwards, both of two mirror images at once, so that vertices in another order and mirror images get the same
 * ones; then the vertices around them by breadth-first search from all seeds at once.
 */
function spreadSeeds({ vertexCount, neighbours, positions, signs }: Surface, radius: number) {
  const { offsets, values } = neighbours;
  const covered = new Int32Array(vertexCount).fill(-1);
  const depth = new Uint16Array(vertexCount);
  const queue = new Uint32Array(vertexCount);
  const seeds: number[] = [];
  const isFree = (k: number) => covered[k] === -1;
  takeOutwards({ positions, signs }, isFree, (first) => {
    const seed = seeds.length;
    seeds.push(first);
    let head = 0;
    let tail = 0;
    queue[tail++] = first;
    covered[first] = seed;
    depth[first] = 0;
    while (head < tail) {
      const k = queue[head++]!;
      if (depth[k]! + 1 >= radius) continue;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
        const j = values[e]!;
        if (covered[j] !== -1) continue;
        covered[j] = seed;
        depth[j] = depth[k]! + 1;
        queue[tail++] = j;
      }
    }
  });
  const clusterOf = new Uint32Array(vertexCount).fill(0xffffffff);
  let tail = 0;
  for (const [seed, k] of seeds.entries()) {
    clusterOf[k] = seed;
    queue[tail++] = k;
  }
  for (let head = 0; head < tail; head++) {
    const k = queue[head]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const j = values[e]!;
      if (clusterOf[j] !== 0xffffffff) continue;
      clusterOf[j] = clusterOf[k]!;
      queue[tail++] = j;
    }
  }
  return { seeds: Uint32Array.from(seeds), clusterOf };
}

/** How far from the middle of the box a vertex is, uneven: only mirror images are as far as each other. Their largest, too. */
export function measureKeys(x: Float64Array): { keys: Float64Array; largest: number } {
  const box = measureBox(x);
  const keys = new Float64Array(x.length / 3);
  let largest = 0;
  for (let k = 0; k < keys.length; k++) {
    for (let r = 0; r < 3; r++) keys[k]! += KEY_FACTORS[r]! * (x[3 * k + r]! - (box[r]! + box[r + 3]!) / 2) ** 2;
    largest = Math.max(largest, keys[k]!);
  }
  return { keys, largest };
}
const KEY_FACTORS = [1, 1.37, 0.71];
const KEY_STEPS = 2 ** 28;

/** Takes vertices from the middle of the box outwards while they are free; of mirror images, both or none. */
export function takeOutwards(
  { positions: x, signs }: Placed,
  isFree: (vertex: number) => boolean,
  take: (vertex: number) => void,
): void {
  const { keys, largest } = measureKeys(x);
  // Sorted as numbers, which is fast: the key in steps, then the vertex.
  const place = 2 ** 24;
  for (let k = 0; k < keys.length; k++) keys[k] = Math.round((KEY_STEPS * keys[k]!) / (largest || 1)) * place + k;
  keys.sort();
  const free: number[] = [];
  for (let n = 0; n < keys.length; ) {
    const step = Math.floor(keys[n]! / place);
    free.length = 0;
    for (; n < keys.length && Math.floor(keys[n]! / place) === step; n++) {
      const k = keys[n]! % place;
      if (isFree(k)) free.push(k);
    }
    if (free.length > 1) free.sort((a, b) => comparePlaces(x, a, b, signs));
    for (const k of free) take(k);
  }
}

/** Positions, and the way in which ties along each axis are broken. */
export interface Placed {
  readonly positions: Float64Array;
  readonly signs?: Surface['signs'] | undefined;
}

/** Orders vertices by position, so that their order in the file decides nothing. @param signs of the surface */
export function comparePlaces(x: Float64Array, a: number, b: number, signs: Surface['signs'] = UNSIGNED): number {
  for (let r = 0; r < 3; r++) {
    const difference = signs[r]! * (x[3 * a + r]! - x[3 * b + r]!);
    if (difference !== 0) return difference;
  }
  return 0;
}
const UNSIGNED = [1, 1, 1];

export function listTouching(clusterOf: Uint32Array, { offsets, values }: Csr, count: number): Csr {
  const sets: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (let k = 0; k < clusterOf.length; k++) {
    const own = clusterOf[k]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
      if (clusterOf[values[e]!] !== own) sets[own]!.add(clusterOf[values[e]!]!);
  }
  const out = new Uint32Array(count + 1);
  for (let c = 0; c < count; c++) out[c + 1] = out[c]! + sets[c]!.size;
  const list = new Uint32Array(out[count]!);
  for (let c = 0; c < count; c++)
    list.set(
      [...sets[c]!].sort((a, b) => a - b),
      out[c]!,
    );
  return { offsets: out, values: list };
}

function weigh({ vertexCount, positions: x }: Surface, seeds: Uint32Array, clusterOf: Uint32Array, touching: Csr) {
  // R² of a cluster: that of the farthest of its neighbours' seeds.
  const reach = Float64Array.from(seeds, (k, c) => {
    let far = 0;
    for (let e = touching.offsets[c]!; e < touching.offsets[c + 1]!; e++)
      far = Math.max(far, measureSquare(x, k, seeds[touching.values[e]!]!));
    return far || 1;
  });
  const offsets = new Uint32Array(vertexCount + 1);
  for (let k = 0; k < vertexCount; k++) {
    const c = clusterOf[k]!;
    offsets[k + 1] = offsets[k]! + 1 + touching.offsets[c + 1]! - touching.offsets[c]!;
  }
  const values = new Uint32Array(offsets[vertexCount]!);
  const shares = new Float64Array(offsets[vertexCount]!);
  for (let k = 0; k < vertexCount; k++) {
    const own = clusterOf[k]!;
    const first = touching.offsets[own]! - 1; // its own cluster before those that it touches
    let at = offsets[k]!;
    let sum = 0;
    for (let e = first; e < touching.offsets[own + 1]!; e++) {
      const c = e === first ? own : touching.values[e]!;
      const left = Math.max(0, 1 - measureSquare(x, k, seeds[c]!) / reach[c]!);
      const w = left * left;
      values[at] = c;
      shares[at++] = w;
      sum += w;
    }
    if (sum > 0) for (let i = offsets[k]!; i < at; i++) shares[i]! /= sum;
    else shares[offsets[k]!] = 1;
  }
  return { offsets, values, shares };
}

/** |x_k − x_j|². */
function measureSquare(x: Float64Array, k: number, j: number): number {
  const dx = x[3 * k]! - x[3 * j]!;
  const dy = x[3 * k + 1]! - x[3 * j + 1]!;
  const dz = x[3 * k + 2]! - x[3 * j + 2]!;
  return dx * dx + dy * dy + dz * dz;
}

/** Values of the seeds carried to all vertices. */
export function spreadFromClusters(clusters: Clusters, seedValues: ArrayLike<number>): Float64Array {
  const { offsets, values, shares } = clusters.weights;
  const out = new Float64Array(offsets.length - 1);
  for (let k = 0; k < out.length; k++) {
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += shares[e]! * seedValues[values[e]!]!;
    out[k] = sum;
  }
  return out;
}
