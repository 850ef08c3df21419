/**
 * C6. The factor λ that makes the volume exact along a fixed field, where the volume is a cubic.
 *
 *   c₃λ³ + c₂λ² + c₁λ + c₀ = V̄,   the real root nearest 1 in [0, 4]
 *
 * c₀ = V(x), c₁ = ⟨∇V(x),u⟩, c₂ = ⟨∇V(u),x⟩, c₃ = V(u). The interval is cut where the derivative vanishes; on each monotone
 * piece a root is found by Newton steps inside a shrinking bracket, so it is as exact as the arithmetic.
 *
 * Returns NaN when there is no root: the field cannot restore that much volume.
 */
const LARGEST = 4;

export function solveNormalCubic(c0: number, c1: number, c2: number, c3: number, target: number): number {
  const gap = target - c0;
  if (gap === 0) return 0;
  // Divided by the gap, the numbers are about 1: −1 + aλ + bλ² + cλ³ = 0.
  const a = c1 / gap;
  const b = c2 / gap;
  const c = c3 / gap;
  if (!Number.isFinite(a + b + c)) return Number.NaN;
  // 3cλ² + 2bλ + a = 0, without cancellation.
  let low = Number.NaN;
  let high = Number.NaN;
  const square = b * b - 3 * a * c;
  if (square > 0) {
    const q = -(b + (b < 0 ? -1 : 1) * Math.sqrt(square));
    const one = q / (3 * c);
    const other = a / q;
    low = Math.min(one, other);
    high = Math.max(one, other);
  }
  let best = Number.NaN;
  let from = 0;
  for (let piece = 0; piece < 3; piece++) {
    const turn = piece === 0 ? low : piece === 1 ? high : LARGEST;
    if (!(turn > from && turn <= LARGEST)) continue;
    const root = findRoot(a, b, c, from, turn);
    if (!(Math.abs(best - 1) <= Math.abs(root - 1)) && !Number.isNaN(root)) best = root;
    from = turn;
  }
  return best;
}

/** Root of −1 + aλ + bλ² + cλ³ between `low` and `high`, where it is monotone; NaN when it does not change sign. */
function findRoot(a: number, b: number, c: number, low: number, high: number): number {
  const value = (x: number) => ((c * x + b) * x + a) * x - 1;
  const atLow = value(low);
  const atHigh = value(high);
  if (atLow === 0) return low;
  if (atHigh === 0) return high;
  if (atLow > 0 === atHigh > 0) return Number.NaN;
  let x = low < 1 && high > 1 ? 1 : 0.5 * (low + high);
  for (let step = 0; step < 100; step++) {
    const f = value(x);
    if (f === 0) return x;
    if (f > 0 === atHigh > 0) high = x;
    else low = x;
    const newton = x - f / ((3 * c * x + 2 * b) * x + a);
    const next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (next === x || Math.abs(next - x) <= Number.EPSILON * x) return next;
    x = next;
  }
  return x;
}
