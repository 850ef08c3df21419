/**
 * What the player of the page shows, small: the skin and its bones, and in whole steps what no linear skin does (e) and what the file adds (u).
 *
 *   x = Σ_b ω_b M_b(t) x̄ + step · e(t) before,   x + step · u(t) after
 */
import { measureDiagonal } from '@isoskin/core/mesh';
import { deflate } from '../deflate.js';
import { toLinear } from '../picture.js';
import { CLAY } from '../place-meshes.js';
import type { BakeReportData, ReportClip, ReportPart, ReportSkin } from './bake-report-data.js';
import { chooseColors, chooseEye } from './choose-look.js';
import { skinFilm } from './play-films.js';
import { toBase64 } from './to-base64.js';

/** Step of what is added to the skin, relative to the size: less than a pixel of the player. */
const STEP = 1e-4;
/** Bytes of pictures that are still put into the page. */
const TEXTURE_BYTES = 6_000_000;

/** Texts are arrays: deflated, in base64. */
export interface EncodedFilms {
  /** Float32, Uint32, Uint32, Float32. */
  readonly skin: Readonly<Record<keyof ReportSkin, string>>;
  readonly parts: readonly EncodedPart[];
  readonly textures: readonly string[];
  readonly films: readonly EncodedFilm[];
}

interface EncodedPart {
  /** Uint32. */
  readonly welded: string;
  readonly triangles: string;
  readonly color: readonly number[];
  /** Float32. */
  readonly colors?: string;
  readonly texture?: number;
  readonly uv?: string;
}

interface EncodedFilm {
  readonly clip: string;
  readonly times: readonly number[];
  /** Frame that is shown first. */
  readonly worst: number;
  /** What is framed: centre and radius; and from where, a unit vector to the eye. */
  readonly centre: readonly number[];
  readonly radius: number;
  readonly eye: readonly number[];
  /** Float32, per frame #B×12. */
  readonly bones: string;
  readonly step: number;
  /** e and u, as `packSteps` packs them. */
  readonly skinned: string;
  readonly moved: string;
}

export async function encodeFilms(
  data: BakeReportData,
  clips: readonly ReportClip[],
): Promise<EncodedFilms | undefined> {
  const filmed = clips.filter(({ film, pose }) => film && film.times.length > 1 && pose?.focus);
  if (filmed.length === 0) return undefined;
  const { rest, offsets, bones, weights } = data.skin;
  const textures = data.textures ?? [];
  const isSmall = textures.reduce((sum, { bytes }) => sum + bytes.length, 0) <= TEXTURE_BYTES;
  const whole = {
    welded: Array.from({ length: rest.length / 3 }, (_, v) => v),
    triangles: data.triangles,
    color: [1, 1, 1],
  };
  const parts = data.parts && data.parts.length > 0 ? data.parts : [whole];
  const colors = chooseColors(parts, () => isSmall);
  return {
    skin: {
      rest: await encode(Float32Array.from(rest)),
      offsets: await encode(Uint32Array.from(offsets)),
      bones: await encode(Uint32Array.from(bones)),
      weights: await encode(Float32Array.from(weights)),
    },
    parts: await Promise.all(parts.map((part, p) => encodePart(part, colors[p]))),
    textures: isSmall ? textures.map(({ type, bytes }) => `data:${type};base64,${toBase64(bytes)}`) : [],
    films: await Promise.all(filmed.map((clip) => encodeFilm(clip, data.skin))),
  };
}

async function encodePart(
  { welded, triangles, colors, texture, uv }: ReportPart,
  color: readonly number[] | undefined,
): Promise<EncodedPart> {
  return {
    welded: await encode(Uint32Array.from(welded)),
    triangles: await encode(Uint32Array.from(triangles)),
    color: color ?? CLAY.map(toLinear),
    ...(color && colors && { colors: await encode(colors) }),
    ...(color && texture !== undefined && uv && { texture, uv: await encode(uv) }),
  };
}

async function encodeFilm({ name, pose, film }: ReportClip, skin: ReportSkin): Promise<EncodedFilm> {
  const { times, skinned, baked } = film!;
  const count = skin.rest.length;
  const bones = film!.bones.map((frame) => Float32Array.from(frame));
  const linear = bones.map((frame) => skinFilm(new Float32Array(count), skin, frame));
  const ways: [readonly Float32Array[], readonly Float32Array[]][] = [
    [linear, skinned],
    [skinned, baked],
  ];
  let reach = 1e-30;
  for (const [from, to] of ways) {
    for (let f = 0; f < times.length; f++) {
      for (let i = 0; i < count; i++) {
        const distance = Math.abs(to[f]![i]! - from[f]![i]!);
        if (distance > reach) reach = distance;
      }
    }
  }
  const step = Math.max(STEP * measureDiagonal(skin.rest), reach / 32_767);
  const [before, moved] = ways.map(([from, to]) =>
    encode(packSteps(count, times.length, (i, f) => (to[f]![i]! - from[f]![i]!) / step)),
  );
  return {
    clip: name,
    times: times.map((t) => Number(t.toFixed(4))),
    worst: times.reduce((a, t, i) => (Math.abs(t - pose!.time) < Math.abs(times[a]! - pose!.time) ? i : a), 0),
    ...frameOf(pose!.focus!),
    eye: chooseEye(pose!.focus!, pose!.skinned),
    bones: await encode(Float32Array.from(bones.flatMap((frame) => Array.from(frame)))),
    step,
    skinned: await before!,
    moved: await moved!,
  };
}

/**
 * Every coordinate over time, rounded, as the difference to the frame before it: small ones are small numbers whatever their sign (2d, −2d − 1).
 * Low bytes of all, then high bytes: most are zero.
 */
function packSteps(rows: number, frames: number, at: (row: number, frame: number) => number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * rows * frames);
  for (let i = 0, k = 0; i < rows; i++) {
    for (let f = 0, last = 0; f < frames; f++, k++) {
      const value = Math.round(at(i, f));
      const difference = ((value - last) << 16) >> 16;
      const folded = difference < 0 ? -2 * difference - 1 : 2 * difference;
      bytes[k] = folded;
      bytes[rows * frames + k] = folded >> 8;
      last = value;
    }
  }
  return bytes;
}

/** A sphere about a box. */
function frameOf(box: readonly number[]): { centre: number[]; radius: number } {
  const centre = [0, 1, 2].map((r) => (box[r]! + box[r + 3]!) / 2);
  return { centre, radius: Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!) / 2 || 1 };
}

async function encode(values: Uint8Array | Uint32Array | Float32Array): Promise<string> {
  return toBase64(await deflate(new Uint8Array(values.buffer as ArrayBuffer, values.byteOffset, values.byteLength)));
}
