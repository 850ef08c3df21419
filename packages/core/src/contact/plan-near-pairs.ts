/**
 * F7. Which pairs of samples are to be looked at in a pose. Pairs that are near at rest, most of all near pairs, are planned, in a list for
 * every set of bones that carries them, in the order in which the bones can bring them together: where bones have hardly moved against
 * each other the list ends at once. All other pairs are found by the balls around them.
 *
 *   |x_k − x_j| ≥ D̄ cos ½θ − ω (θℓ + s) ≥ D̄ (1 − m²/8ℓ²) − ω m,   m = θℓ + s:   m ≥ m_kj before it is less than r_kj
 *
 * D̄  distance at rest;  r  distance at which a pair begins to count;  ω = ½ Σ_b |w_kb − w_jb|;  θ, s  angle and shift of two bones of the set
 * against each other, at the centre of all that both carry;  ℓ  largest distance from there. O(#S + pairs) per frame, nothing is allocated.
 */
import type { Character } from '../character/character.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { measureBalls, visitNearLeaves } from './plan-ball-tree.js';
import { type BonePairs, measureMotions, planBonePairs } from './plan-bone-pairs.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface NearPairs {
  /** Finds the pairs that may touch of samples at `points`, #S×3, carried by `bones`. */
  find(points: Float64Array, bones: Float64Array): void;
  /** Pairs found: three times the numbers of k and j, and 1/r² of the distance at which they begin to count. */
  readonly count: number;
  readonly pairs: Uint32Array;
  readonly inverses: Float64Array;
}

/** A bone counts for a sample if it carries a tenth of it; what lighter ones do is less than the slack. */
const LIGHT = 0.25;
/** Pairs are passed on from a little further than they count: the first round may push them nearer. */
export const WIDER = 1.05;
/** Pairs that there is room for, per sample; what is beyond is left alone. A fist has 6. */
export const MOST_PAIRS = 64;

/** Pairs under the same bones: k and j, the distance at which they begin to count, and |x̄_k − x̄_j|. */
interface ListedPairs {
  readonly pairs: number[];
  readonly ranges: number[];
  readonly distances: number[];
}

/** What the search reads. */
export interface NearLists {
  readonly lists: readonly PairList[];
  readonly motions: BonePairs;
  /** Pairs of nodes that do not meet at rest: all that is not listed. */
  readonly far: readonly number[];
  /** Of every node: the largest reach of its samples. */
  readonly reaches: Float64Array;
  /** Distance at which two samples begin to count, ≤ 0: never. */
  readonly range: (k: number, j: number) => number;
}

/** @param radii reach of every sample */
export function planNearLists(
  character: Character,
  samples: SkinSamples,
  radii: Float64Array,
  range: NearLists['range'],
): NearLists {
  const { tree, positions } = samples;
  const { starts, ends } = tree;
  const reaches = Float64Array.from(starts, (from, n) =>
    radii.subarray(from, ends[n]!).reduce((a, b) => Math.max(a, b), 0),
  );
  const sets = new Map<string, ListedPairs>();
  const setOf = planSetFinder(sets, listBones(character, samples));
  const far: number[] = [];
  measureBalls(tree, positions);
  visitNearLeaves(
    tree,
    reaches,
    (a, b) => {
      for (let k = starts[a]!; k < ends[a]!; k++)
        for (let j = a === b ? k + 1 : starts[b]!; j < ends[b]!; j++) listPair(k, j);
    },
    undefined,
    (a, b) => far.push(a, b),
  );
  const motions = planBonePairs(sets, positions);
  const lists = Array.from(sets, ([bones, set]) =>
    flattenSet(motions.linksOf(bones), set, motions, character, samples),
  );
  return { lists, motions, far, reaches, range };

  function listPair(k: number, j: number): void {
    const r = range(k, j);
    if (!(r > 0)) return;
    const set = setOf(k, j);
    if (!set) return;
    set.pairs.push(k, j);
    set.ranges.push(r);
    set.distances.push(measureDistance(positions, k, j));
  }
}

