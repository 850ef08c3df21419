/** Lists of numbers, and of each the value that 98 % of them do not exceed: the largest few of a surface stand on slivers. */
import { grow } from './multiply-sparse.js';
import { selectNth } from './select-nth.js';

const PERCENTILE = 0.98;

export interface PercentileLists {
  add(list: number, value: number): void;
  /** 0 of an empty list. */
  find(list: number): number;
}

export function createPercentileLists(count: number): PercentileLists {
  const lists = Array.from({ length: count }, () => new Float64Array(16));
  const lengths = new Uint32Array(count);
  return {
    add(list, value) {
      if (lengths[list] === lists[list]!.length) lists[list] = grow(lists[list]!);
      lists[list]![lengths[list]!++] = value;
    },
    find(list) {
      const length = lengths[list]!;
      return selectNth(lists[list]!.subarray(0, length), Math.floor(PERCENTILE * (length - 1))) ?? 0;
    },
  };
}
