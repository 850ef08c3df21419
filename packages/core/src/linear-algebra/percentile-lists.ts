/** Lists of numbers, and of each the value that 98 % of them do not exceed: the largest few of a surface stand on slivers. */
const PERCENTILE = 0.98;

export interface PercentileLists {
  add(list: number, value: number): void;
  /** 0 of an empty list. */
  find(list: number): number;
}

export function createPercentileLists(count: number): PercentileLists {
  const lists: number[][] = Array.from({ length: count }, () => []);
  return {
    add: (list, value) => void lists[list]!.push(value),
    find(list) {
      const sorted = new Float64Array(lists[list]!).sort();
      return sorted[Math.floor(PERCENTILE * (sorted.length - 1))] ?? 0;
    },
  };
}
