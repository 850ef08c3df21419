/**
 * Cosine and sine of half the angle of (x, y), ½ atan2(y, x), the same bits on every engine: trigonometric functions are not.
 *
 *   r = |(x, y)|,   c = √((r + x)/2r),   s = y/2rc   where x ≥ 0, and the other way round where it is not
 */
import { measureLength } from '../mesh/measure-length.js';

export function halfTurn(y: number, x: number): readonly [cosine: number, sine: number] {
  const r = measureLength(x, y, 0);
  if (!(r > 0)) return [1, 0];
  const large = Math.sqrt((r + Math.abs(x)) / (2 * r));
  const small = Math.abs(y) / (2 * r * large);
  const sign = y < 0 ? -1 : 1;
  return x >= 0 ? [large, sign * small] : [small, sign * large];
}
