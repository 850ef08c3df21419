import { IsoskinError } from '@isoskin/core';
import { createSurfacePoint, interpolate } from './interpolate.js';
import { measureOcclusion } from './measure-occlusion.js';
import { type Color, type Picture, toLinear, toSrgb } from './picture.js';
import { type CameraOptions, listBoxCorners, placeCamera } from './place-camera.js';
import { type PictureMesh, type PlacedMeshes, placeMeshes } from './place-meshes.js';
import { rasterize, type Visibility } from './rasterize.js';
import { shadePoint } from './shade-point.js';

/** What to draw, from where and how finely. */
export interface PictureOptions {
  readonly width: number;
  readonly height: number;
  readonly meshes: readonly PictureMesh[];
  readonly camera?: CameraOptions;
  /** One colour, top and bottom of a gradient, or null for a transparent picture. Default: soft grey-white. */
  readonly background?: Color | readonly [Color, Color] | null;
  /** Samples per pixel in each direction, 1 … 4. Default 2. */
  readonly samples?: number;
  /** Soft shade in folds and contacts. Default true. */
  readonly occlusion?: boolean;
}

/** Keeps the sample buffers within what a typed array can hold on any machine. */
const LARGEST = 8192;

const BACKGROUND: readonly [Color, Color] = [
  [0.972, 0.972, 0.975],
  [0.905, 0.908, 0.915],
];

/**
 * Draws meshes in software: z-buffer, supersampling, three lights, soft shade in the folds. The same input gives the
 * same bytes on every machine with the same Math.
 * Complexity: O(#T + samples); a z-buffer of 8 bytes per sample is allocated.
 */
export function renderPicture(options: PictureOptions): Picture {
  const { width, height, meshes } = options;
  checkSize(width, 'width');
  checkSize(height, 'height');
  const samples = Math.min(4, Math.max(1, Math.round(options.samples ?? 2)));
  const camera = placeCamera(options.camera ?? {}, listFramed(options), width, height);
  const scene = placeMeshes(meshes, camera, width * samples, height * samples);
  const visibility = rasterize(scene, width * samples, height * samples);
  const openness = options.occlusion === false ? null : measureOcclusion(scene, camera, visibility, samples);
  return resolve(scene, visibility, openness, Number.isFinite(camera.distance), samples, options.background);
}

function checkSize(size: number, place: string): void {
  if (Number.isInteger(size) && size >= 1 && size <= LARGEST) return;
  throw new IsoskinError(
    'PICTURE_SIZE',
    `A picture cannot be ${size} pixels in ${place}: give a whole number from 1 to ${LARGEST}.`,
    place,
  );
}

/** The points that must be inside the frame. */
function listFramed({ camera, meshes }: PictureOptions): ArrayLike<number> {
  if (camera?.box) return listBoxCorners(camera.box);
  const points = new Float64Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  let at = 0;
  for (const mesh of meshes) {
    points.set(mesh.positions, at);
    at += mesh.positions.length;
  }
  return points;
}

/** Shades the samples of every pixel and averages their light. */
function resolve(
  scene: PlacedMeshes,
  visibility: Visibility,
  openness: Float32Array | null,
  perspective: boolean,
  samples: number,
  background: PictureOptions['background'] = BACKGROUND,
): Picture {
  const width = visibility.width / samples;
  const height = visibility.height / samples;
  const { triangle } = visibility;
  const rgba = new Uint8ClampedArray(4 * width * height);
  const levels = createLevels();
  const sum = new Float64Array(3);
  const sky = new Float64Array(3);
  const point = createSurfacePoint();
  const lineWidth = 0.9 * samples;
  const total = samples * samples;
  for (let y = 0; y < height; y++) {
    if (background) mixBackground(sky, background, height > 1 ? y / (height - 1) : 0);
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const open = openness ? openness[pixel]! : 1;
      const corner = y * samples * visibility.width + x * samples;
      const first = triangle[corner]!;
      let same = first < 0 || scene.wireframe[first] === 0;
      for (let s = 1; s < total && same; s++) {
        same = triangle[corner + Math.floor(s / samples) * visibility.width + (s % samples)] === first;
      }
      sum.fill(0);
      let covered = 0;
      if (same && first >= 0) {
        // One look in the middle is enough where all samples see the same triangle.
        interpolate(point, scene, perspective, first, (x + 0.5) * samples, (y + 0.5) * samples);
        shadePoint(sum, point, open, lineWidth);
        covered = 1;
      } else if (!same) {
        for (let s = 0; s < total; s++) {
          const sy = Math.floor(s / samples);
          const sx = s % samples;
          const t = triangle[corner + sy * visibility.width + sx]!;
          if (t < 0) continue;
          interpolate(point, scene, perspective, t, x * samples + sx + 0.5, y * samples + sy + 0.5);
          shadePoint(sum, point, open, lineWidth);
          covered += 1;
        }
        for (let k = 0; k < 3; k++) sum[k]! /= total;
        covered /= total;
      }
      for (let k = 0; k < 3; k++) {
        // A transparent picture keeps straight alpha: its colour is that of the covered part alone.
        const light = background ? sum[k]! + (1 - covered) * sky[k]! : sum[k]! / (covered || 1);
        rgba[4 * pixel + k] = levels[Math.min(4095, Math.round(4095 * light))]!;
      }
      rgba[4 * pixel + 3] = background ? 255 : Math.round(255 * covered);
    }
  }
  return { width, height, rgba };
}

function mixBackground(out: Float64Array, background: Color | readonly [Color, Color], share: number): void {
  const [top, bottom] =
    typeof background[0] === 'number'
      ? [background as Color, background as Color]
      : (background as readonly [Color, Color]);
  for (let k = 0; k < 3; k++) out[k] = toLinear(top[k]! + share * (bottom[k]! - top[k]!));
}

/** 4096 steps of light → 8-bit sRGB; the eye sees no step between neighbours and the picture needs no power per pixel. */
function createLevels(): Uint8Array {
  return Uint8Array.from({ length: 4096 }, (_, i) => Math.round(255 * toSrgb(i / 4095)));
}
