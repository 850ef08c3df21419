/**
 * Sparse accessors that name the same vertices use one list of indices: the bend of a region moves what its volume moves, and the normals turn there. A list takes
 * another one in while that is smaller: what only one of them names is a zero in the other.
 *
 *   bytes = Σ_lists |L| · i + Σ_accessors |L| · b
 *
 * i  bytes of an index;  b  bytes of an element. Greedy, in the order of the accessors. O(accessors · lists · |L|).
 */
export interface SparseList {
  /** Ascending. */
  readonly indices: readonly number[];
  /** Bytes of an element. */
  readonly size: number;
}

/** Of every accessor the list that it uses; those that share one have the very same array. */
export function shareIndices(lists: readonly SparseList[], indexSize: number): readonly (readonly number[])[] {
  const shared: { indices: readonly number[]; size: number }[] = [];
  const isOwn = new Uint8Array(1 + lists.reduce((most, { indices }) => Math.max(most, indices.at(-1) ?? 0), 0));
  const places = lists.map(({ indices, size }) => {
    let [best, saved] = [-1, 0];
    isOwn.fill(0);
    for (const index of indices) isOwn[index] = 1;
    for (const [at, list] of shared.entries()) {
      let common = 0;
      for (const index of list.indices) common += isOwn[index]!;
      const [more, missing] = [list.indices.length - common, indices.length - common];
      const won = common * indexSize - missing * list.size - more * size;
      if (won > saved) [best, saved] = [at, won];
    }
    if (best < 0) return shared.push({ indices, size }) - 1;
    const list = shared[best]!;
    for (const index of list.indices) isOwn[index] = 1;
    const joined: number[] = [];
    for (let index = 0; index < isOwn.length; index++) if (isOwn[index] === 1) joined.push(index);
    shared[best] = { indices: joined, size: list.size + size };
    return best;
  });
  return places.map((at) => shared[at]!.indices);
}
