import type { PlacedMeshes } from './place-meshes.js';

/** Which triangle is in front at every sample, −1 for none. */
export interface Visibility {
  readonly width: number;
  readonly height: number;
  readonly triangle: Int32Array;
  readonly depth: Float32Array;
}

/** Draws all triangles of a scene, both sides, into a fresh z-buffer. Depth is affine on the screen; larger is nearer. */
export function rasterize(scene: PlacedMeshes, width: number, height: number): Visibility {
  const triangle = new Int32Array(width * height).fill(-1);
  const depth = new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY);
  const { screen } = scene;
  for (let t = 0; t < scene.triangleCount; t++) {
    const o = 9 * t;
    const ax = screen[o]!;
    const ay = screen[o + 1]!;
    const az = screen[o + 2]!;
    let bx = screen[o + 3]!;
    let by = screen[o + 4]!;
    let bz = screen[o + 5]!;
    let cx = screen[o + 6]!;
    let cy = screen[o + 7]!;
    let cz = screen[o + 8]!;
    let area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) continue;
    if (area < 0) {
      [bx, cx] = [cx, bx];
      [by, cy] = [cy, by];
      [bz, cz] = [cz, bz];
      area = -area;
    }
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    // u, v: edge functions of b and c over the area; a sample on an edge belongs to both sides, the first drawn keeps it.
    const ux = (cy - ay) / area;
    const uy = -(cx - ax) / area;
    const vx = -(by - ay) / area;
    const vy = (bx - ax) / area;
    const zx = ux * (bz - az) + vx * (cz - az);
    const zy = uy * (bz - az) + vy * (cz - az);
    for (let y = y0; y <= y1; y++) {
      const dy = y + 0.5 - ay;
      let s = y * width + x0;
      for (let x = x0; x <= x1; x++, s++) {
        const dx = x + 0.5 - ax;
        const u = ux * dx + uy * dy;
        const v = vx * dx + vy * dy;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const z = az + zx * dx + zy * dy;
        if (z > depth[s]!) {
          depth[s] = z;
          triangle[s] = t;
        }
      }
    }
  }
  return { width, height, triangle, depth };
}
