/** Lists of numbers, and of each the value that 98 % of them do not exceed: the largest few of a surface stand on slivers. O(numbers), by selection. */
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
      const values = new Float64Array(lists[list]!);
      return values.length > 0 ? select(values, Math.floor(PERCENTILE * (values.length - 1))) : 0;
    },
  };
}

/** What would stand at place n if they were sorted (Hoare 1961); they are partly sorted by it. */
function select(values: Float64Array, n: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const held = values[i]!;
      values[i++] = values[j]!;
      values[j--] = held;
    }
    if (n <= j) high = j;
    else if (n >= i) low = i;
    else break;
  }
  return values[n]!;
}
