/**
 * F7. Which pairs of samples are to be looked at in a pose. Pairs that are near at rest, most of all near pairs, are planned, in two
 * lists for every set of bones that carries them: those that the bones must turn by an angle θ before they look at each other, and
 * those that look at each other already but must come closer. Where bones have hardly moved against each other both lists end at
 * once. All other pairs are found by the balls around them.
 *
 *   θ > ½π − ∠(n̄_k, n̄_j) − slack        θ max ℓ + shift > D̄_kj − r_kj
 *
 * shift  of the set's centre c by one bone against another;  ℓ = min(|x̄_k − c|, |x̄_j − c|);  D̄  distance at rest;  r  distance at
 * which a pair begins to count. O(#S + pairs) per frame, nothing is allocated.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { type BallTree, keyOf, measureBalls, reachEachOther, visitNearLeaves } from './plan-ball-tree.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface NearPairs {
  /** k, j of the pairs that may touch, and the distance at which each begins to count. */
  readonly pairs: Uint32Array;
  readonly ranges: Float64Array;
  readonly count: number;
  /** Finds them for samples at `points`, #S×3, carried by `bones`. */
  find(points: Float64Array, bones: Float64Array): void;
}

/** Pairs that there is room for, per sample; what is beyond is left alone. A fist has 15. */
const MOST_PAIRS = 64;

/** A bone counts for a sample if it carries a tenth of it; what lighter ones do is less than the slack. */
const LIGHT = 0.25;
/** Radians by which normals may turn further than their bones. */
const SLACK = 0.1;
/** Pairs are passed on from a little further than they count: the first round may push them nearer. */
const WIDER = 1.15;

interface ListedPair {
  readonly k: number;
  readonly j: number;
  /** Least θ, D̄ − r and r. */
  readonly turn: number;
  readonly gap: number;
  readonly range: number;
}

/** Pairs of samples that the same bones carry. */
interface BoneSet {
  readonly bones: readonly number[];
  readonly pairs: ListedPair[];
}

/**
 * @param radii reach of every sample
 * @param range distance at which two samples begin to count, ≤ 0: never
 */
export function planNearPairs(
  character: Character,
  samples: SkinSamples,
  radii: Float64Array,
  range: (k: number, j: number) => number,
): NearPairs {
  const { tree, positions } = samples;
  const { starts, ends, balls } = tree;
  const reaches = Float64Array.from(starts, (from, n) =>
    radii.subarray(from, ends[n]!).reduce((a, b) => Math.max(a, b), 0),
  );
  const known = new Set<number>();
  const sets = new Map<string, BoneSet>();
  const bonesOf = listBones(character, samples);
  measureBalls(tree, positions);
  visitNearLeaves(tree, reaches, (a, b) => {
    known.add(keyOf(tree, a, b));
    for (let k = starts[a]!; k < ends[a]!; k++)
      for (let j = a === b ? k + 1 : starts[b]!; j < ends[b]!; j++)
        listPair(sets, bonesOf, measureListed(samples, range(k, j), k, j));
  });
  for (const root of tree.roots) coverPair(known, tree, reaches, root, root);
  const lists = Array.from(sets.values(), (set) => flattenSet(set, samples));
  const found = new Uint32Array(2 * MOST_PAIRS * samples.count);
  const ranges = new Float64Array(MOST_PAIRS * samples.count);
  const now = new Float64Array(2);
  let count = 0;
  let x = positions;

  function add(k: number, j: number, r: number): void {
    if (!(r > 0) || count === ranges.length) return;
    found[2 * count] = k;
    found[2 * count + 1] = j;
    ranges[count++] = r;
  }
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
        if (square < (WIDER * r) ** 2) add(k, j, r);
      }
    }
  }
  function visitList({ keys, pairs, ranges: listed, squares }: PairList, limit: number): void {
    const end = countBelow(keys, limit);
    const points = x;
    for (let i = 0; i < end; i++) {
      const a = pairs[2 * i]!;
      const b = pairs[2 * i + 1]!;
      const dx = points[a]! - points[b]!;
      const dy = points[a + 1]! - points[b + 1]!;
      const dz = points[a + 2]! - points[b + 2]!;
      if (dx * dx + dy * dy + dz * dz < squares[i]!) add(a / 3, b / 3, listed[i]!);
    }
  }
  return {
    pairs: found,
    ranges,
    get count() {
      return count;
    },
    find(points, bones) {
      x = points;
      count = 0;
      for (let n = 0; n < lists.length; n++) {
        measureTurn(now, lists[n]!, bones);
        visitList(lists[n]!.turning, now[0]!);
        visitList(lists[n]!.facing, now[0]! * lists[n]!.lever + now[1]!);
      }
      measureBalls(tree, points);
      visitNearLeaves(tree, reaches, visitLeaves, known);
    },
  };
}

function listPair(sets: Map<string, BoneSet>, bonesOf: number[][], pair: ListedPair): void {
  if (pair.range <= 0) return;
  const bones = [...new Set([...bonesOf[pair.k]!, ...bonesOf[pair.j]!])].sort((p, q) => p - q);
  if (bones.length < 2) return;
  const key = bones.join();
  const set = sets.get(key) ?? { bones, pairs: [] };
  sets.set(key, set);
  set.pairs.push(pair);
}

