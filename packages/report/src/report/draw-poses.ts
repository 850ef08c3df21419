import { measureBox } from '@isoskin/core/mesh';
import { colorMap, colorValues } from '../color-map.js';
import { encodePng } from '../encode-png.js';
import { type Picture, toSrgb } from '../picture.js';
import { CLAY } from '../place-meshes.js';
import { renderPicture } from '../render-picture.js';
import type { ReportClip, ReportPart } from './bake-report-data.js';
import { chooseEye } from './encode-films.js';
import { toBase64 } from './to-base64.js';

export type ReportPose = NonNullable<ReportClip['pose']>;

export interface PosePictures {
  /** data: URIs. */
  readonly skinned: string;
  readonly baked: string;
  readonly moved: string;
  /** Largest displacement, relative to the size of the pose: the end of the colour scale. */
  readonly reach: number;
}

const SIZE = 440;
const BORDER = 24;

/**
 * The pose as plain skinning gives it, as the file gives it, and that coloured by how far it moved. One camera for all, on the worst region
 * and what is around it, from the side that it is on.
 */
export async function drawPoses(
  triangles: ArrayLike<number>,
  pose: ReportPose,
  parts: readonly ReportPart[] = [],
): Promise<PosePictures> {
  const { skinned, baked, focus } = pose;
  const whole = measureBox(baked, measureBox(skinned));
  const box = focus ? growBox(focus, whole) : whole;
  const eye = focus && chooseEye(focus, skinned);
  const look = paintVertices(parts, skinned.length / 3);
  const size = Math.hypot(whole[3]! - whole[0]!, whole[4]! - whole[1]!, whole[5]! - whole[2]!) || 1;
  const moved = new Float64Array(skinned.length / 3);
  for (let v = 0; v < moved.length; v++) {
    const [x, y, z] = [0, 1, 2].map((r) => baked[3 * v + r]! - skinned[3 * v + r]!) as [number, number, number];
    moved[v] = Math.hypot(x, y, z) / size;
  }
  const reach = moved.reduce((most, d) => Math.max(most, d), 0);
  const draw = (positions: Float64Array, colors?: Float32Array) => {
    const mesh = { positions, triangles, ...(colors && { colors }) };
    return renderPicture({
      width: SIZE,
      height: SIZE,
      meshes: [mesh],
      camera: { box, azimuth: 38, ...(eye && { direction: [-eye[0], -eye[1], -eye[2]] as const }) },
      background: null,
    });
  };
  const pictures = cropPictures([
    draw(skinned, look),
    draw(baked, look),
    draw(baked, colorValues(moved, 0, reach || 1)),
  ]);
  const encode = async (picture: Picture) => `data:image/png;base64,${toBase64(await encodePng(picture))}`;
  const [before, after, colored] = await Promise.all(pictures.map(encode));
  return { skinned: before!, baked: after!, moved: colored!, reach };
}

/** Three quarters of its size around a region, and no more than the whole. */
function growBox(focus: readonly number[], whole: readonly number[]): number[] {
  const margin = 0.75 * Math.max(...[0, 1, 2].map((r) => focus[r + 3]! - focus[r]!));
  return focus.map((x, i) => (i < 3 ? Math.max(whole[i]!, x - margin) : Math.min(whole[i]!, x + margin)));
}

/** Base colours of the materials; what has a picture of its own stays clay, as pictures are drawn by the player alone. */
function paintVertices(parts: readonly ReportPart[], count: number): Float32Array | undefined {
  if (!parts.some(({ texture, color }) => texture === undefined && color.some((value) => value !== 1)))
    return undefined;
  const out = Float32Array.from({ length: 3 * count }, (_, i) => CLAY[i % 3]!);
  for (const { welded, color, texture } of parts) {
    if (texture !== undefined) continue;
    for (let v = 0; v < welded.length; v++) for (let r = 0; r < 3; r++) out[3 * welded[v]! + r] = toSrgb(color[r]!);
  }
  return out;
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
