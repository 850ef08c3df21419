/** A picture in memory, rows from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** #width·height×4, sRGB and straight alpha. */
  readonly rgba: Uint8ClampedArray;
}

/** Red, green, blue in sRGB, 0 … 1. */
export type Color = readonly [number, number, number];

/** sRGB → light. */
export function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Light → sRGB. */
export function toSrgb(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}