type FlatSet = ReturnType<typeof flattenSet>;

/** A set as flat arrays, bones by their place among the matrices. */
function flattenSet({ bones, pairs }: BoneSet, { positions: x }: SkinSamples) {
  const centre = new Float64Array(3);
  for (const { k, j } of pairs)
    for (let r = 0; r < 3; r++) centre[r]! += (x[3 * k + r]! + x[3 * j + r]!) / (2 * pairs.length);
  const measureLever = (k: number): number =>
    Math.hypot(x[3 * k]! - centre[0]!, x[3 * k + 1]! - centre[1]!, x[3 * k + 2]! - centre[2]!);
  return {
    bones: Uint32Array.from(bones, (bone) => BONE_STRIDE * bone),
    centre,
    lever: pairs.reduce((most, { k, j }) => Math.max(most, Math.min(measureLever(k), measureLever(j))), 0),
    turning: flattenPairs(pairs, true),
    facing: flattenPairs(pairs, false),
  };
}

type PairList = ReturnType<typeof flattenPairs>;

/** Pairs that must turn to look at each other by their turns, or those that do already by their gaps. */
function flattenPairs(pairs: readonly ListedPair[], turning: boolean) {
  const key = ({ turn, gap }: ListedPair): number => (turning ? turn : gap);
  const sorted = pairs.filter(({ turn }) => turn > 0 === turning).sort((p, q) => key(p) - key(q));
  return {
    keys: Float64Array.from(sorted, key),
    pairs: Uint32Array.from(sorted.flatMap(({ k, j }) => [3 * k, 3 * j])),
    ranges: Float64Array.from(sorted, ({ range }) => range),
    squares: Float64Array.from(sorted, ({ range }) => (WIDER * range) ** 2),
  };
}

/** Largest angle and shift of the bones of a set against each other: |A − B|² = 8 sin² ½θ for two rotations. */
function measureTurn(out: Float64Array, { bones, centre }: FlatSet, matrices: Float64Array): void {
  const cx = centre[0]!;
  const cy = centre[1]!;
  const cz = centre[2]!;
  let farthest = 0;
  let widest = 0;
  for (let i = 1; i < bones.length; i++) {
    const a = bones[i]!;
    for (let j = 0; j < i; j++) {
      const b = bones[j]!;
      let square = 0;
      let shift = 0;
      for (let r = 0; r < 3; r++) {
        const u = matrices[a + r]! - matrices[b + r]!;
        const v = matrices[a + 3 + r]! - matrices[b + 3 + r]!;
        const w = matrices[a + 6 + r]! - matrices[b + 6 + r]!;
        const d = matrices[a + 9 + r]! - matrices[b + 9 + r]! + u * cx + v * cy + w * cz;
        square += u * u + v * v + w * w;
        shift += d * d;
      }
      if (square > widest) widest = square;
      if (shift > farthest) farthest = shift;
    }
  }
  out[0] = 2 * Math.asin(Math.min(1, Math.sqrt(widest / 8)));
  out[1] = Math.sqrt(farthest);
}

function listBones({ binding }: Character, { vertices }: SkinSamples): number[][] {
  return Array.from(vertices, (k) => {
    const bones: number[] = [];
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++)
      if (binding.weights[e]! >= LIGHT) bones.push(binding.bones[e]!);
    return bones;
  });
}

function measureListed({ positions: x, normals: n }: SkinSamples, range: number, k: number, j: number): ListedPair {
  const [p, q] = [3 * k, 3 * j];
  const distance = Math.hypot(x[p]! - x[q]!, x[p + 1]! - x[q + 1]!, x[p + 2]! - x[q + 2]!);
  const along = n[p]! * n[q]! + n[p + 1]! * n[q + 1]! + n[p + 2]! * n[q + 2]!;
  const turn = Math.asin(Math.max(-1, Math.min(1, along))) - SLACK;
  return { k, j, turn, gap: distance - range, range };
}

/** How many of the ascending `values` lie below `limit`. */
function countBelow(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds pairs of inner nodes whose leaves are all known, down from one pair: the search need not go down there. */
function coverPair(known: Set<number>, tree: BallTree, reaches: Float64Array, a: number, b: number): boolean {
  const [secondA, secondB] = [tree.seconds[a]!, tree.seconds[b]!];
  if (secondA === 0 && secondB === 0) return known.has(keyOf(tree, a, b));
  if (!reachEachOther(tree, reaches, a, b)) return false;
  const partsA = secondA === 0 ? [a] : [a + 1, secondA];
  const partsB = secondB === 0 ? [b] : [b + 1, secondB];
  let all = true;
  for (const [i, p] of partsA.entries())
    for (const [j, q] of partsB.entries()) if (a !== b || i <= j) all = coverPair(known, tree, reaches, p, q) && all;
  if (all) known.add(keyOf(tree, a, b));
  return all;
}
