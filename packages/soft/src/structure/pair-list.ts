/**
 * Pairs of particles nearer than a given distance, by a spatial hash.
 *
 * Cells as wide as the distance, in a table of twice as many buckets as particles, filled by a counting sort: the order of the
 * pairs depends on the positions alone. O(#N) time and memory for bounded density; grows its list when it must.
 */
export interface PairList {
  /** Number of pairs found by the last `find`. */
  readonly count: number;
  /** #pairs×2, first < second; the first of two neighbouring pairs never descends. */
  readonly pairs: Uint32Array;
  /** All pairs with |p_i − p_j| ≤ distance; positions #N×3. */
  find(positions: Float64Array, distance: number): void;
}

export function createPairList(count: number): PairList {
  let buckets = 16;
  while (buckets < 2 * count) buckets *= 2;
  const starts = new Uint32Array(buckets + 1);
  const bucketOf = new Uint32Array(count);
  const sorted = new Uint32Array(count);
  const cells = new Int32Array(3 * count);
  let pairs = new Uint32Array(32 * count + 32);
  let found = 0;

  const hash = (i: number, j: number, k: number): number =>
    ((Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) >>> 0) & (buckets - 1);

  const sort = (positions: Float64Array, cell: number): void => {
    starts.fill(0);
    for (let n = 0; n < count; n++) {
      for (let axis = 0; axis < 3; axis++) cells[3 * n + axis] = Math.floor(positions[3 * n + axis]! / cell);
      bucketOf[n] = hash(cells[3 * n]!, cells[3 * n + 1]!, cells[3 * n + 2]!);
      starts[bucketOf[n]! + 1]!++;
    }
    for (let b = 0; b < buckets; b++) starts[b + 1]! += starts[b]!;
    // Backwards, so that particles ascend inside a bucket; `starts` ends where it began.
    for (let n = count - 1; n >= 0; n--) sorted[--starts[bucketOf[n]! + 1]!] = n;
    for (let b = 0; b < buckets; b++) starts[b] = starts[b + 1]!;
    starts[buckets] = count;
  };

  return {
    get count() {
      return found;
    },
    get pairs() {
      return pairs;
    },
    find(positions, distance) {
      sort(positions, distance);
      found = 0;
      const limit = distance * distance;
      for (let n = 0; n < count; n++) {
        const x = positions[3 * n]!;
        const y = positions[3 * n + 1]!;
        const z = positions[3 * n + 2]!;
        for (let around = 0; around < 27; around++) {
          const i = cells[3 * n]! + (around % 3) - 1;
          const j = cells[3 * n + 1]! + (Math.floor(around / 3) % 3) - 1;
          const k = cells[3 * n + 2]! + Math.floor(around / 9) - 1;
          const bucket = hash(i, j, k);
          for (let s = starts[bucket]!; s < starts[bucket + 1]!; s++) {
            const m = sorted[s]!;
            // Two cells may share a bucket: only the asked one counts, or a pair would come twice.
            if (m <= n || cells[3 * m] !== i || cells[3 * m + 1] !== j || cells[3 * m + 2] !== k) continue;
            const dx = positions[3 * m]! - x;
            const dy = positions[3 * m + 1]! - y;
            const dz = positions[3 * m + 2]! - z;
            if (dx * dx + dy * dy + dz * dz > limit) continue;
            if (2 * found === pairs.length) {
              const larger = new Uint32Array(2 * pairs.length);
              larger.set(pairs);
              pairs = larger;
            }
            pairs[2 * found] = n;
            pairs[2 * found++ + 1] = m;
          }
        }
      }
    },
  };
}
