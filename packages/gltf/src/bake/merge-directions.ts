/**
 * Directions of given shapes (reduce-harmonics.ts) that go together in the clips become one target: both knees of a jump, the fingers of a fist.
 *
 *   e = c e_a + s e_b,   amount e·a(n) = c a_a(n) + s a_b(n)        (c, s) the axis of Σ_n (a_a, a_b)(a_a, a_b)ᵀ
 *   what is left,  |s a_a(n) − c a_b(n)| · |s| reach_a  and  |c| reach_b,  stays quiet
 *
 * Those that are most alike first. O(directions² · samples).
 */
export interface Direction {
  /** e, over all given shapes. */
  readonly axis: readonly number[];
  /** e·a of every sample. */
  readonly amounts: Float64Array;
  /** Largest push at amount 1, in quiet pushes. */
  readonly reach: number;
  /** What earlier merges have left out, in quiet pushes. */
  readonly off: number;
}

interface Pair {
  readonly a: Direction;
  readonly b: Direction;
  readonly c: number;
  readonly s: number;
  readonly off: number;
}

export function mergeDirections(all: readonly Direction[]): Direction[] {
  let directions = [...all];
  let pairs = directions.flatMap((b, j) => directions.slice(0, j).flatMap((a) => compare(a, b) ?? []));
  while (pairs.length > 0) {
    const { a, b, c, s, off } = pairs.reduce((best, pair) => (pair.off < best.off ? pair : best));
    const merged: Direction = {
      axis: a.axis.map((x, r) => c * x + s * b.axis[r]!),
      amounts: a.amounts.map((x, n) => c * x + s * b.amounts[n]!),
      reach: Math.max(Math.abs(c) * a.reach, Math.abs(s) * b.reach),
      off,
    };
    const isLeft = (one: Direction) => one !== a && one !== b;
    directions = directions.filter(isLeft);
    pairs = pairs.filter((pair) => isLeft(pair.a) && isLeft(pair.b));
    pairs.push(...directions.flatMap((one) => compare(one, merged) ?? []));
    directions.push(merged);
  }
  return directions;
}

/** Undefined where one direction cannot stand for both. */
function compare(a: Direction, b: Direction): Pair | undefined {
  let [aa, ab, bb] = [0, 0, 0];
  for (let n = 0; n < a.amounts.length; n++) {
    aa += a.amounts[n]! ** 2;
    ab += a.amounts[n]! * b.amounts[n]!;
    bb += b.amounts[n]! ** 2;
  }
  const angle = 0.5 * Math.atan2(2 * ab, aa - bb);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const offAt = (left: number) => Math.max(a.off + left * Math.abs(s) * a.reach, b.off + left * Math.abs(c) * b.reach);
  let left = 0;
  for (let n = 0; n < a.amounts.length; n++) {
    const own = Math.abs(s * a.amounts[n]! - c * b.amounts[n]!);
    if (!(own > left)) continue;
    left = own;
    if (!(offAt(left) <= 1)) return undefined;
  }
  return { a, b, c, s, off: offAt(left) };
}
