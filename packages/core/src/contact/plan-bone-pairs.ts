/**
 * How far two bones have moved against each other since rest: by which angle, and how far at the centre of what both carry.
 *
 *   A x − B x = (A − B)(x − c) + (A − B) c + a − b,   |A − B|² = 8 sin² ½θ for two rotations:   |A x − B x| ≤ θ |x − c| + s
 *
 * A, a  turn and place of a bone since rest;  c  centre;  θ  angle;  s  shift there. O(pairs of bones) per frame.
 */
import { BONE_STRIDE } from '../skeleton/matrices.js';

export interface BonePairs {
  /** Where the matrices of the two bones begin, ×2, and c, ×3. */
  readonly bones: Uint32Array;
  readonly centres: Float64Array;
  /** θ and s in this frame. */
  readonly turns: Float64Array;
  readonly shifts: Float64Array;
  /** The pairs among a set of bones. */
  linksOf(set: string): Uint32Array;
}

/** @param sets pairs of points, k and j in turn, under the bones that carry them, joined by commas; @param x of the points, ×3 */
export function planBonePairs(
  sets: ReadonlyMap<string, { readonly pairs: readonly number[] }>,
  x: Float64Array,
): BonePairs {
  /** Sum of the points of a pair of bones, and their number. */
  const sums = new Map<string, [number, number, number, number]>();
  for (const [set, { pairs }] of sets) {
    for (const link of pairUp(set)) {
      const sum = sums.get(link) ?? [0, 0, 0, 0];
      sums.set(link, sum);
      addPoints(sum, pairs, x);
      sum[3] += pairs.length;
    }
  }
  const names = [...sums.keys()];
  return {
    bones: Uint32Array.from(names.flatMap((link) => link.split(',').map((bone) => BONE_STRIDE * Number(bone)))),
    centres: Float64Array.from([...sums.values()].flatMap(([px, py, pz, n]) => [px / n, py / n, pz / n])),
    turns: new Float64Array(names.length),
    shifts: new Float64Array(names.length),
    linksOf: (set) => Uint32Array.from(pairUp(set), (link) => names.indexOf(link)),
  };
}

function addPoints(sum: number[], pairs: readonly number[], x: Float64Array): void {
  for (let n = 0; n < pairs.length; n += 2)
    for (let r = 0; r < 3; r++) sum[r]! += x[3 * pairs[n]! + r]! + x[3 * pairs[n + 1]! + r]!;
}

function pairUp(set: string): string[] {
  const bones = set.split(',');
  return bones.flatMap((a, i) => bones.slice(0, i).map((b) => `${b},${a}`));
}

export function measureMotions({ bones, centres, turns, shifts }: BonePairs, matrices: Float64Array): void {
  for (let i = 0; i < turns.length; i++) {
    const a = bones[2 * i]!;
    const b = bones[2 * i + 1]!;
    const cx = centres[3 * i]!;
    const cy = centres[3 * i + 1]!;
    const cz = centres[3 * i + 2]!;
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
    turns[i] = 2 * Math.asin(Math.min(1, Math.sqrt(square / 8)));
    shifts[i] = Math.sqrt(shift);
  }
}
