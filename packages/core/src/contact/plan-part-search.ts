/**
 * F5. Which vertices of one part come near another: bundles of clusters first, then clusters, then vertices, each as a ball
 * against the field of the other part. A vertex is a ball of radius 0, so one loop does all three.
 *
 * Bundles are bounded from the bones alone; clusters from their vertices, once per frame, where their bundle is near anything.
 * Complexity: O(bundles of the parts looked at), then what is near.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { planBoneBalls } from './plan-bone-balls.js';
import type { PartFields } from './plan-part-fields.js';
import type { PartMotion } from './plan-part-motion.js';

export interface PartSearch {
  /** Forgets the balls of the last frame. */
  begin(positions: Float64Array, boneMatrices: Float64Array): void;
  /**
   * Finds the vertices of part p at most `reach` outside part q; returns their number, or −1 where all of part p is more than
   * `away` ≥ reach from part q, so that nothing of q is near p either.
   */
  find(p: number, q: number, reach: number, away: number): number;
  /** Places of the vertices found in `fields.vertices`. */
  readonly found: Uint32Array;
  /** φ_q of each. */
  readonly depths: Float64Array;
}

/** Clusters that are first looked at together. */
const BUNDLE = 8;
/** A vertex this close to a grid, in cells, is inside. */
const ROUNDING = 1e-9;

