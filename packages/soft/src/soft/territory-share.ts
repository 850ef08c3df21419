/** What a probe says of a point, and the share that a primitive has of it (sample-territories.ts). */

/** Places in the result of a probe. */
export const FIELD = 0;
export const RIVAL = 1;
export const OWN = 2;
export const OTHER = 3;
export const TOP = 4;
export const SLOPE = 5;

/** Whether OWN has all or nothing of a point, so that its share does not change with the offset: SLOPE = 0. */
export function isSettled(result: Float64Array, floor: number): boolean {
  result[SLOPE] = 0;
  return result[OWN]! <= floor || result[OTHER]! <= floor;
}

/** The share of OWN in the sum of the depths above the floor, and its SLOPE. */
export function divideShare(result: Float64Array, floor: number, sum: number, others: number): number {
  const part = (result[OWN]! - floor) / sum;
  // Raising the deepest lifts the floor under the others; raising another one lifts only itself.
  result[SLOPE] = result[OWN]! >= result[OTHER]! ? (part * others) / sum : (1 - part) / sum;
  return part;
}
