/**
 * What sticks out of a body. From the cell in its middle a front runs through its inside; the front breaks into pieces where limbs part, and each piece
 * ends at a tip. Seen backwards, from the tips, pieces meet one after another: a tree, whatever the body is like.
 *
 *   f(c)  length of the shortest way inside from the middle to cell c
 *   a branch lives from its tip, the largest f of its piece, down to the f where the piece meets one that reaches farther
 *
 * A branch is kept if it is longer than it is wide, or nearly. The centre of every slice of a branch, f in [nδ, (n + 1)δ), is a point of its curve.
 *
 * Based on: Aujay, Hétroy, Lazarus, Depraz, Harmonic Skeleton for Realistic Character Animation, 2007 (level sets of a function, their graph, its embedding),
 * with the length of ways inside the body as the function.
 */
import { createDisjointSets, findRoot, uniteSets } from '../mesh/disjoint-sets.js';
import type { Interior } from './plan-interior.js';

export interface Branch {
  /** Centres of its slices from where it meets its elder, or the middle, to its tip. */
  readonly points: readonly Point[];
  /** Radius of each slice, as if it were round. */
  readonly radii: readonly number[];
  /** The branch that it meets, and which of that one's points is there; −1 for the one that begins in the middle. */
  readonly elder: number;
  readonly at: number;
}

export type Point = readonly [number, number, number];

/** A slice is so many cells thick. */
const SLICE = 2;
/** A branch is this many times longer than its radius, and this share of the size, or it is a bump. */
const LEAST_LENGTH = 1.5;
const LEAST_SHARE = 0.03;

/** @param size diagonal of the body */
export function planBranches(interior: Interior, size: number): { branches: Branch[]; covered: number } {
  const { cells, reach } = measureReach(interior);
  const { owners, elders, meets } = joinPieces(interior, cells, reach, (LEAST_SHARE * size) / interior.h);
  const branches = gatherBranches(interior, cells, reach, owners, elders, meets);
  return { branches, covered: cells.length / interior.count };
}

/** Steps to the 26 cells around one, and their lengths in cells. */
function listSteps([nx, ny]: Interior['shape']): { by: Int32Array; lengths: Float64Array } {
  const by: number[] = [];
  const lengths: number[] = [];
  for (let n = 0; n < 27; n++) {
    const [x, y, z] = [(n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1];
    if (n === 13) continue;
    by.push(x + nx * (y + ny * z));
    lengths.push(Math.hypot(x, y, z));
  }
  return { by: Int32Array.from(by), lengths: Float64Array.from(lengths) };
}

/** f of every cell that the middle reaches, and these cells by rising f. */
function measureReach(interior: Interior): { cells: Uint32Array; reach: Float64Array } {
  const { inside, shape } = interior;
  const { by, lengths } = listSteps(shape);
  const reach = new Float64Array(inside.length).fill(Number.POSITIVE_INFINITY);
  const cells: number[] = [];
  // Ways are at most √3 longer with every step: a ring of buckets, a quarter of a cell wide, holds the front.
  const buckets: number[][] = Array.from({ length: 16 }, () => []);
  const start = findMiddle(interior);
  reach[start] = 0;
  buckets[0]!.push(start);
  for (let n = 0, empty = 0; empty < buckets.length; n++) {
    const bucket = buckets[n % 16]!;
    empty = bucket.length > 0 ? 0 : empty + 1;
    for (let b = 0; b < bucket.length; b++) {
      const cell = bucket[b]!;
      if (Math.floor(4 * reach[cell]!) !== n || inside[cell] !== 1) continue;
      inside[cell] = 2; // done
      cells.push(cell);
      for (let s = 0; s < by.length; s++) {
        const next = cell + by[s]!;
        const length = reach[cell]! + lengths[s]!;
        if (inside[next] !== 1 || length >= reach[next]!) continue;
        reach[next] = length;
        buckets[Math.floor(4 * length) % 16]!.push(next);
      }
    }
    bucket.length = 0;
  }
  for (const cell of cells) inside[cell] = 1;
  return { cells: Uint32Array.from(cells), reach };
}

/** The cell inside that is nearest to the mean of all. */
function findMiddle(interior: Interior): number {
  const { inside, count } = interior;
  const mean = [0, 0, 0];
  for (let i = 0; i < inside.length; i++) {
    if (inside[i] === 0) continue;
    placeOf(interior, i).forEach((x, r) => void (mean[r]! += x / count));
  }
  let best = -1;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < inside.length; i++) {
    if (inside[i] === 0) continue;
    const gap = Math.hypot(...placeOf(interior, i).map((x, r) => x - mean[r]!));
    if (gap >= nearest) continue;
    nearest = gap;
    best = i;
  }
  return best;
}

