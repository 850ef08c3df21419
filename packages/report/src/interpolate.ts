import { type Picture, toLinear } from './picture.js';
import type { PlacedMeshes } from './place-meshes.js';

/** One point of a triangle as the shader needs it; written by `interpolate`, owned by the caller. */
export interface SurfacePoint {
  readonly normal: Float64Array;
  readonly color: Float64Array;
  /** Seen from behind; the normal has been turned to the eye. */
  back: boolean;
  /** Distance to the nearest edge, in samples. */
  edge: number;
}

export function createSurfacePoint(): SurfacePoint {
  return { normal: new Float64Array(3), color: new Float64Array(3), back: false, edge: 0 };
}

/** Normal (length 1) and colour of triangle t at the place x, y of the screen (in samples), right in perspective. */
export function interpolate(
  out: SurfacePoint,
  scene: PlacedMeshes,
  perspective: boolean,
  t: number,
  x: number,
  y: number,
): void {
  const { screen, normals, colors } = scene;
  const o = 9 * t;
  const ax = screen[o]!;
  const ay = screen[o + 1]!;
  const bx = screen[o + 3]! - ax;
  const by = screen[o + 4]! - ay;
  const cx = screen[o + 6]! - ax;
  const cy = screen[o + 7]! - ay;
  const area = bx * cy - by * cx;
  // Samples beside the triangle (the middle of a pixel whose samples are inside) take the nearest value.
  let v = Math.min(1, Math.max(0, ((x - ax) * cy - (y - ay) * cx) / area));
  let w = Math.min(1 - v, Math.max(0, ((y - ay) * bx - (x - ax) * by) / area));
  let u = 1 - v - w;
  // The screen's y points down: a triangle that faces the eye runs clockwise there and has a negative area.
  out.back = area > 0;
  out.edge = Infinity;
  if (scene.wireframe[t]) {
    const size = Math.abs(area);
    out.edge = Math.min(
      (u * size) / Math.hypot(cx - bx, cy - by),
      (v * size) / Math.hypot(cx, cy),
      (w * size) / Math.hypot(bx, by),
    );
  }
  if (perspective) {
    u *= screen[o + 2]!;
    v *= screen[o + 5]!;
    w *= screen[o + 8]!;
    const sum = u + v + w;
    u /= sum;
    v /= sum;
    w /= sum;
  }
  for (let k = 0; k < 3; k++) {
    out.normal[k] = u * normals[o + k]! + v * normals[o + 3 + k]! + w * normals[o + 6 + k]!;
    out.color[k] = u * colors[o + k]! + v * colors[o + 3 + k]! + w * colors[o + 6 + k]!;
  }
  const picture = scene.pictures[t];
  if (picture) {
    const at = (r: number) => u * scene.uv[6 * t + r]! + v * scene.uv[6 * t + 2 + r]! + w * scene.uv[6 * t + 4 + r]!;
    multiplyTexel(out.color, picture, at(0), at(1));
  }
  const [nx, ny, nz] = [out.normal[0]!, out.normal[1]!, out.normal[2]!];
  const scale = (out.back ? -1 : 1) / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
  for (let k = 0; k < 3; k++) out.normal[k]! *= scale;
}

const LIGHT = Float32Array.from({ length: 256 }, (_, i) => toLinear(i / 255));

/** Between the four pixels around a place, as light. */
function multiplyTexel(color: Float64Array, { width, height, rgba }: Picture, u: number, v: number): void {
  const [x, y] = [(u - Math.floor(u)) * width - 0.5, (v - Math.floor(v)) * height - 0.5];
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - x0, y - y0];
  for (let k = 0; k < 3; k++) {
    let light = 0;
    for (let n = 0; n < 4; n++) {
      const column = (x0 + (n & 1) + width) % width;
      const row = (y0 + (n >> 1) + height) % height;
      const share = (n & 1 ? right : 1 - right) * (n >> 1 ? down : 1 - down);
      light += share * LIGHT[rgba[4 * (row * width + column) + k]!]!;
    }
    color[k]! *= light;
  }
}
