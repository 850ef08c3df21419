/** A set of unordered pairs of small numbers in one flat array (open addressing): quick to ask, nothing is allocated after. */
export interface PairSet {
  has(a: number, b: number): boolean;
}

/** @param pairs a, b, a, b … */
export function createPairSet(pairs: readonly number[]): PairSet {
  let size = 16;
  while (size < pairs.length) size *= 2; // at most half full
  const slots = new Uint32Array(2 * size).fill(EMPTY);
  /** Slot of a pair a ≤ b, or the empty one where it belongs. */
  function find(a: number, b: number): number {
    let slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    while (slots[2 * slot] !== EMPTY && (slots[2 * slot] !== a || slots[2 * slot + 1] !== b))
      slot = (slot + 1) & (size - 1);
    return slot;
  }
  for (let i = 0; i < pairs.length; i += 2) {
    const a = Math.min(pairs[i]!, pairs[i + 1]!);
    const b = Math.max(pairs[i]!, pairs[i + 1]!);
    slots.set([a, b], 2 * find(a, b));
  }
  return {
    has: (a, b) => (a < b ? slots[2 * find(a, b)] : slots[2 * find(b, a)]) !== EMPTY,
  };
}

const EMPTY = 0xffffffff;
