import { countBuckets, growArray, hashCell } from '../flat-arrays.js';
import { measureClosest } from './closest-point.js';
import type { Primitives } from './pack-primitives.js';

/** Margin in thicknesses: offsets move while a step is solved. */
const MARGIN = 0.25;

/**
 * Which primitives can meet: for each the others whose influence zones (distance R + ε, plus a margin) come near its own.
 * Bounding spheres in hashed grids, one grid per power of two of their radius, so that one long segment does not make
 * the cells of a thousand particles large. Linear in primitives and pairs.
 */
export class NeighbourGrid {
  /** #P+1 and the lists; a primitive is not in its own. */
  readonly offsets: Int32Array;
  items: Int32Array;
  /** #P: R + ε at the last build. */
  readonly reach: Float64Array;
  /** #P×4: bounding spheres of the skeletons, without reach. */
  readonly spheres: Float64Array;
  readonly #primitives: Primitives;
  /** #P: radius of the sphere with reach and margin, level of its grid, cell (×3), next of its bucket. */
  readonly #radii: Float64Array;
  readonly #levels: Int32Array;
  readonly #cells: Int32Array;
  readonly #next: Int32Array;
  readonly #heads: Int32Array;
  #pairs: Int32Array;

  constructor(primitives: Primitives) {
    const { count } = primitives;
    this.#primitives = primitives;
    this.reach = new Float64Array(count);
    this.spheres = new Float64Array(4 * count);
    this.offsets = new Int32Array(count + 1);
    this.items = new Int32Array(0);
    this.#radii = new Float64Array(count);
    this.#levels = new Int32Array(count);
    this.#cells = new Int32Array(3 * count);
    this.#next = new Int32Array(count);
    this.#heads = new Int32Array(countBuckets(count));
    this.#pairs = new Int32Array(32 * count + 64);
  }

  build(): void {
    this.#measureSpheres();
    const highest = this.#sortSpheres();
    this.#listPairs(this.#findPairs(highest));
  }

