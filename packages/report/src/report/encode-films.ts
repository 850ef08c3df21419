/**
 * What the player of the page shows, small: vertices near the worst regions, places in 16 bits, corrections in 8, pictures of base colours.
 *
 *   x = low + step · q,   q ∈ 0 … 65535;   x + u,   u = reach · d,   d ∈ −127 … 127
 */
import type { BakeReportData, ReportClip, ReportPart } from './bake-report-data.js';
import { toBase64 } from './to-base64.js';

/** Bytes of all films, before base64. */
const FILM_BYTES = 900_000;
/** Bytes of pictures that are still put into the page. */
const TEXTURE_BYTES = 6_000_000;
/** Least frames of a film: a finer mesh is cut down to what lies near the worst region. */
const LEAST_FRAMES = 8;

export interface EncodedFilms {
  readonly vertexCount: number;
  readonly triangles: string;
  readonly parts: readonly EncodedPart[];
  readonly textures: readonly string[];
  readonly films: readonly EncodedFilm[];
}

interface EncodedPart {
  readonly welded: string;
  readonly triangles: string;
  readonly color: readonly number[];
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
  readonly low: readonly number[];
  readonly step: number;
  readonly reach: number;
  /** Per frame #V×3 of Uint16, then #V×3 of Int8. */
  readonly skinned: string;
  readonly moved: string;
}

export function encodeFilms(data: BakeReportData, clips: readonly ReportClip[]): EncodedFilms | undefined {
  const filmed = clips.filter(({ film, pose }) => film && film.times.length > 1 && pose?.focus);
  if (filmed.length === 0) return undefined;
  const count = filmed[0]!.pose!.skinned.length / 3;
  const most = Math.floor(FILM_BYTES / filmed.length / 9 / LEAST_FRAMES);
  const kept = chooseVertices(count, filmed, most);
  const place = new Map(kept.map((v, i) => [v, i]));
  const frames = Math.max(2, Math.floor(FILM_BYTES / filmed.length / 9 / kept.length));
  const keep = (triangles: ArrayLike<number>, of: (v: number) => number | undefined) => {
    const out: number[] = [];
    for (let t = 0; t + 2 < triangles.length; t += 3) {
      const corners = [of(triangles[t]!), of(triangles[t + 1]!), of(triangles[t + 2]!)];
      if (corners.every((v) => v !== undefined)) out.push(...(corners as number[]));
    }
    return Uint32Array.from(out);
  };
  const isSmall = (data.textures ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0) <= TEXTURE_BYTES;
  return {
    vertexCount: kept.length,
    triangles: encode(keep(data.triangles, (v) => place.get(v))),
    parts: (data.parts ?? []).map((part) => encodePart(part, place, keep, isSmall)),
    textures: isSmall ? (data.textures ?? []).map(({ type, bytes }) => `data:${type};base64,${toBase64(bytes)}`) : [],
    films: filmed.map((clip) => encodeFilm(clip, kept, frames)),
  };
}

function encodePart(
  { welded, triangles, color, texture, uv }: ReportPart,
  place: ReadonlyMap<number, number>,
  keep: (triangles: ArrayLike<number>, of: (v: number) => number | undefined) => Uint32Array,
  hasTextures: boolean,
): EncodedPart {
  const own: number[] = [];
  const number = new Map<number, number>();
  for (let v = 0; v < welded.length; v++) if (place.has(welded[v]!)) number.set(v, own.push(v) - 1);
  const isMapped = hasTextures && texture !== undefined && uv !== undefined;
  return {
    welded: encode(Uint32Array.from(own, (v) => place.get(welded[v]!)!)),
    triangles: encode(keep(triangles, (v) => number.get(v))),
    color,
    ...(isMapped && { texture, uv: encode(Float32Array.from(own.flatMap((v) => [uv[2 * v]!, uv[2 * v + 1]!]))) }),
  };
}

/** All vertices, or those nearest to what the films frame. */
function chooseVertices(count: number, filmed: readonly ReportClip[], most: number): number[] {
  const all = Array.from({ length: count }, (_, v) => v);
  if (count <= most) return all;
  const far = Float64Array.from(all, (v) =>
    Math.min(
      ...filmed.map(({ pose }) => {
        const { centre, radius } = frameOf(pose!.focus!);
        const at = pose!.skinned.subarray(3 * v, 3 * v + 3);
        return Math.hypot(at[0]! - centre[0]!, at[1]! - centre[1]!, at[2]! - centre[2]!) / radius;
      }),
    ),
  );
  all.sort((a, b) => far[a]! - far[b]!);
  return all.slice(0, most).sort((a, b) => a - b);
}

function encodeFilm({ name, pose, film }: ReportClip, kept: readonly number[], most: number): EncodedFilm {
  const { times, skinned, baked } = film!;
  const shown = times.map((_, i) => i).filter((i) => times.length <= most || i % Math.ceil(times.length / most) === 0);
  const nearest = times.reduce(
    (best, t, i) => (Math.abs(t - pose!.time) < Math.abs(times[best]! - pose!.time) ? i : best),
    0,
  );
  if (!shown.includes(nearest)) shown.push(nearest);
  shown.sort((a, b) => a - b);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let reach = 1e-30;
  for (const i of shown) {
    for (const v of kept) {
      for (let r = 0; r < 3; r++) {
        const x = skinned[i]![3 * v + r]!;
        low[r] = Math.min(low[r]!, x);
        high[r] = Math.max(high[r]!, x);
        reach = Math.max(reach, Math.abs(baked[i]![3 * v + r]! - x) / 127);
      }
    }
  }
  const step = Math.max(...high.map((x, r) => x - low[r]!), 1e-30) / 65535;
  const places = new Uint16Array(3 * kept.length * shown.length);
  const moved = new Int8Array(places.length);
  let at = 0;
  for (const i of shown) {
    for (const v of kept) {
      for (let r = 0; r < 3; r++, at++) {
        const x = skinned[i]![3 * v + r]!;
        places[at] = Math.round((x - low[r]!) / step);
        moved[at] = Math.round((baked[i]![3 * v + r]! - x) / reach);
      }
    }
  }
  return {
    clip: name,
    times: shown.map((i) => Number(times[i]!.toFixed(4))),
    worst: shown.indexOf(nearest),
    ...frameOf(pose!.focus!),
    eye: chooseEye(pose!.focus!, pose!.skinned),
    low,
    step,
    reach,
    skinned: encode(places),
    moved: encode(moved),
  };
}

/** A sphere about a box. */
function frameOf(box: readonly number[]): { centre: number[]; radius: number } {
  const centre = [0, 1, 2].map((r) => (box[r]! + box[r + 3]!) / 2);
  return { centre, radius: Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!) / 2 || 1 };
}

/** From the front and a little above, and from the side of the body that the region is on. A unit vector. */
export function chooseEye(focus: readonly number[], positions: ArrayLike<number>): [number, number, number] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  const size = Math.max(...high.map((x, r) => x - low[r]!)) || 1;
  const out = [0.25, 0.3, 0.8].map(
    (front, r) => front + (3 * ((focus[r]! + focus[r + 3]!) / 2 - (low[r]! + high[r]!) / 2)) / size,
  );
  out[1] = Math.max(-0.6, Math.min(0.6, out[1]!));
  const length = Math.hypot(out[0]!, out[1]!, out[2]!) || 1;
  return [out[0]! / length, out[1]! / length, out[2]! / length];
}

function encode(values: Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array): string {
  return toBase64(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}
