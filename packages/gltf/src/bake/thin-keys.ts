/**
 * Keeps the fewest keys that a greedy walk finds: a stretch between two keys grows as long as every sample inside it is
 * `accept`ed at the value that LINEAR interpolation gives there. The first and the last sample are always keys.
 */
export function thinKeys(
  times: ArrayLike<number>,
  accept: (first: number, last: number, middle: number, share: number) => boolean,
): number[] {
  const count = times.length;
  const keys = [0];
  let first = 0;
  while (first < count - 1) {
    let last = first + 1;
    while (last + 1 < count && last + 1 - first <= LONGEST && holds(times, first, last + 1, accept)) last++;
    keys.push(last);
    first = last;
  }
  return keys;
}

/** Samples between two keys at most, which keeps the walk linear in the length of the clip. */
const LONGEST = 120;

function holds(
  times: ArrayLike<number>,
  first: number,
  last: number,
  accept: (first: number, last: number, middle: number, share: number) => boolean,
): boolean {
  const span = times[last]! - times[first]!;
  for (let m = last - 1; m > first; m--) {
    if (!accept(first, last, m, (times[m]! - times[first]!) / span)) return false;
  }
  return true;
}
