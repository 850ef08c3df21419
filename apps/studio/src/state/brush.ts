/**
 * The brush: values painted on vertices under a round, soft tip.
 *
 *   paint   v ← v + s·w·(target − v)      w = (1 − (d/r)²)², d the distance to the middle of the tip
 *   smooth  v ← v + s·w·(mean of the neighbours − v)
 *   erase   v ← v + s·w·(u − v)           u is unpainted: 1 multiplies by nothing, 0 is not fixed
 *
 * What is fixed has a hard edge: s·w = 1 for paint and erase, and the target is 1.
 *
 * Only vertices that face the same way as the skin under the tip are touched, so a thin part is not painted through.
 */
import type { CharacterFacts } from '../engine/protocol.js';
import type { Paint } from './studio-document.js';

export type PaintChannel = keyof Paint;
export type BrushMode = 'paint' | 'smooth' | 'erase';

export interface BrushSettings {
  readonly channel: PaintChannel;
  readonly mode: BrushMode;
  /** Radius on the screen, CSS pixels. */
  readonly size: number;
  /** 0 … 1, share of the way per dab. */
  readonly strength: number;
  /** What is painted, 0 … 2: a multiplier. */
  readonly value: number;
  readonly mirror: boolean;
}

export const FIRST_BRUSH: BrushSettings = {
  channel: 'gamma',
  mode: 'paint',
  size: 40,
  strength: 0.5,
  value: 1.8,
  mirror: false,
};
export const MOST_PAINT = 2;
export const unpainted = (channel: PaintChannel) => (channel === 'fixed' ? 0 : 1);

export interface Dab {
  readonly point: readonly number[];
  readonly normal: readonly number[];
  readonly radius: number;
}

export interface Brush {
  /** Changes `values` (#V) in place; `positions` and `normals` (#V×3) are those on the screen. */
  dab(values: Float32Array, positions: Float32Array, normals: Float32Array, settings: BrushSettings, dab: Dab): void;
}

export function createBrush({ triangles, rest, vertexCount }: CharacterFacts): Brush {
  let neighbours: { offsets: Uint32Array; list: Uint32Array } | undefined;
  let mirror: Int32Array | undefined;
  const touched: number[] = [];
  const change = new Float32Array(vertexCount);

  return {
    dab(values, positions, normals, settings, { point, normal, radius }) {
      const { channel, mode, strength, mirror: isMirrored } = settings;
      const isHard = channel === 'fixed' && mode !== 'smooth';
      const value = channel === 'fixed' ? 1 : settings.value;
      touched.length = 0;
      for (let k = 0; k < vertexCount; k++) {
        const i = 3 * k;
        const x = positions[i]! - point[0]!;
        const y = positions[i + 1]! - point[1]!;
        const z = positions[i + 2]! - point[2]!;
        const t = (x * x + y * y + z * z) / (radius * radius);
        if (t >= 1) continue;
        const facing = normals[i]! * normal[0]! + normals[i + 1]! * normal[1]! + normals[i + 2]! * normal[2]!;
        if (facing <= 0) continue;
        const target = mode === 'erase' ? unpainted(channel) : mode === 'paint' ? value : mean(values, k);
        change[k] = (isHard ? 1 : strength * (1 - t) ** 2) * (target - values[k]!);
        touched.push(k);
      }
      for (const k of touched) values[k]! += change[k]!;
      if (!isMirrored) return;
      mirror ??= listMirrored(rest, vertexCount);
      for (const k of touched) if (mirror[k]! >= 0) values[mirror[k]!] = values[k]!;
    },
  };

  function mean(values: Float32Array, k: number): number {
    neighbours ??= listNeighbours(triangles, vertexCount);
    const { offsets, list } = neighbours;
    const [from, to] = [offsets[k]!, offsets[k + 1]!];
    if (from === to) return values[k]!;
    let sum = 0;
    for (let n = from; n < to; n++) sum += values[list[n]!]!;
    return sum / (to - from);
  }
}

/** The next corner of every triangle around a vertex: on a closed surface, each neighbour once. */
function listNeighbours(triangles: Uint32Array, vertexCount: number) {
  const offsets = new Uint32Array(vertexCount + 1);
  for (const vertex of triangles) offsets[vertex + 1]!++;
  for (let k = 0; k < vertexCount; k++) offsets[k + 1]! += offsets[k]!;
  const next = offsets.slice();
  const list = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const t = i - (i % 3);
    list[next[triangles[i]!]!++] = triangles[t + ((i + 1) % 3)]!;
  }
  return { offsets, list };
}

/** The vertex nearest to the mirror image of each in the plane x = middle of the rest shape; −1 where none is near. */
export function listMirrored(rest: Float32Array, vertexCount: number): Int32Array {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < rest.length; i += 3) {
    low = Math.min(low, rest[i]!);
    high = Math.max(high, rest[i]!);
  }
  const cell = Math.max(1e-12, (2 * (high - low)) / Math.sqrt(vertexCount));
  const cells = new Map<string, number[]>();
  const place = (x: number) => Math.floor(x / cell);
  for (let k = 0; k < vertexCount; k++) {
    const key = `${place(rest[3 * k]!)},${place(rest[3 * k + 1]!)},${place(rest[3 * k + 2]!)}`;
    const list = cells.get(key);
    if (list) list.push(k);
    else cells.set(key, [k]);
  }
  return Int32Array.from({ length: vertexCount }, (_, k) => {
    const [x, y, z] = [low + high - rest[3 * k]!, rest[3 * k + 1]!, rest[3 * k + 2]!];
    let best = -1;
    let nearest = cell * cell;
    for (let n = 0; n < 27; n++) {
      const key = `${place(x) + (n % 3) - 1},${place(y) + (Math.trunc(n / 3) % 3) - 1},${place(z) + Math.trunc(n / 9) - 1}`;
      for (const j of cells.get(key) ?? []) {
        const d = (rest[3 * j]! - x) ** 2 + (rest[3 * j + 1]! - y) ** 2 + (rest[3 * j + 2]! - z) ** 2;
        if (d < nearest) [best, nearest] = [j, d];
      }
    }
    return best;
  });
}
