/** Patches by area, smallest first; equal areas by rank, then by number. A patch may stand in it several times: the caller knows which count. */
export interface AreaQueue {
  push(patch: number, area: number): void;
  /** Removes the smallest: its number, and its area in `area`; −1 when nothing is left. */
  pop(): number;
  /** Area that the patch popped last was pushed with. */
  readonly area: number;
}

/** A binary heap: O(log n) per call. @param ranks of the patches */
export function createAreaQueue(ranks?: ArrayLike<number>): AreaQueue {
  const heap: [area: number, patch: number][] = [];
  let popped = 0;
  const before = ([a, p]: readonly [number, number], [b, q]: readonly [number, number]): boolean =>
    a !== b ? a < b : ((ranks && ranks[p]! - ranks[q]!) || p - q) < 0;
  return {
    push(patch, area) {
      const own: [number, number] = [area, patch];
      let i = heap.length;
      for (let up = (i - 1) >> 1; i > 0 && before(own, heap[up]!); up = (i - 1) >> 1) {
        heap[i] = heap[up]!;
        i = up;
      }
      heap[i] = own;
    },
    pop() {
      const first = heap[0];
      const own = heap.pop();
      if (!first || !own) return -1;
      for (let i = 0; heap.length > 0; ) {
        let child = 2 * i + 1;
        if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
        if (child < heap.length && before(heap[child]!, own)) heap[i] = heap[child]!;
        else {
          heap[i] = own;
          break;
        }
        i = child;
      }
      popped = first[0];
      return first[1];
    },
    get area() {
      return popped;
    },
  };
}