/** The set of two samples, made when it is first asked for; undefined where one bone carries both. */
function planSetFinder(sets: Map<string, ListedPairs>, bonesOf: readonly number[][]) {
  // Samples under the same bones are of one kind: few kinds meet, many samples do.
  const kinds = new Map<string, number>();
  const kindOf = Uint32Array.from(bonesOf, (bones) => {
    const kind = kinds.get(bones.join()) ?? kinds.size;
    kinds.set(bones.join(), kind);
    return kind;
  });
  const known = new Map<number, ListedPairs | undefined>();
  return (k: number, j: number): ListedPairs | undefined => {
    const key = kindOf[k]! * kinds.size + kindOf[j]!;
    const found = known.get(key);
    if (found || known.has(key)) return found;
    const bones = [...new Set([...bonesOf[k]!, ...bonesOf[j]!])].sort((p, q) => p - q);
    const name = bones.join();
    const set = bones.length < 2 ? undefined : (sets.get(name) ?? { pairs: [], ranges: [], distances: [] });
    if (set) sets.set(name, set);
    known.set(key, set);
    return set;
  };
}

export function planNearPairs({ tree, positions, count: sampleCount }: SkinSamples, near: NearLists): NearPairs {
  const { lists, motions, far, reaches, range } = near;
  const { starts, ends, balls } = tree;
  const found = new Uint32Array(2 * MOST_PAIRS * sampleCount);
  const inverses = new Float64Array(MOST_PAIRS * sampleCount);
  let count = 0;
  let x = positions;

  function visitLeaves(a: number, b: number): void {
    const reach = WIDER * Math.min(reaches[a]!, reaches[b]!);
    const ball = balls[4 * b + 3]! + reach;
    const points = x;
    for (let k = starts[a]!; k < ends[a]!; k++) {
      const px = points[3 * k]!;
      const py = points[3 * k + 1]!;
      const pz = points[3 * k + 2]!;
      if ((px - balls[4 * b]!) ** 2 + (py - balls[4 * b + 1]!) ** 2 + (pz - balls[4 * b + 2]!) ** 2 > ball * ball)
        continue;
      for (let j = starts[b]!; j < ends[b]!; j++) {
        const dx = px - points[3 * j]!;
        const dy = py - points[3 * j + 1]!;
        const dz = pz - points[3 * j + 2]!;
        const square = dx * dx + dy * dy + dz * dz;
        if (square >= reach * reach) continue;
        const r = range(k, j);
        if (r > 0 && square < (WIDER * r) ** 2 && count < inverses.length) {
          found[2 * count] = 3 * k;
          found[2 * count + 1] = 3 * j;
          inverses[count++] = 1 / (r * r);
        }
      }
    }
  }
  function visitList(list: PairList): void {
    const { links, levers } = list;
    let motion = 0;
    for (let i = 0; i < links.length; i++) {
      const most = motions.turns[links[i]!]! * levers[i]! + motions.shifts[links[i]!]!;
      if (most > motion) motion = most;
    }
    if (list.keys[0]! < motion) count = gatherNear(found, inverses, count, x, list, motion);
  }
  return {
    pairs: found,
    inverses,
    get count() {
      return count;
    },
    find(points, bones) {
      x = points;
      count = 0;
      measureMotions(motions, bones);
      for (let n = 0; n < lists.length; n++) visitList(lists[n]!);
      measureBalls(tree, points);
      visitNearLeaves(tree, reaches, visitLeaves, far);
    },
  };
}

export type PairList = ReturnType<typeof flattenSet>;

