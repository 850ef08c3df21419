import type { SurfacePoint } from './interpolate.js';

/** Directions in view space: x right, y up, z to the eye. */
export const KEY = normalize(-0.55, 0.75, 0.7);
export const FILL = normalize(0.85, 0.1, 0.5);
export const RIM = normalize(0.45, 0.6, -0.75);
/** Halfway between the key light and the eye. */
const SHINE = normalize(KEY[0]!, KEY[1]!, KEY[2]! + 1);

export const KEY_LIGHT = [1.0, 0.955, 0.89];
export const FILL_LIGHT = [0.14, 0.165, 0.205];
export const RIM_LIGHT = [0.85, 0.9, 1.0];
export const SKY_LIGHT = [0.3, 0.325, 0.36];
export const GROUND_LIGHT = [0.16, 0.14, 0.13];
export const BACK_SHARE = 0.38;

/**
 * Light from one point: a warm key light from the upper left, a cool fill, a rim from behind, and a sky–ground ambient
 * that `openness` (0 … 1) dims; adds rgb (linear) to `sum`.
 */
export function shadePoint(sum: Float64Array, point: SurfacePoint, openness: number, lineWidth: number): void {
  const nx = point.normal[0]!;
  const ny = point.normal[1]!;
  const nz = point.normal[2]!;
  // A key light that wraps a little round the edge of day and night keeps the shape soft.
  const key = Math.max(0, (nx * KEY[0]! + ny * KEY[1]! + nz * KEY[2]! + 0.2) / 1.2) * (0.45 + 0.55 * openness);
  const fill = Math.max(0, nx * FILL[0]! + ny * FILL[1]! + nz * FILL[2]!);
  const grazing = 1 - Math.max(0, nz);
  const rim = Math.max(0, nx * RIM[0]! + ny * RIM[1]! + nz * RIM[2]!) * grazing * grazing * grazing;
  const sky = 0.5 + 0.5 * ny;
  const facing = Math.max(0, nx * SHINE[0]! + ny * SHINE[1]! + nz * SHINE[2]!);
  // facing⁴⁰ by squaring: a power per sample would cost more than the rest of the light.
  const facing4 = facing * facing * facing * facing;
  const facing8 = facing4 * facing4;
  const facing32 = facing8 * facing8 * facing8 * facing8;
  const share = (point.back ? BACK_SHARE : 1) * lineShade(point.edge, lineWidth);
  for (let k = 0; k < 3; k++) {
    const ambient = (GROUND_LIGHT[k]! + sky * (SKY_LIGHT[k]! - GROUND_LIGHT[k]!)) * openness * openness;
    const diffuse = key * KEY_LIGHT[k]! + fill * FILL_LIGHT[k]! + ambient;
    const gloss = 0.045 * facing32 * facing8 * openness + 0.5 * rim * RIM_LIGHT[k]!;
    sum[k]! +=
      share * (point.color[k]! * (diffuse + 0.4 * rim * RIM_LIGHT[k]!) + gloss * (0.4 + 0.6 * point.color[k]!));
  }
}

/** 1 away from a wireframe's lines, less on them. */
function lineShade(distance: number, lineWidth: number): number {
  return 0.4 + 0.6 * Math.min(1, distance / lineWidth);
}

function normalize(x: number, y: number, z: number): readonly number[] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
