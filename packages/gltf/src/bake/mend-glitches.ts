import type { SourceSkin } from './plan-source-skin.js';

/**
 * A correction that jumps away for one sample and back again would flash on the screen: it is replaced by the mean of its
 * neighbours, in place. (The volume is made exact again by `polish`.)
 *
 *   glitch:  |r_f − (r_{f−1} + r_{f+1})/2| > 1¼ · max(|r_{f+1} − r_{f−1}|, |r_{f+2} − r_{f+1}|, |r_{f−1} − r_{f−2}|, floor)
 *
 * `deltas`: #samples × #U×3; `ranges`: samples of each clip; `floorOf`: group → floor. With |·| the largest distance of a point. A kink of the motion passes, because its speed goes on behind it. O(rows · n).
 */
export function mendGlitches(
  deltas: Float32Array,
  { groupOffsets, pointCount }: SourceSkin,
  ranges: readonly (readonly [number, number])[],
  floorOf: (group: number) => number,
): number {
  const width = 3 * pointCount;
  let mended = 0;
  for (let g = 0; g + 1 < groupOffsets.length; g++) {
    const [from, to] = [3 * groupOffsets[g]!, 3 * groupOffsets[g + 1]!];
    if (from === to) continue;
    for (const [first, end] of ranges) {
      const rows = Array.from({ length: end - first }, (_, i) =>
        deltas.subarray((first + i) * width + from, (first + i) * width + to),
      );
      mended += mendRows(rows, floorOf(g));
    }
  }
  return mended;
}

function mendRows(rows: readonly Float32Array[], floor: number): number {
  let mended = 0;
  for (let f = 1; f + 1 < rows.length; f++) {
    const [before, row, after] = [rows[f - 1]!, rows[f]!, rows[f + 1]!];
    const bend = measureBend(before, row, after);
    if (bend <= floor) continue;
    const motion = Math.max(
      measureStep(before, after),
      f + 2 < rows.length ? measureStep(after, rows[f + 2]!) : 0,
      f > 1 ? measureStep(rows[f - 2]!, before) : 0,
    );
    if (bend <= 1.25 * motion) continue;
    for (let i = 0; i < row.length; i++) row[i] = (before[i]! + after[i]!) / 2;
    mended++;
  }
  return mended;
}

function measureStep(a: Float32Array, b: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i += 3) {
    const square = (b[i]! - a[i]!) ** 2 + (b[i + 1]! - a[i + 1]!) ** 2 + (b[i + 2]! - a[i + 2]!) ** 2;
    if (square > largest) largest = square;
  }
  return Math.sqrt(largest);
}

function measureBend(a: Float32Array, b: Float32Array, c: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i += 3) {
    const x = b[i]! - (a[i]! + c[i]!) / 2;
    const y = b[i + 1]! - (a[i + 1]! + c[i + 1]!) / 2;
    const z = b[i + 2]! - (a[i + 2]! + c[i + 2]!) / 2;
    const square = x * x + y * y + z * z;
    if (square > largest) largest = square;
  }
  return Math.sqrt(largest);
}