function placeOf({ shape: [nx, ny], h, origin }: Interior, cell: number): [number, number, number] {
  const y = Math.floor(cell / nx);
  return [origin[0] + h * (cell % nx), origin[1] + h * (y % ny), origin[2] + h * Math.floor(y / ny)];
}

/** Pieces of the front, from the tips down: the branch of every cell, and what each branch meets at which f. */
function joinPieces({ shape }: Interior, cells: Uint32Array, reach: Float64Array, least: number) {
  const { by } = listSteps(shape);
  const place = new Int32Array(reach.length).fill(-1);
  const sets = createDisjointSets(cells.length);
  /** Branch that a set is, at its root; volume of a branch so far. */
  const branchOf = new Int32Array(cells.length).fill(-1);
  const owners = new Int32Array(cells.length);
  const tips: number[] = [];
  const sizes: number[] = [];
  const elders: number[] = [];
  const meets: number[] = [];
  for (let n = cells.length - 1; n >= 0; n--) {
    const cell = cells[n]!;
    const f = reach[cell]!;
    place[cell] = n;
    let own = -1;
    for (let s = 0; s < by.length; s++) {
      const other = place[cell + by[s]!]!;
      if (other < 0) continue;
      const branch = branchOf[findRoot(sets, other)]!; // its newest cell, the set's root, knows
      uniteSets(sets, n, other);
      if (branch === own) continue;
      if (own < 0) own = branch;
      else {
        const [young, old] = tips[branch]! > tips[own]! ? [own, branch] : [branch, own];
        const length = tips[young]! - f;
        const radius = Math.sqrt(sizes[young]! / (Math.PI * Math.max(length, 1)));
        const isLimb = length > Math.max(LEAST_LENGTH * radius, least);
        elders[young] = old;
        meets[young] = isLimb ? f : -1;
        if (!isLimb) sizes[old]! += sizes[young]!;
        own = old;
      }
      branchOf[n] = own;
    }
    if (own < 0) {
      own = tips.push(f) - 1;
      sizes.push(0);
      elders.push(-1);
      meets.push(0);
    }
    branchOf[n] = own;
    sizes[own]!++;
    owners[n] = own;
  }
  return { owners, elders, meets };
}

/** Branches that were kept; cells of bumps belong to what they sit on. */
function gatherBranches(
  interior: Interior,
  cells: Uint32Array,
  reach: Float64Array,
  owners: Int32Array,
  elders: readonly number[],
  meets: readonly number[],
): Branch[] {
  const kept = meets.flatMap((meet, b) => (meet >= 0 ? [b] : []));
  const numbers = new Map(kept.map((b, n) => [b, n]));
  const ownerOf = (b: number): number => (meets[b]! >= 0 ? numbers.get(b)! : ownerOf(elders[b]!));
  const sums = kept.map(() => new Map<number, [number, number, number, number]>());
  owners.forEach((b, n) => {
    const slice = Math.floor(reach[cells[n]!]! / SLICE);
    const list = sums[ownerOf(b)]!;
    const sum = list.get(slice) ?? [0, 0, 0, 0];
    placeOf(interior, cells[n]!).forEach((x, r) => void (sum[r]! += x));
    sum[3]++;
    list.set(slice, sum);
  });
  const slices = sums.map((list) => [...list.keys()].sort((a, b) => a - b));
  return kept.map((b, n) => {
    const points = slices[n]!.map((slice): Point => {
      const [x, y, z, count] = sums[n]!.get(slice)!;
      return [x / count, y / count, z / count];
    });
    const radii = slices[n]!.map((slice) => interior.h * Math.sqrt(sums[n]!.get(slice)![3] / (SLICE * Math.PI)));
    const elder = elders[b]! < 0 ? -1 : ownerOf(elders[b]!);
    const slice = Math.floor(meets[b]! / SLICE);
    const at =
      elder < 0
        ? 0
        : Math.max(
            0,
            slices[elder]!.findLastIndex((one) => one <= slice),
          );
    return { points, radii, elder, at };
  });
}