export function planPartSearch(character: Character, fields: PartFields, { inverse, scales }: PartMotion): PartSearch {
  const { count: P, clusterOffsets, clusters, frames, sizes, values } = fields;
  const bundleOffsets = new Uint32Array(P + 1);
  const starts: number[] = [];
  for (let p = 0; p < P; p++) {
    for (let c = clusterOffsets[p]!; c < clusterOffsets[p + 1]!; c += BUNDLE) starts.push(c);
    bundleOffsets[p + 1] = starts.length;
  }
  /** First cluster of every bundle, and one more. */
  const bundles = Uint32Array.from([...starts, clusters.length - 1]);
  /** Half the longest edge at the vertices of a part: what of its skin may be nearer than its vertices. */
  const spacing = planSpacing(character, fields);
  const boneBalls = planBoneBalls(
    character,
    bundles.map((c) => clusters[c]!),
    fields.vertices,
  );
  const bundleBalls = new Float64Array(4 * starts.length);
  const balls = new Float64Array(4 * (clusters.length - 1));
  /** The vertices in the order of the clusters, ×3. */
  const points = new Float64Array(3 * fields.vertices.length);
  /** What is measured already in this frame: bundle balls of a part, cluster balls of a bundle. */
  const partKnown = new Uint8Array(P);
  const bundleKnown = new Uint8Array(starts.length);
  const list = new Uint32Array(fields.vertices.length);
  const found = new Uint32Array(fields.vertices.length);
  const depths = new Float64Array(fields.vertices.length);
  let positions: Float64Array = points;

  function find(p: number, q: number, reach: number, away: number): number {
    const first = bundleOffsets[p]!;
    const last = bundleOffsets[p + 1]!;
    if (partKnown[p] === 0) for (let b = first; b < last; b++) boneBalls.measure(bundleBalls, b);
    partKnown[p] = 1;
    let count = 0;
    for (let b = first; b < last; b++) list[count++] = b;
    const wide = away + spacing[p]!;
    count = sift(count, bundleBalls, 4, q, wide);
    if (count === 0) return -1;
    count = keepWithin(count, reach);
    for (let i = 0; i < count; i++) if (bundleKnown[found[i]!] === 0) measureBalls(found[i]!);
    count = expand(count, bundles);
    count = sift(count, balls, 4, q, reach);
    count = expand(count, clusters);
    return sift(count, points, 3, q, reach);
  }

  /** Of what was found, keeps what is at most `reach` away. */
  function keepWithin(count: number, reach: number): number {
    let n = 0;
    for (let i = 0; i < count; i++) if (depths[i]! <= reach) found[n++] = found[i]!;
    return n;
  }

  /** The items of every group found → `list`. */
  function expand(count: number, first: Uint32Array): number {
    let n = 0;
    for (let i = 0; i < count; i++) {
      const end = first[found[i]! + 1]!;
      for (let j = first[found[i]!]!; j < end; j++) list[n++] = j;
    }
    return n;
  }

  /** The items of `list` that come within `reach` of part q → `found`. Everything of q is read once, before the loop. */
  function sift(count: number, items: Float64Array, stride: number, q: number, reach: number): number {
    const o = BONE_STRIDE * q;
    const a = inverse[o]!;
    const b = inverse[o + 1]!;
    const c = inverse[o + 2]!;
    const d = inverse[o + 3]!;
    const e = inverse[o + 4]!;
    const f = inverse[o + 5]!;
    const g = inverse[o + 6]!;
    const h = inverse[o + 7]!;
    const l = inverse[o + 8]!;
    const tx = inverse[o + 9]!;
    const ty = inverse[o + 10]!;
    const tz = inverse[o + 11]!;
    // Half sides of the grid's box; its centre is where it counts from.
    const hx = (frames[10 * q + 7]! - frames[10 * q + 4]!) / 2;
    const hy = (frames[10 * q + 8]! - frames[10 * q + 5]!) / 2;
    const hz = (frames[10 * q + 9]! - frames[10 * q + 6]!) / 2;
    const cx = frames[10 * q + 4]! + hx;
    const cy = frames[10 * q + 5]! + hy;
    const cz = frames[10 * q + 6]! + hz;
    const scale = scales[q]!;
    const tiny = (ROUNDING * frames[10 * q + 3]!) ** 2;
    const cells = 1 / frames[10 * q + 3]!;
    const nx = sizes[4 * q]!;
    const ny = sizes[4 * q + 1]!;
    const nz = sizes[4 * q + 2]!;
    const start = sizes[4 * q + 3]!;
    const up = nx * ny;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const at = stride * list[i]!;
      const px = items[at]! - tx;
      const py = items[at + 1]! - ty;
      const pz = items[at + 2]! - tz;
      const radius = stride === 4 ? items[at + 3]! / scale : 0;
      const x = a * px + d * py + g * pz - cx;
      const y = b * px + e * py + h * pz - cy;
      const z = c * px + f * py + l * pz - cz;
      // Clamped to the box without a branch, since half of all balls are outside: (|x + h| − |x − h|)/2.
      const nearX = (Math.abs(x + hx) - Math.abs(x - hx)) / 2;
      const nearY = (Math.abs(y + hy) - Math.abs(y - hy)) / 2;
      const nearZ = (Math.abs(z + hz) - Math.abs(z - hz)) / 2;
      const square = (x - nearX) * (x - nearX) + (y - nearY) * (y - nearY) + (z - nearZ) * (z - nearZ);
      if (square > radius * radius + tiny) continue;
      const away = Math.sqrt(square) + radius;
      const gx = (nearX + hx) * cells;
      const gy = (nearY + hy) * cells;
      const gz = (nearZ + hz) * cells;
      const ix = Math.min(gx | 0, nx - 2);
      const iy = Math.min(gy | 0, ny - 2);
      const iz = Math.min(gz | 0, nz - 2);
      const u = gx - ix;
      const v = gy - iy;
      const w = gz - iz;
      const cell = start + ix + nx * (iy + ny * iz);
      const v0 = values[cell]!;
      const v1 = values[cell + nx]!;
      const v2 = values[cell + up]!;
      const v3 = values[cell + up + nx]!;
      const v01 = v0 + u * (values[cell + 1]! - v0);
      const v11 = v1 + u * (values[cell + nx + 1]! - v1);
      const v21 = v2 + u * (values[cell + up + 1]! - v2);
      const v31 = v3 + u * (values[cell + up + nx + 1]! - v3);
      const low = v01 + v * (v11 - v01);
      const high = v21 + v * (v31 - v21);
      const depth = (low + w * (high - low) - away) * scale;
      if (depth > reach) continue;
      depths[n] = depth;
      found[n++] = list[i]!;
    }
    return n;
  }

  /** Balls around the clusters of bundle b, ×4: centre and radius. */
  function measureBalls(b: number): void {
    bundleKnown[b] = 1;
    for (let c = bundles[b]!; c < bundles[b + 1]!; c++) {
      const from = clusters[c]!;
      const to = clusters[c + 1]!;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let n = from; n < to; n++) {
        const k = 3 * fields.vertices[n]!;
        const px = positions[k]!;
        const py = positions[k + 1]!;
        const pz = positions[k + 2]!;
        x += px;
        y += py;
        z += pz;
        points[3 * n] = px;
        points[3 * n + 1] = py;
        points[3 * n + 2] = pz;
      }
      const share = 1 / (to - from);
      x *= share;
      y *= share;
      z *= share;
      let square = 0;
      for (let n = 3 * from; n < 3 * to; n += 3) {
        const dx = points[n]! - x;
        const dy = points[n + 1]! - y;
        const dz = points[n + 2]! - z;
        const d = dx * dx + dy * dy + dz * dz;
        if (d > square) square = d;
      }
      balls[4 * c] = x;
      balls[4 * c + 1] = y;
      balls[4 * c + 2] = z;
      balls[4 * c + 3] = Math.sqrt(square);
    }
  }

  return {
    found,
    depths,
    find,
    begin(at, boneMatrices) {
      positions = at;
      partKnown.fill(0);
      bundleKnown.fill(0);
      boneBalls.begin(boneMatrices);
    },
  };
}

function planSpacing({ surface }: Character, { count, offsets, vertices }: PartFields): Float64Array {
  const { positions: x, neighbours } = surface;
  const spacing = new Float64Array(count);
  for (let p = 0; p < count; p++) {
    for (const k of vertices.subarray(offsets[p]!, offsets[p + 1]!)) {
      for (const j of neighbours.values.subarray(neighbours.offsets[k]!, neighbours.offsets[k + 1]!)) {
        const length = Math.hypot(x[3 * k]! - x[3 * j]!, x[3 * k + 1]! - x[3 * j + 1]!, x[3 * k + 2]! - x[3 * j + 2]!);
        spacing[p] = Math.max(spacing[p]!, length / 2);
      }
    }
  }
  return spacing;
}