/** A set as flat arrays, in the order in which motion of its bones can bring pairs together. */
function flattenSet(
  links: Uint32Array,
  { pairs, ranges, distances }: ListedPairs,
  { centres }: BonePairs,
  { binding }: Character,
  { positions: x, vertices }: SkinSamples,
) {
  const levers = Float64Array.from(links, (link) => measureLever(pairs, x, centres, 3 * link));
  const lever = Math.min(...levers);
  const count = ranges.length;
  const keys = new Float64Array(count);
  for (let n = 0; n < count; n++) {
    const gap = Math.max(0, distances[n]! - WIDER * ranges[n]!);
    const apart = measureDifference(binding, vertices[pairs[2 * n]!]!, vertices[pairs[2 * n + 1]!]!);
    keys[n] = (2 * gap) / (apart + Math.sqrt(apart * apart + (0.5 * distances[n]! * gap) / (lever * lever)) || 1);
  }
  const sorted = keys.slice().sort();
  const taken = new Uint32Array(count); // of equal keys, from the first on
  const out = { links, levers, keys: sorted, pairs: new Uint32Array(2 * count), inverses: new Float64Array(count) };
  for (let n = 0; n < count; n++) {
    const first = countBelow(sorted, keys[n]!);
    const at = first + taken[first]!++;
    out.pairs[2 * at] = 3 * pairs[2 * n]!;
    out.pairs[2 * at + 1] = 3 * pairs[2 * n + 1]!;
    out.inverses[at] = 1 / (ranges[n]! * ranges[n]!);
  }
  return out;
}

/** ℓ from the centre at `c`. */
function measureLever(pairs: readonly number[], x: Float64Array, centres: Float64Array, c: number): number {
  let most = 1e-60;
  for (let n = 0; n < pairs.length; n += 2)
    most = Math.max(
      most,
      Math.min(measureSquare(x, 3 * pairs[n]!, centres, c), measureSquare(x, 3 * pairs[n + 1]!, centres, c)),
    );
  return Math.sqrt(most);
}

function measureSquare(x: Float64Array, i: number, y: Float64Array, j: number): number {
  return (x[i]! - y[j]!) ** 2 + (x[i + 1]! - y[j + 1]!) ** 2 + (x[i + 2]! - y[j + 2]!) ** 2;
}

/** Appends the pairs of a list that `motion` may have brought near, and has, and returns how many there are now. */
function gatherNear(
  found: Uint32Array,
  ranges: Float64Array,
  count: number,
  x: Float64Array,
  { keys, pairs, inverses }: PairList,
  motion: number,
): number {
  const end = Math.min(countBelow(keys, motion), ranges.length - count);
  let n = count;
  for (let i = 0; i < end; i++) {
    const a = pairs[2 * i]!;
    const b = pairs[2 * i + 1]!;
    const dx = x[a]! - x[b]!;
    const dy = x[a + 1]! - x[b + 1]!;
    const dz = x[a + 2]! - x[b + 2]!;
    const inverse = inverses[i]!;
    if ((dx * dx + dy * dy + dz * dz) * inverse >= WIDER * WIDER) continue;
    found[2 * n] = a;
    found[2 * n + 1] = b;
    ranges[n++] = inverse;
  }
  return n;
}

/** How many of the ascending `keys` are below `limit`. */
function countBelow(keys: Float64Array, limit: number): number {
  let high = keys.length;
  let low = keys[high - 1]! < limit ? high : 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** ½ Σ_b |w_kb − w_jb| of two vertices. */
function measureDifference({ offsets, bones, weights }: Character['binding'], k: number, j: number): number {
  let alike = 0;
  for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
    for (let f = offsets[j]!; f < offsets[j + 1]!; f++)
      if (bones[e] === bones[f]) alike += Math.min(weights[e]!, weights[f]!);
  return Math.max(0, 1 - alike);
}

function listBones({ binding }: Character, { vertices }: SkinSamples): number[][] {
  return Array.from(vertices, (k) => {
    const bones: number[] = [];
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++)
      if (binding.weights[e]! >= LIGHT) bones.push(binding.bones[e]!);
    return bones;
  });
}
