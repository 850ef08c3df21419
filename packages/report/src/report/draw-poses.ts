import { measureBox } from '@isoskin/core/mesh';
import { colorMap, colorValues } from '../color-map.js';
import { decodePicture, type PictureChain } from '../decode-picture.js';
import { encodePng } from '../encode-png.js';
import { type Picture, toSrgb } from '../picture.js';
import { CLAY, type PictureMesh } from '../place-meshes.js';
import { renderPicture } from '../render-picture.js';
import type { BakeReportData, ReportClip, ReportPart } from './bake-report-data.js';
import { chooseEye } from './encode-films.js';
import { toBase64 } from './to-base64.js';

export type ReportPose = NonNullable<ReportClip['pose']>;

/** By number; undefined: one that cannot be read. */
export type ReportPictures = readonly (PictureChain | undefined)[];

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
/** Share of the light that white gives back: all of it would drown its own shading. */
const LIGHTEST = 0.75;

/**
 * The pose as plain skinning gives it, as the file gives it, and that coloured by how far it moved. One camera for all, on the worst region
 * and what is around it, from the side that it is on.
 */
export async function drawPoses(
  triangles: ArrayLike<number>,
  pose: ReportPose,
  parts: readonly ReportPart[] = [],
  pictures: ReportPictures = [],
): Promise<PosePictures> {
  const { skinned, baked, focus } = pose;
  const whole = measureBox(baked, measureBox(skinned));
  const box = focus ? growBox(focus, whole) : whole;
  const eye = focus && chooseEye(focus, skinned);
  const look = dress(parts, pictures);
  const size = Math.hypot(whole[3]! - whole[0]!, whole[4]! - whole[1]!, whole[5]! - whole[2]!) || 1;
  const moved = new Float64Array(skinned.length / 3);
  for (let v = 0; v < moved.length; v++) {
    const [x, y, z] = [0, 1, 2].map((r) => baked[3 * v + r]! - skinned[3 * v + r]!) as [number, number, number];
    moved[v] = Math.hypot(x, y, z) / size;
  }
  const reach = moved.reduce((most, d) => Math.max(most, d), 0);
  const draw = (positions: Float64Array, own?: Partial<PictureMesh>) =>
    renderPicture({
      width: SIZE,
      height: SIZE,
      meshes: [{ positions, triangles, ...own }],
      camera: { box, azimuth: 38, ...(eye && { direction: [-eye[0], -eye[1], -eye[2]] as const }) },
      background: null,
    });
  const drawn = cropPictures([
    draw(skinned, look),
    draw(baked, look),
    draw(baked, { colors: colorValues(moved, 0, reach || 1) }),
  ]);
  const encode = async (picture: Picture) => `data:image/png;base64,${toBase64(await encodePng(picture))}`;
  const [before, after, colored] = await Promise.all(drawn.map(encode));
  return { skinned: before!, baked: after!, moved: colored!, reach };
}

/** Three quarters of its size around a region, and no more than the whole. */
function growBox(focus: readonly number[], whole: readonly number[]): number[] {
  const margin = 0.75 * Math.max(...[0, 1, 2].map((r) => focus[r + 3]! - focus[r]!));
  return focus.map((x, i) => (i < 3 ? Math.max(whole[i]!, x - margin) : Math.min(whole[i]!, x + margin)));
}

/** The materials' base colours, vertex colours and pictures, on the triangles of the file; a part whose picture cannot be read, and a model without any of them, is clay. */
function dress(parts: readonly ReportPart[], pictures: ReportPictures): Partial<PictureMesh> | undefined {
  if (!parts.some(({ texture, color, colors }) => pictures[texture ?? -1] || colors || color.some((c) => c !== 1)))
    return undefined;
  const triangles: number[] = [];
  const cornerColors: number[] = [];
  const uv: number[] = [];
  const of: number[] = [];
  for (const part of parts) {
    const isClay = part.texture !== undefined && !pictures[part.texture];
    for (let c = 0; c < part.triangles.length; c++) {
      const v = part.triangles[c]!;
      triangles.push(part.welded[v]!);
      for (let r = 0; r < 3; r++)
        cornerColors.push(isClay ? CLAY[r]! : toSrgb(LIGHTEST * part.color[r]! * (part.colors?.[3 * v + r] ?? 1)));
      uv.push(part.uv?.[2 * v] ?? 0, part.uv?.[2 * v + 1] ?? 0);
      if (c % 3 === 0) of.push(isClay ? -1 : (part.texture ?? -1));
    }
  }
  const known = pictures.map((picture) => picture ?? []);
  return { triangles, cornerColors, textures: { pictures: known, of, uv } };
}

/** Pictures of base colours as `drawPoses` takes them. */
export function decodeTextures({ textures = [] }: Pick<BakeReportData, 'textures'>): Promise<ReportPictures> {
  return Promise.all(textures.map(({ type, bytes }) => decodePicture(type, bytes)));
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
