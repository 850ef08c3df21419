import { createSurfacePoint, interpolate } from './interpolate.js';
import type { Camera } from './place-camera.js';
import type { PlacedMeshes } from './place-meshes.js';
import type { Visibility } from './rasterize.js';

const TAPS = 12;
/** Radius of the neighbourhood as a share of the picture's height. */
const RADIUS = 0.07;
const STRENGTH = 1.3;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * How open every pixel is to the sky, 0 … 1, from the depth buffer: folds, armpits and contacts get their soft shade.
 *
 * A = max(0, 1 − σ·R·mean_i max(0, v_i·n − β)/(v_i·v_i + ε)), v_i = the points seen around a pixel, on a spiral that a 4×4
 * pattern turns; a 4×4 mean that respects depth takes the pattern away. Deterministic.
 * Based on: McGuire et al., The Alchemy Screen-Space Ambient Obscurance Algorithm, 2011.
 */
export function measureOcclusion(
  scene: PlacedMeshes,
  camera: Camera,
  visibility: Visibility,
  samples: number,
): Float32Array {
  const width = visibility.width / samples;
  const height = visibility.height / samples;
  const { depth, triangle } = visibility;
  const perspective = Number.isFinite(camera.distance);
  const middle = samples >> 1;
  const pixel = (x: number, y: number) => (y * samples + middle) * visibility.width + x * samples + middle;

  // Points in view space, the eye at the origin in perspective; not-a-number where nothing is seen, which no comparison
  // below lets through.
  const points = new Float32Array(3 * width * height).fill(Number.NaN);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      const s = pixel(x, y);
      if (triangle[s]! < 0) continue;
      const w = perspective ? 1 / depth[s]! : 1;
      points[i] = ((2 * (x + 0.5)) / width - 1) * camera.tanX * w;
      points[i + 1] = (1 - (2 * (y + 0.5)) / height) * camera.tanY * w;
      points[i + 2] = perspective ? -w : depth[s]!;
    }
  }

  const raw = new Float32Array(width * height).fill(1);
  const taps = createTaps(RADIUS * height);
  const reach = 2 * RADIUS * camera.tanY * (perspective ? camera.distance : 1);
  const bias = 0.02 * reach;
  const softness = 0.01 * reach * reach;
  const point = createSurfacePoint();
  const { normal } = point;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const s = pixel(x, y);
      if (triangle[s]! < 0) continue;
      const i = 3 * (y * width + x);
      const px = points[i]!;
      const py = points[i + 1]!;
      const pz = points[i + 2]!;
      interpolate(point, scene, perspective, triangle[s]!, x * samples + middle + 0.5, y * samples + middle + 0.5);
      const nx = normal[0]!;
      const ny = normal[1]!;
      const nz = normal[2]!;
      const turn = (((x & 3) * 4 + (y & 3) * 7) & 15) * 2 * TAPS;
      let sum = 0;
      for (let k = 0; k < TAPS; k++) {
        const qx = x + taps[turn + 2 * k]!;
        const qy = y + taps[turn + 2 * k + 1]!;
        if (qx < 0 || qy < 0 || qx >= width || qy >= height) continue;
        const j = 3 * (qy * width + qx);
        const vx = points[j]! - px;
        const vy = points[j + 1]! - py;
        const vz = points[j + 2]! - pz;
        const rise = vx * nx + vy * ny + vz * nz - bias;
        if (rise > 0) sum += rise / (vx * vx + vy * vy + vz * vz + softness);
      }
      raw[i / 3] = Math.max(0, 1 - (STRENGTH * reach * sum) / TAPS);
    }
  }
  return blurWithin(raw, points, width, height, reach);
}

/** Sixteen spirals of pixel offsets, each turned a little further. */
function createTaps(radius: number): Int32Array {
  const taps = new Int32Array(16 * 2 * TAPS);
  for (let i = 0; i < 16 * TAPS; i++) {
    const k = i % TAPS;
    const angle = k * GOLDEN_ANGLE + Math.floor(i / TAPS) * (Math.PI / 8);
    const r = radius * Math.sqrt((k + 0.5) / TAPS);
    taps[2 * i] = Math.round(r * Math.cos(angle));
    taps[2 * i + 1] = Math.round(r * Math.sin(angle));
  }
  return taps;
}

/** Mean over 4×4 pixels that are about as deep. */
function blurWithin(
  raw: Float32Array,
  points: Float32Array,
  width: number,
  height: number,
  reach: number,
): Float32Array {
  const out = new Float32Array(raw.length).fill(1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const z = points[3 * i + 2]!;
      if (Number.isNaN(z)) continue;
      let sum = 0;
      let count = 0;
      for (let qy = Math.max(0, y - 2); qy < Math.min(height, y + 2); qy++) {
        for (let qx = Math.max(0, x - 2); qx < Math.min(width, x + 2); qx++) {
          const j = qy * width + qx;
          const qz = points[3 * j + 2]!;
          if (!(Math.abs(qz - z) <= 0.5 * reach)) continue;
          sum += raw[j]!;
          count++;
        }
      }
      out[i] = sum / count;
    }
  }
  return out;
}
