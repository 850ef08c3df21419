/**
 * F7. Which pairs of samples are to be looked at in a pose. Pairs that are near at rest, most of all near pairs, are planned, in a list for
 * every set of bones that carries them, in the order in which the bones can bring them together: where bones have hardly moved against
 * each other the list ends at once. All other pairs are found by the balls around them.
 *
 *   |x_k − x_j| ≥ D̄ cos ½θ − ω (θℓ + s) ≥ D̄ (1 − m²/8ℓ²) − ω m,   m = θℓ + s:   m ≥ m_kj before it is less than r_kj
 *
 * D̄  distance at rest;  r  distance at which a pair begins to count;  ω = ½ Σ_b |w_kb − w_jb|;  θ, s  angle and shift of the set's bones
 * against each other, at the set's centre;  ℓ  largest distance from there. O(#S + pairs) per frame, nothing is allocated.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { type BallTree, keyOf, measureBalls, reachEachOther, visitNearLeaves } from './plan-ball-tree.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface NearPairs {
  /** Visits the pairs that may touch of samples at `points`, #S×3, carried by `bones`. */
  find(points: Float64Array, bones: Float64Array): void;
}

/** A bone counts for a sample if it carries a tenth of it; what lighter ones do is less than the slack. */
const LIGHT = 0.25;
/** Pairs are passed on from a little further than they count: the first round may push them nearer. */
const WIDER = 1.05;

/** k, j, the distance at which they begin to count, and |x̄_k − x̄_j|. */
type ListedPair = readonly [k: number, j: number, range: number, distance: number];

/**
 * @param radii reach of every sample
 * @param range distance at which two samples begin to count, ≤ 0: never
 * @param visit is called with the pairs and their ranges
 */
export function planNearPairs(
  character: Character,
  samples: SkinSamples,
  radii: Float64Array,
  range: (k: number, j: number) => number,
  visit: (k: number, j: number, range: number) => void,
): NearPairs {
  const { tree, positions } = samples;
  const { starts, ends, balls } = tree;
  const reaches = Float64Array.from(starts, (from, n) =>
    radii.subarray(from, ends[n]!).reduce((a, b) => Math.max(a, b), 0),
  );
  const known = new Set<number>();
  const sets = new Map<string, ListedPair[]>();
  const bonesOf = listBones(character, samples);
  measureBalls(tree, positions);
  visitNearLeaves(tree, reaches, (a, b) => {
    known.add(keyOf(tree, a, b));
    for (let k = starts[a]!; k < ends[a]!; k++)
      for (let j = a === b ? k + 1 : starts[b]!; j < ends[b]!; j++) listPair(k, j);
  });
  for (const root of tree.roots) coverPair(known, tree, reaches, root, root);
  const lists = Array.from(sets, ([bones, pairs]) =>
    flattenSet(bones.split(',').map(Number), pairs, character, samples),
  );
  let x = positions;

  function listPair(k: number, j: number): void {
    const r = range(k, j);
    const bones = [...new Set([...bonesOf[k]!, ...bonesOf[j]!])].sort((p, q) => p - q);
    if (!(r > 0) || bones.length < 2) return;
    const [p, q] = [3 * k, 3 * j];
    const apart = Math.hypot(
      positions[p]! - positions[q]!,
      positions[p + 1]! - positions[q + 1]!,
      positions[p + 2]! - positions[q + 2]!,
    );
    const set = sets.get(bones.join()) ?? [];
    sets.set(bones.join(), set);
    set.push([k, j, r, apart]);
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
        if (r > 0 && square < (WIDER * r) ** 2) visit(k, j, r);
      }
    }
  }
  function visitList({ keys, pairs, ranges }: PairList, motion: number): void {
    const points = x;
    for (let i = 0; i < keys.length && keys[i]! < motion; i++) {
      const a = pairs[2 * i]!;
      const b = pairs[2 * i + 1]!;
      const dx = points[a]! - points[b]!;
      const dy = points[a + 1]! - points[b + 1]!;
      const dz = points[a + 2]! - points[b + 2]!;
      const r = ranges[i]!;
      if (dx * dx + dy * dy + dz * dz < WIDER * WIDER * r * r) visit(a / 3, b / 3, r);
    }
  }
  return {
    find(points, bones) {
      x = points;
      for (let n = 0; n < lists.length; n++) visitList(lists[n]!, measureMotion(lists[n]!, bones));
      measureBalls(tree, points);
      visitNearLeaves(tree, reaches, visitLeaves, known);
    },
  };
}

type PairList = ReturnType<typeof flattenSet>;

/** A set as flat arrays, in the order in which motion of its bones can bring pairs together; bones by their place among the matrices. */
function flattenSet(
  bones: readonly number[],
  pairs: readonly ListedPair[],
  { binding }: Character,
  samples: SkinSamples,
) {
  const { positions: x, vertices } = samples;
  const centre = new Float64Array(3);
  for (const [k, j] of pairs)
    for (let r = 0; r < 3; r++) centre[r]! += (x[3 * k + r]! + x[3 * j + r]!) / (2 * pairs.length);
  const measureLever = (k: number): number =>
    Math.hypot(x[3 * k]! - centre[0]!, x[3 * k + 1]! - centre[1]!, x[3 * k + 2]! - centre[2]!);
  const lever = pairs.reduce((most, [k, j]) => Math.max(most, Math.min(measureLever(k), measureLever(j))), 1e-30);
  const measureKey = ([k, j, range, distance]: ListedPair): number => {
    const gap = Math.max(0, distance - WIDER * range);
    const apart = measureDifference(binding, vertices[k]!, vertices[j]!);
    return (2 * gap) / (apart + Math.sqrt(apart * apart + (0.5 * distance * gap) / (lever * lever)) || 1);
  };
  const sorted = pairs.map((pair) => [measureKey(pair), ...pair] as const).sort((p, q) => p[0] - q[0]);
  return {
    bones: Uint32Array.from(bones, (bone) => BONE_STRIDE * bone),
    centre,
    lever,
    keys: Float64Array.from(sorted, ([key]) => key),
    pairs: Uint32Array.from(sorted.flatMap(([, k, j]) => [3 * k, 3 * j])),
    ranges: Float64Array.from(sorted, ([, , , range]) => range),
  };
}

/** ½ Σ_b |w_kb − w_jb| of two vertices. */
function measureDifference({ offsets, bones, weights }: Character['binding'], k: number, j: number): number {
  let alike = 0;
  for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
    for (let f = offsets[j]!; f < offsets[j + 1]!; f++)
      if (bones[e] === bones[f]) alike += Math.min(weights[e]!, weights[f]!);
  return Math.max(0, 1 - alike);
}

/** Most that two bones of a set move its points apart, θℓ + shift: |A − B|² = 8 sin² ½θ for two rotations. */
function measureMotion({ bones, centre, lever }: PairList, matrices: Float64Array): number {
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
  return 2 * Math.asin(Math.min(1, Math.sqrt(widest / 8))) * lever + Math.sqrt(farthest);
}

function listBones({ binding }: Character, { vertices }: SkinSamples): number[][] {
  return Array.from(vertices, (k) => {
    const bones: number[] = [];
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++)
      if (binding.weights[e]! >= LIGHT) bones.push(binding.bones[e]!);
    return bones;
  });
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
