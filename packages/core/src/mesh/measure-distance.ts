import { measureLength } from './measure-length.js';

/** |x_i − x_j| of two of the points, #×3. */
export function measureDistance(x: Float64Array, i: number, j: number): number {
  return measureLength(x[3 * i]! - x[3 * j]!, x[3 * i + 1]! - x[3 * j + 1]!, x[3 * i + 2]! - x[3 * j + 2]!);
}
