/** Lists of numbers, and of each the value that 98 % of them do not exceed: the largest few of a surface stand on slivers. */
import { grow } from './multiply-sparse.js';
import { selectNth } from './select-nth.js';

const PERCENTILE = 0.98;

/** A class, as engines compile closures anew for every plan. */
export class PercentileLists {
  private readonly lists: Float64Array[];
  private readonly lengths: Uint32Array;

  constructor(count: number) {
    this.lists = Array.from({ length: count }, () => new Float64Array(16));
    this.lengths = new Uint32Array(count);
  }

  add(list: number, value: number): void {
    const at = this.lengths[list]!++;
    let values = this.lists[list]!;
    if (at === values.length) this.lists[list] = values = grow(values);
    values[at] = value;
  }

  /** 0 of an empty list. */
  find(list: number): number {
    const length = this.lengths[list]!;
    return selectNth(this.lists[list]!.subarray(0, length), Math.floor(PERCENTILE * (length - 1))) ?? 0;
  }
}
