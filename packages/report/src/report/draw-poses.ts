import { measureBox } from '@isoskin/core/mesh';
import { colorMap, colorValues } from '../color-map.js';
import { encodePng } from '../encode-png.js';
import type { Picture } from '../picture.js';
import { renderPicture } from '../render-picture.js';

export interface PosePictures {
  /** data: URIs. */
  readonly skinned: string;
  readonly baked: string;
  readonly moved: string;
  /** Largest displacement, relative to the size of the pose: the end of the colour scale. */
  readonly reach: number;
}

const SIZE = 560;
const BORDER = 24;

/** The pose as plain skinning gives it, as the file gives it, and that coloured by how far it moved. One camera for all. */
export async function drawPoses(
  triangles: ArrayLike<number>,
  pose: { readonly skinned: Float64Array; readonly baked: Float64Array },
): Promise<PosePictures> {
  const { skinned, baked } = pose;
  const box = measureBox(baked, measureBox(skinned));
  const size = Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!) || 1;
  const moved = new Float64Array(skinned.length / 3);
  for (let v = 0; v < moved.length; v++) {
    const [x, y, z] = [0, 1, 2].map((r) => baked[3 * v + r]! - skinned[3 * v + r]!) as [number, number, number];
    moved[v] = Math.hypot(x, y, z) / size;
  }
  const reach = moved.reduce((most, d) => Math.max(most, d), 0);
  const draw = (positions: Float64Array, colors?: Float32Array) => {
    const mesh = { positions, triangles, ...(colors && { colors }) };
    return renderPicture({ width: SIZE, height: SIZE, meshes: [mesh], camera: { box, azimuth: 38 }, background: null });
  };
  const pictures = cropPictures([draw(skinned), draw(baked), draw(baked, colorValues(moved, 0, reach || 1))]);
  const encode = async (picture: Picture) => `data:image/png;base64,${toBase64(await encodePng(picture))}`;
  const [before, after, colored] = await Promise.all(pictures.map(encode));
  return { skinned: before!, baked: after!, moved: colored!, reach };
}

/** The part of equally large pictures in which something is drawn in any of them, with a border. */
function cropPictures(pictures: readonly Picture[]): Picture[] {
  const { width, height } = pictures[0]!;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const { rgba } of pictures) {
    for (let i = 0; i < width * height; i++) {
      if (rgba[4 * i + 3] === 0) continue;
      const [x, y] = [i % width, Math.floor(i / width)];
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  if (right <= left) return [...pictures];
  const [w, h] = [right - left + 2 * BORDER, bottom - top + 2 * BORDER];
  return pictures.map((picture) => {
    const rgba = new Uint8ClampedArray(4 * w * h);
    for (let y = top; y < bottom; y++) {
      const from = 4 * (y * width + left);
      rgba.set(picture.rgba.subarray(from, from + 4 * (right - left)), 4 * ((y - top + BORDER) * w + BORDER));
    }
    return { width: w, height: h, rgba };
  });
}

/** The colour scale as a CSS gradient. */
export function cssGradient(): string {
  const stops = Array.from({ length: 9 }, (_, i) => {
    const [r, g, b] = colorMap(i / 8).map((value) => Math.round(255 * value));
    return `rgb(${r} ${g} ${b})`;
  });
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
