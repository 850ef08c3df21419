/** Patches by area, smallest first; equal areas by number. A patch may stand in it several times: the caller knows which count. */
export interface AreaQueue {
  push(patch: number, area: number): void;
  /** Removes the smallest: its number, and its area in `area`; −1 when nothing is left. */
  pop(): number;
  /** Area that the patch popped last was pushed with. */
  readonly area: number;
}

/** A binary heap: O(log n) per call. */
export function createAreaQueue(): AreaQueue {
  const patches: number[] = [];
  const areas: number[] = [];
  let popped = 0;
  const before = (i: number, j: number): boolean =>
    areas[i]! < areas[j]! || (areas[i] === areas[j] && patches[i]! < patches[j]!);
  const swap = (i: number, j: number): void => {
    [patches[i], patches[j]] = [patches[j]!, patches[i]!];
    [areas[i], areas[j]] = [areas[j]!, areas[i]!];
  };
  return {
    push(patch, area) {
      let i = patches.push(patch) - 1;
      areas.push(area);
      for (let up = (i - 1) >> 1; i > 0 && before(i, up); up = (i - 1) >> 1) {
        swap(i, up);
        i = up;
      }
    },
    pop() {
      if (patches.length === 0) return -1;
      swap(0, patches.length - 1);
      const first = patches.pop()!;
      popped = areas.pop()!;
      for (let i = 0; ; ) {
        let least = i;
        for (const child of [2 * i + 1, 2 * i + 2]) if (child < patches.length && before(child, least)) least = child;
        if (least === i) return first;
        swap(i, least);
        i = least;
      }
    },
    get area() {
      return popped;
    },
  };
}
