/**
 * The order of the vertices on the GPU: by region, then along a Morton curve through the rest shape.
 *
 * Neighbours in space become neighbours in memory, whatever the order of the file. Each region starts a slice. O(#V log #V).
 */
import type { FramePlan } from '@isoskin/core/kernels';
import { measureBox } from '@isoskin/core/mesh';
import { NO_SOURCE, SLICE, TILE } from '../constants.js';

export interface VertexOrder {
  /** Padded to whole tiles. */
  readonly vertexCount: number;
  /** Vertex of the character → vertex on the GPU. */
  readonly place: Uint32Array;
  /** Vertex on the GPU → vertex of the character, or NO_SOURCE. */
  readonly source: Uint32Array;
  /** Region that the vertex (of the GPU) lies inside of, or −1: on a border, or in none. */
  readonly region: Int32Array;
}

const MORTON_BITS = 9;

export function planOrder(plan: FramePlan): VertexOrder {
  const { vertexCount: count, positions, volumes } = plan;
  const { inner, pairRegion, pairVertex, pairCount, regionCount } = volumes;
  const home = new Int32Array(count).fill(regionCount); // the last group: in no region
  const inside = new Int32Array(count).fill(-1);
  for (let p = pairCount - 1; p >= 0; p--) home[pairVertex[p]!] = pairRegion[p]!;
  for (let s = 0; s < regionCount; s++) {
    for (let i = inner.offsets[s]!; i < inner.offsets[s + 1]!; i++) {
      home[inner.values[i]!] = inside[inner.values[i]!] = s;
    }
  }
  const codes = measureMortonCodes(positions, count);
  const sizes = new Uint32Array(regionCount + 1);
  for (let k = 0; k < count; k++) sizes[home[k]!]!++;
  const starts = new Uint32Array(regionCount + 2);
  for (let s = 0; s <= regionCount; s++) starts[s + 1] = starts[s]! + Math.ceil(sizes[s]! / SLICE) * SLICE;
  const vertexCount = Math.max(1, Math.ceil(starts[regionCount + 1]! / TILE)) * TILE;

  // Keys are code · 2^24 + vertex, exact in f64.
  const keys = new Float64Array(vertexCount);
  const fill = starts.slice();
  for (let k = 0; k < count; k++) keys[fill[home[k]!]!++] = codes[k]! * 2 ** 24 + k;
  const source = new Uint32Array(vertexCount).fill(NO_SOURCE);
  const place = new Uint32Array(count);
  const region = new Int32Array(vertexCount).fill(-1);
  for (let s = 0; s <= regionCount; s++) {
    const end = starts[s]! + sizes[s]!;
    keys.subarray(starts[s]!, end).sort();
    for (let n = starts[s]!; n < end; n++) {
      const k = keys[n]! % 2 ** 24;
      source[n] = k;
      place[k] = n;
      region[n] = inside[k]!;
    }
  }
  return { vertexCount, place, source, region };
}

function measureMortonCodes(positions: Float64Array, count: number): Uint32Array {
  const low = measureBox(positions.subarray(0, 3 * count));
  const size = Math.max(low[3]! - low[0]!, low[4]! - low[1]!, low[5]! - low[2]!);
  const scale = size > 0 ? (2 ** MORTON_BITS - 1) / size : 0;
  const codes = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    let code = 0;
    for (let r = 0; r < 3; r++) code |= spread(((positions[3 * k + r]! - low[r]!) * scale) | 0) << r;
    codes[k] = code;
  }
  return codes;
}

/** Two zero bits after every bit. */
function spread(value: number): number {
  let v = value;
  v = (v | (v << 16)) & 0x030000ff;
  v = (v | (v << 8)) & 0x0300f00f;
  v = (v | (v << 4)) & 0x030c30c3;
  return (v | (v << 2)) & 0x09249249;
}
