import { countBuckets, growArray, hashCell } from '../flat-arrays.js';

/**
 * Pairs of particles nearer than a given distance, by a spatial hash.
 *
 * Cells as wide as the distance, in a table of twice as many buckets as particles, filled by a counting sort: the order of the
 * pairs depends on the positions alone. O(#N) time and memory for bounded density; grows its list when it must.
 */
export class PairList {
  /** Number of pairs found by the last `find`. */
  count = 0;
  /** #pairs×2, first < second; the first of two neighbouring pairs never descends. */
  pairs: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #buckets: Uint32Array;
  readonly #sorted: Uint32Array;
  readonly #cells: Int32Array;

  constructor(count: number) {
    this.pairs = new Uint32Array(32 * count + 32);
    this.#starts = new Uint32Array(countBuckets(count) + 1);
    this.#buckets = new Uint32Array(count);
    this.#sorted = new Uint32Array(count);
    this.#cells = new Int32Array(3 * count);
  }

  #hash(i: number, j: number, k: number): number {
    return hashCell(i, j, k) & (this.#starts.length - 2);
  }

  #sort(positions: Float64Array, cell: number): void {
    const [starts, buckets, cells] = [this.#starts, this.#buckets, this.#cells];
    starts.fill(0);
    for (let n = 0; n < buckets.length; n++) {
      for (let axis = 0; axis < 3; axis++) cells[3 * n + axis] = Math.floor(positions[3 * n + axis]! / cell);
      buckets[n] = this.#hash(cells[3 * n]!, cells[3 * n + 1]!, cells[3 * n + 2]!);
      starts[buckets[n]! + 1]!++;
    }
    for (let b = 0; b + 1 < starts.length; b++) starts[b + 1]! += starts[b]!;
    // Backwards, so that particles ascend inside a bucket; `starts` ends where it began.
    for (let n = buckets.length - 1; n >= 0; n--) this.#sorted[--starts[buckets[n]! + 1]!] = n;
    starts.copyWithin(0, 1);
    starts[starts.length - 1] = buckets.length;
  }

  /** All pairs with |p_i − p_j| ≤ distance; positions #N×3. */
  find(positions: Float64Array, distance: number): void {
    const [starts, cells] = [this.#starts, this.#cells];
    this.#sort(positions, distance);
    this.count = 0;
    for (let n = 0; n < this.#sorted.length; n++) {
      for (let around = 0; around < 27; around++) {
        const i = cells[3 * n]! + (around % 3) - 1;
        const j = cells[3 * n + 1]! + (Math.floor(around / 3) % 3) - 1;
        const k = cells[3 * n + 2]! + Math.floor(around / 9) - 1;
        const bucket = this.#hash(i, j, k);
        for (let s = starts[bucket]!; s < starts[bucket + 1]!; s++) {
          const m = this.#sorted[s]!;
          // Two cells may share a bucket: only the asked one counts, or a pair would come twice.
          if (m <= n || cells[3 * m] !== i || cells[3 * m + 1] !== j || cells[3 * m + 2] !== k) continue;
          if (squaredDistance(positions, 3 * m, positions, 3 * n) > distance * distance) continue;
          if (2 * this.count === this.pairs.length) this.pairs = growArray(this.pairs);
          this.pairs[2 * this.count] = n;
          this.pairs[2 * this.count++ + 1] = m;
        }
      }
    }
  }
}

/** |p − q|² of points at p[i …] and q[j …]. */
export function squaredDistance(p: Float64Array, i: number, q: Float64Array, j: number): number {
  const dx = p[i]! - q[j]!;
  const dy = p[i + 1]! - q[j + 1]!;
  const dz = p[i + 2]! - q[j + 2]!;
  return dx * dx + dy * dy + dz * dz;
}