  #measureSpheres(): void {
    const { count, shape, corners, thickness, width, offsets } = this.#primitives;
    const { spheres, reach } = this;
    const centre = new Float64Array(3);
    for (let p = 0; p < count; p++) {
      const size = shape[p]!;
      centre.fill(0);
      for (let c = 0; c < 3 * size; c++) centre[c % 3]! += corners[9 * p + c]!;
      for (let axis = 0; axis < 3; axis++) spheres[4 * p + axis] = centre[axis]! / size;
      let squared = 0;
      for (let at = 9 * p; at < 9 * p + 3 * size; at += 3) {
        const dx = corners[at]! - spheres[4 * p]!;
        const dy = corners[at + 1]! - spheres[4 * p + 1]!;
        const dz = corners[at + 2]! - spheres[4 * p + 2]!;
        squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
      }
      spheres[4 * p + 3] = Math.sqrt(squared);
      reach[p] = thickness[p]! + width[p]! + offsets[p]!;
      this.#radii[p] = spheres[4 * p + 3]! + reach[p]! + MARGIN * thickness[p]!;
    }
  }

  /** Puts every sphere into the cell of its level; returns the highest level. */
  #sortSpheres(): number {
    this.#heads.fill(-1);
    let highest = -1000;
    for (let p = 0; p < this.reach.length; p++) {
      // A cell is at least as wide as the sphere: partners of the same level lie in the 27 cells around.
      const level = Math.ceil(Math.log2(2 * this.#radii[p]!));
      this.#levels[p] = level;
      for (let axis = 0; axis < 3; axis++) {
        this.#cells[3 * p + axis] = Math.floor(this.spheres[4 * p + axis]! * 2 ** -level);
      }
      const bucket = this.#hash(this.#cells[3 * p]!, this.#cells[3 * p + 1]!, this.#cells[3 * p + 2]!, level);
      this.#next[p] = this.#heads[bucket]!;
      this.#heads[bucket] = p;
      highest = Math.max(highest, level);
    }
    return highest;
  }

  #hash(i: number, j: number, k: number, level: number): number {
    return (hashCell(i, j, k) ^ Math.imul(level, 2654435761)) & (this.#heads.length - 1);
  }

  /** Pairs that come near, to #pairs; returns how many. */
  #findPairs(highest: number): number {
    const levels = this.#levels;
    let found = 0;
    for (let p = 0; p < levels.length; p++) {
      for (let level = levels[p]!; level <= highest; level++) {
        const scale = 2 ** -level;
        for (let n = 0; n < 27; n++) {
          const i = Math.floor(this.spheres[4 * p]! * scale) + Math.floor(n / 9) - 1;
          const j = Math.floor(this.spheres[4 * p + 1]! * scale) + (Math.floor(n / 3) % 3) - 1;
          const k = Math.floor(this.spheres[4 * p + 2]! * scale) + (n % 3) - 1;
          for (let q = this.#heads[this.#hash(i, j, k, level)]!; q >= 0; q = this.#next[q]!) {
            if (levels[q] !== level || (level === levels[p] && q <= p)) continue;
            if (!this.#isIn(q, i, j, k) || !this.#meet(p, q)) continue;
            if (2 * found + 2 > this.#pairs.length) this.#pairs = growArray(this.#pairs);
            this.#pairs[2 * found] = p;
            this.#pairs[2 * found++ + 1] = q;
          }
        }
      }
    }
    return found;
  }

  #isIn(p: number, i: number, j: number, k: number): boolean {
    const cells = this.#cells;
    return cells[3 * p] === i && cells[3 * p + 1] === j && cells[3 * p + 2] === k;
  }

  #meet(p: number, q: number): boolean {
    const { spheres } = this;
    const dx = spheres[4 * q]! - spheres[4 * p]!;
    const dy = spheres[4 * q + 1]! - spheres[4 * p + 1]!;
    const dz = spheres[4 * q + 2]! - spheres[4 * p + 2]!;
    const limit = this.#radii[p]! + this.#radii[q]!;
    return dx * dx + dy * dy + dz * dz < limit * limit;
  }

  /** Counting sort of the pairs into both lists. */
  #listPairs(count: number): void {
    const { offsets } = this;
    if (this.items.length < 2 * count) this.items = new Int32Array(this.#pairs.length);
    offsets.fill(0);
    for (let n = 0; n < 2 * count; n++) offsets[this.#pairs[n]! + 1]!++;
    for (let p = 0; p + 1 < offsets.length; p++) offsets[p + 1]! += offsets[p]!;
    // Filled from the back; offsets end up one place too far left and are shifted back below.
    for (let n = count - 1; n >= 0; n--) {
      const p = this.#pairs[2 * n]!;
      const q = this.#pairs[2 * n + 1]!;
      this.items[--offsets[p + 1]!] = q;
      this.items[--offsets[q + 1]!] = p;
    }
    offsets.copyWithin(0, 1);
    offsets[offsets.length - 1] = 2 * count;
  }
}

const near = new Float64Array(5);

/** Smallest distance between the skeletons of two primitives: alternating projection, exact for points. */
export function measureGap(primitives: Primitives, p: number, q: number): number {
  const { corners, shape } = primitives;
  let squared = measureClosest(near, primitives, p, corners[9 * q]!, corners[9 * q + 1]!, corners[9 * q + 2]!);
  if (shape[q] === 1) return Math.sqrt(squared);
  for (let n = 0; n < 32; n++) {
    const before = squared;
    measureClosest(near, primitives, q, near[0]!, near[1]!, near[2]!);
    squared = measureClosest(near, primitives, p, near[0]!, near[1]!, near[2]!);
    if (before - squared <= 1e-12 * before) break;
  }
  return Math.sqrt(squared);
}
