import { measureBox, measureDiagonal } from '@isoskin/core/mesh';
import { colorMap, colorValues } from '../color-map.js';
import { decodePicture, type PictureChain } from '../decode-picture.js';
import { encodePng } from '../encode-png.js';
import { type Picture, toSrgb } from '../picture.js';
import { type CameraOptions, listBoxCorners, placeCamera } from '../place-camera.js';
import { CLAY, type PictureMesh, projectPoints } from '../place-meshes.js';
import { renderPicture } from '../render-picture.js';
import type { BakeReportData, ReportClip, ReportPart } from './bake-report-data.js';
import { chooseColors, chooseEye } from './choose-look.js';
import { toBase64 } from './to-base64.js';

export type ReportPose = NonNullable<ReportClip['pose']>;

/** By number; undefined: one that cannot be read. */
export type ReportPictures = readonly (PictureChain | undefined)[];

/** The pose as plain skinning gives it, as the file gives it, and that coloured by how far it moved. */
export const STILLS = ['skinned', 'baked', 'moved'] as const;

export interface ReportStill {
  readonly pose: ReportPose;
  readonly kind: (typeof STILLS)[number];
}

const SIZE = 440;
const BORDER = 24;

/** One picture of a pose, as a data: URI. One camera for all of a pose, on the worst region and what is around it, from the side that it is on. */
export async function drawStill(
  triangles: ArrayLike<number>,
  { pose, kind }: ReportStill,
  parts: readonly ReportPart[] = [],
  pictures: ReportPictures = [],
): Promise<string> {
  const { skinned, baked, focus } = pose;
  const whole = measureBox(baked, measureBox(skinned));
  const box = focus ? growBox(focus, whole) : whole;
  const eye = focus && chooseEye(focus, skinned);
  const camera: CameraOptions = { box, azimuth: 38, ...(eye && { direction: [-eye[0], -eye[1], -eye[2]] as const }) };
  const { shares, reach } = measureMoves(pose);
  const look = kind === 'moved' ? { colors: colorValues(shares, 0, reach || 1) } : dress(parts, pictures);
  const picture = renderPicture({
    width: SIZE,
    height: SIZE,
    meshes: [{ positions: kind === 'skinned' ? skinned : baked, triangles, ...look }],
    camera,
    background: null,
  });
  return `data:image/png;base64,${toBase64(await encodePng(cropPicture(picture, frameStill(pose, camera))))}`;
}

/** How far every vertex moved, relative to the size of the pose, and the farthest: the end of the colour scale. */
export function measureMoves({ skinned, baked }: ReportPose): { shares: Float64Array; reach: number } {
  const size = measureDiagonal(skinned);
  const shares = new Float64Array(skinned.length / 3);
  for (let v = 0; v < shares.length; v++) {
    const [x, y, z] = [0, 1, 2].map((r) => baked[3 * v + r]! - skinned[3 * v + r]!) as [number, number, number];
    shares[v] = Math.hypot(x, y, z) / size;
  }
  return { shares, reach: shares.reduce((most, d) => Math.max(most, d), 0) };
}

/** Three quarters of its size around a region, and no more than the whole. */
function growBox(focus: readonly number[], whole: readonly number[]): number[] {
  const margin = 0.75 * Math.max(...[0, 1, 2].map((r) => focus[r + 3]! - focus[r]!));
  return focus.map((x, i) => (i < 3 ? Math.max(whole[i]!, x - margin) : Math.min(whole[i]!, x + margin)));
}

/** The materials' base colours, vertex colours and pictures, on the triangles of the file; undefined: clay. */
function dress(parts: readonly ReportPart[], pictures: ReportPictures): Partial<PictureMesh> | undefined {
  const colors = chooseColors(parts, (texture) => pictures[texture] !== undefined);
  if (!colors.some(Boolean)) return undefined;
  const triangles: number[] = [];
  const cornerColors: number[] = [];
  const uv: number[] = [];
  const of: number[] = [];
  parts.forEach((part, p) => {
    const color = colors[p];
    for (let c = 0; c < part.triangles.length; c++) {
      const v = part.triangles[c]!;
      triangles.push(part.welded[v]!);
      for (let r = 0; r < 3; r++)
        cornerColors.push(color ? toSrgb(color[r]! * (part.colors?.[3 * v + r] ?? 1)) : CLAY[r]!);
      uv.push(part.uv?.[2 * v] ?? 0, part.uv?.[2 * v + 1] ?? 0);
      if (c % 3 === 0) of.push(color ? (part.texture ?? -1) : -1);
    }
  });
  const known = pictures.map((picture) => picture ?? []);
  return { triangles, cornerColors, textures: { pictures: known, of, uv } };
}

/** Pictures of base colours as `drawStill` takes them. */
export function decodeTextures({ textures = [] }: Pick<BakeReportData, 'textures'>): Promise<ReportPictures> {
  return Promise.all(textures.map(({ type, bytes }) => decodePicture(type, bytes)));
}

/** Left, top, right and bottom pixel between which a pose is seen, both ways. */
function frameStill({ skinned, baked }: ReportPose, camera: CameraOptions): number[] {
  const placed = placeCamera(camera, listBoxCorners(camera.box!), SIZE, SIZE);
  const points = [skinned, baked].map((positions) => projectPoints(positions, placed, SIZE, SIZE).points);
  const box = measureBox(points[1]!, measureBox(points[0]!));
  const within = (x: number) => Math.max(0, Math.min(SIZE, x));
  return [box[0]!, box[1]!]
    .map((x) => within(Math.floor(x)))
    .concat([box[3]!, box[4]!].map((x) => within(Math.ceil(x))));
}

/** That part of a picture, with a border. */
function cropPicture(picture: Picture, [left, top, right, bottom]: readonly number[]): Picture {
  const [w, h] = [right! - left! + 2 * BORDER, bottom! - top! + 2 * BORDER];
  if (!(right! > left! && bottom! > top!)) return picture;
  const rgba = new Uint8ClampedArray(4 * w * h);
  for (let y = top!; y < bottom!; y++) {
    const from = 4 * (y * picture.width + left!);
    rgba.set(picture.rgba.subarray(from, from + 4 * (right! - left!)), 4 * ((y - top! + BORDER) * w + BORDER));
  }
  return { width: w, height: h, rgba };
}

/** The colour scale as a CSS gradient. */
export function cssGradient(): string {
  const stops = Array.from({ length: 9 }, (_, i) => {
    const [r, g, b] = colorMap(i / 8).map((value) => Math.round(255 * value));
    return `rgb(${r} ${g} ${b})`;
  });
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}
