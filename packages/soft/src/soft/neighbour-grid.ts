import { measureClosest } from './closest-point.js';
import type { Skeleton } from './plan-skeleton.js';

/**
 * Which primitives can meet: for each the others whose influence zones (distance R + ε, plus a margin) come near its own.
 * Bounding spheres in hashed grids, one grid per power of two of their radius, so that one long segment does not make
 * the cells of a thousand particles large. Linear in primitives and pairs.
 */
export interface NeighbourGrid {
  /** #P+1 and the lists; a primitive is not in its own. */
  readonly offsets: Int32Array;
  readonly items: () => Int32Array;
  /** #P: R + ε at the last build. */
  readonly reach: Float64Array;
  /** #P×4: bounding spheres of the skeletons, without reach. */
  readonly spheres: Float64Array;
  build(): void;
}

/** Margin in thicknesses: offsets move while a step is solved. */
const MARGIN = 0.25;

export function createNeighbourGrid(skeleton: Skeleton): NeighbourGrid {
  const { count, corners, shape, thickness, width, offsets: epsilon } = skeleton;
  const reach = new Float64Array(count);
  const spheres = new Float64Array(4 * count);
  const levels = new Int32Array(count);
  const cells = new Int32Array(3 * count);
  const next = new Int32Array(count);
  let buckets = 16;
  while (buckets < 2 * count) buckets *= 2;
  const heads = new Int32Array(buckets);
  const offsets = new Int32Array(count + 1);
  let pairs = new Int32Array(32 * count + 64);
  let items = new Int32Array(32 * count + 64);

  const hash = (i: number, j: number, k: number, level: number): number =>
    (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791) ^ Math.imul(level, 2654435761)) &
    (buckets - 1);

  const measureSpheres = (): void => {
    for (let p = 0; p < count; p++) {
      const size = shape[p]!;
      const at = 9 * p;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let c = 0; c < size; c++) {
        x += corners[at + 3 * c]!;
        y += corners[at + 3 * c + 1]!;
        z += corners[at + 3 * c + 2]!;
      }
      x /= size;
      y /= size;
      z /= size;
      let squared = 0;
      for (let c = 0; c < size; c++) {
        const dx = corners[at + 3 * c]! - x;
        const dy = corners[at + 3 * c + 1]! - y;
        const dz = corners[at + 3 * c + 2]! - z;
        squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
      }
      spheres[4 * p] = x;
      spheres[4 * p + 1] = y;
      spheres[4 * p + 2] = z;
      spheres[4 * p + 3] = Math.sqrt(squared);
      reach[p] = thickness[p]! + width[p]! + epsilon[p]!;
    }
  };

  const build = (): void => {
    measureSpheres();
    heads.fill(-1);
    let highest = -1000;
    for (let p = 0; p < count; p++) {
      const radius = spheres[4 * p + 3]! + reach[p]! + MARGIN * thickness[p]!;
      // A cell is at least as wide as the sphere: partners of the same level lie in the 27 cells around.
      const level = Math.ceil(Math.log2(2 * radius));
      const scale = 2 ** -level;
      const i = Math.floor(spheres[4 * p]! * scale);
      const j = Math.floor(spheres[4 * p + 1]! * scale);
      const k = Math.floor(spheres[4 * p + 2]! * scale);
      levels[p] = level;
      cells[3 * p] = i;
      cells[3 * p + 1] = j;
      cells[3 * p + 2] = k;
      const bucket = hash(i, j, k, level);
      next[p] = heads[bucket]!;
      heads[bucket] = p;
      highest = Math.max(highest, level);
    }
    offsets.fill(0);
    let pairCount = 0;
    for (let p = 0; p < count; p++) {
      const x = spheres[4 * p]!;
      const y = spheres[4 * p + 1]!;
      const z = spheres[4 * p + 2]!;
      const own = spheres[4 * p + 3]! + reach[p]! + MARGIN * thickness[p]!;
      for (let level = levels[p]!; level <= highest; level++) {
        const scale = 2 ** -level;
        const ci = Math.floor(x * scale);
        const cj = Math.floor(y * scale);
        const ck = Math.floor(z * scale);
        for (let i = ci - 1; i <= ci + 1; i++) {
          for (let j = cj - 1; j <= cj + 1; j++) {
            for (let k = ck - 1; k <= ck + 1; k++) {
              for (let q = heads[hash(i, j, k, level)]!; q >= 0; q = next[q]!) {
                if (levels[q] !== level || (level === levels[p] && q <= p)) continue;
                if (cells[3 * q] !== i || cells[3 * q + 1] !== j || cells[3 * q + 2] !== k) continue;
                const dx = spheres[4 * q]! - x;
                const dy = spheres[4 * q + 1]! - y;
                const dz = spheres[4 * q + 2]! - z;
                const limit = own + spheres[4 * q + 3]! + reach[q]! + MARGIN * thickness[q]!;
                if (dx * dx + dy * dy + dz * dz >= limit * limit) continue;
                if (2 * pairCount + 2 > pairs.length) {
                  const more = new Int32Array(2 * pairs.length);
                  more.set(pairs);
                  pairs = more;
                  items = new Int32Array(2 * pairs.length);
                }
                pairs[2 * pairCount] = p;
                pairs[2 * pairCount + 1] = q;
                offsets[p + 1]!++;
                offsets[q + 1]!++;
                pairCount++;
              }
            }
          }
        }
      }
    }
    for (let p = 0; p < count; p++) offsets[p + 1]! += offsets[p]!;
    for (let n = pairCount - 1; n >= 0; n--) {
      // Filled from the back; offsets end up one place too far left and are shifted back below.
      const p = pairs[2 * n]!;
      const q = pairs[2 * n + 1]!;
      items[--offsets[p + 1]!] = q;
      items[--offsets[q + 1]!] = p;
    }
    for (let p = 0; p < count; p++) offsets[p] = offsets[p + 1]!;
    offsets[count] = 2 * pairCount;
  };

  return { offsets, items: () => items, reach, spheres, build };
}

const near = new Float64Array(5);

/** Smallest distance between the skeletons of two primitives: alternating projection, exact for points. */
export function measureGap(skeleton: Skeleton, p: number, q: number): number {
  const { corners, shape } = skeleton;
  let x = corners[9 * q]!;
  let y = corners[9 * q + 1]!;
  let z = corners[9 * q + 2]!;
  let squared = measureClosest(near, corners, 9 * p, shape[p]!, x, y, z);
  if (shape[q] === 1) return Math.sqrt(squared);
  for (let n = 0; n < 32; n++) {
    [x, y, z] = [near[0]!, near[1]!, near[2]!];
    measureClosest(near, corners, 9 * q, shape[q]!, x, y, z);
    [x, y, z] = [near[0]!, near[1]!, near[2]!];
    const before = squared;
    squared = measureClosest(near, corners, 9 * p, shape[p]!, x, y, z);
    if (before - squared <= 1e-12 * before) break;
  }
  return Math.sqrt(squared);
}
