/**
 * The passes of a folded frame over the vertices and triangles of the patches (see `planWrinkles`, 1–4), in memory taken once.
 *
 * Shapes: positions and normals #refined×3, old vertices in front. O(vertices and triangles of the patches) per pass.
 */
import type { Surface } from '../mesh/surface.js';
import type { FoldedTool } from './plan-folded-tool.js';
import type { RefinementPlan } from './plan-refinement.js';

export interface FoldPasses {
  /** Forgets the last frame; areas of the patches on the unfolded surface (#V×3). */
  start(positions: Float64Array): void;
  /** s of the vertices of a tool that folds. */
  wake(member: FoldedTool): void;
  /** New vertices in use, and their normals before any fold. */
  refine(positions: Float64Array, normals: Float64Array, used: Uint8Array): void;
  /** Adds what one tool lifts, and lets the skin under it give way. */
  fold(member: FoldedTool, positions: Float64Array, normals: Float64Array, used: Uint8Array): void;
  /** Lifts the vertices, turns the normals, and places the vertices that are not in use. */
  finish(
    positions: Float64Array,
    normals: Float64Array,
    used: Uint8Array,
    triangles: Uint32Array,
    triangleCount: number,
  ): void;
  /** Vertices that are not in use: midpoints, coarse to fine. */
  flatten(positions: Float64Array, normals: Float64Array, used: Uint8Array): void;
}

/** Lost length, relative to ℓ, over which refinement fades in. */
const FADE = 0.04;

const REGULAR = [1 / 2, 1 / 2, 1 / 8, 1 / 8, -1 / 16, -1 / 16, -1 / 16, -1 / 16] as const;

export function planFoldPasses(
  plan: RefinementPlan,
  surface: Surface,
  members: readonly FoldedTool[],
  keepVolume: boolean,
): FoldPasses {
  const { baseCount, vertexCount, parents, patches, still, stencils } = plan;
  const { offsets, vertices: sources, weights } = stencils;
  const amounts = new Float64Array(vertexCount);
  /** Where the skin may give way, summed over the tools, and Σ area · that. */
  const bells = new Float64Array(vertexCount);
  let bellRoom = 0;
  /** The deepest that the skin gives way: a tenth of the longest tool that folds. */
  let deepest = 0;
  /** Six times the volume under the patches before anything folds. */
  let flatVolume = 0;
  /** s, #vertices. */
  const fades = new Float64Array(vertexCount);
  const vectors = new Float64Array(3 * vertexCount);
  const patchAreas = new Float64Array(patches.count);
  const isNear = new Uint8Array(vertexCount);
  for (let i = 0; i < patches.corners.length; i++) isNear[patches.corners[i]!] = 1;
  const near = Uint32Array.from(isNear.subarray(0, baseCount).keys()).filter((v) => isNear[v] === 1);
  const isRegular = Uint8Array.from({ length: vertexCount - baseCount }, (_, i) => {
    const n = offsets[i]!;
    return offsets[i + 1]! - n === 8 && REGULAR.every((weight, k) => weights[n + k] === weight) ? 1 : 0;
  });
  const rim: number[] = [];
  for (let i = 0; i < still.length; i += 3) {
    if (isNear[still[i]!] || isNear[still[i + 1]!] || isNear[still[i + 2]!])
      rim.push(still[i]!, still[i + 1]!, still[i + 2]!);
  }
  const rimTriangles = Uint32Array.from(rim);
  const largest = members.reduce((most, { vertices }) => Math.max(most, vertices.length), 0);
  const hits = new Uint32Array(largest);
  const heights = new Float64Array(largest);
  const sinks = new Float64Array(largest);

  const raise = (positions: Float64Array, normals: Float64Array, v: number): void => {
    const h = amounts[v]!;
    const i = 3 * v;
    vectors[i] = 0;
    vectors[i + 1] = 0;
    vectors[i + 2] = 0;
    if (!Number.isFinite(h)) return;
    positions[i]! += h * normals[i]!;
    positions[i + 1]! += h * normals[i + 1]!;
    positions[i + 2]! += h * normals[i + 2]!;
  };
  /** Lowers a vertex by what it gives way, and turns its normal. */
  const settle = (positions: Float64Array, normals: Float64Array, v: number, depth: number): void => {
    const s = fades[v]!;
    if (s === 0) return;
    const i = 3 * v;
    const h = depth * bells[v]!;
    positions[i]! -= h * normals[i]!;
    positions[i + 1]! -= h * normals[i + 1]!;
    positions[i + 2]! -= h * normals[i + 2]!;
    const x = vectors[i]!;
    const y = vectors[i + 1]!;
    const z = vectors[i + 2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return;
    const u = s / length;
    const nx = (1 - s) * normals[i]! + u * x;
    const ny = (1 - s) * normals[i + 1]! + u * y;
    const nz = (1 - s) * normals[i + 2]! + u * z;
    const square = nx * nx + ny * ny + nz * nz;
    if (!(square > 1e-12)) return;
    const unit = 1 / Math.sqrt(square);
    normals[i] = nx * unit;
    normals[i + 1] = ny * unit;
    normals[i + 2] = nz * unit;
  };
  const flatten: FoldPasses['flatten'] = (positions, normals, used) => {
    for (let v = baseCount; v < vertexCount; v++) {
      if (used[v]) continue;
      const a = 3 * parents[2 * (v - baseCount)]!;
      const b = 3 * parents[2 * (v - baseCount) + 1]!;
      const to = 3 * v;
      let square = 0;
      for (let r = 0; r < 3; r++) {
        positions[to + r] = (positions[a + r]! + positions[b + r]!) / 2;
        normals[to + r] = normals[a + r]! + normals[b + r]!;
        square += normals[to + r]! ** 2;
      }
      const unit = square > 0 ? 1 / Math.sqrt(square) : 0;
      for (let r = 0; r < 3; r++) normals[to + r]! *= unit;
    }
  };

  return {
    flatten,
    start(positions) {
      for (let i = 0; i < near.length; i++) {
        amounts[near[i]!] = 0;
        bells[near[i]!] = 0;
        fades[near[i]!] = 0;
      }
      amounts.fill(0, baseCount);
      bells.fill(0, baseCount);
      bellRoom = 0;
      deepest = 0;
      fades.fill(0, baseCount);
      if (keepVolume) flatVolume = measurePatchAreas(patchAreas, patches.triangles, surface.triangles, positions);
    },
    wake({ tool, vertices, masks }) {
      const u = Math.min(1, tool.lost / (FADE * tool.length));
      const s = u * u * (3 - 2 * u);
      for (let i = 0; i < vertices.length; i++) {
        const v = vertices[i]!;
        const own = s * masks[i]!;
        if (own > fades[v]!) fades[v] = own;
      }
    },
    refine(positions, normals, used) {
      for (let v = baseCount; v < vertexCount; v++) {
        if (!used[v]) continue;
        const i = v - baseCount;
        const s = fades[v]!;
        const a = 3 * parents[2 * i]!;
        const b = 3 * parents[2 * i + 1]!;
        let x = 0;
        let y = 0;
        let z = 0;
        let n = offsets[i]!;
        if (s > 0 && isRegular[i]) {
          // The eight-point stencil, written out: most vertices have it.
          const p = 3 * sources[n]!;
          const q = 3 * sources[n + 1]!;
          const c = 3 * sources[n + 2]!;
          const d = 3 * sources[n + 3]!;
          const e = 3 * sources[n + 4]!;
          const f = 3 * sources[n + 5]!;
          const g = 3 * sources[n + 6]!;
          const h = 3 * sources[n + 7]!;
          x =
            0.5 * (positions[p]! + positions[q]!) +
            0.125 * (positions[c]! + positions[d]!) -
            0.0625 * (positions[e]! + positions[f]! + positions[g]! + positions[h]!);
          y =
            0.5 * (positions[p + 1]! + positions[q + 1]!) +
            0.125 * (positions[c + 1]! + positions[d + 1]!) -
            0.0625 * (positions[e + 1]! + positions[f + 1]! + positions[g + 1]! + positions[h + 1]!);
          z =
            0.5 * (positions[p + 2]! + positions[q + 2]!) +
            0.125 * (positions[c + 2]! + positions[d + 2]!) -
            0.0625 * (positions[e + 2]! + positions[f + 2]! + positions[g + 2]! + positions[h + 2]!);
        } else if (s > 0) {
          const end = offsets[i + 1]!;
          for (; n < end; n++) {
            const w = weights[n]!;
            const from = 3 * sources[n]!;
            x += w * positions[from]!;
            y += w * positions[from + 1]!;
            z += w * positions[from + 2]!;
          }
        }
        if (s < 1) {
          const rest = (1 - s) / 2;
          x = s * x + rest * (positions[a]! + positions[b]!);
          y = s * y + rest * (positions[a + 1]! + positions[b + 1]!);
          z = s * z + rest * (positions[a + 2]! + positions[b + 2]!);
        }
        positions[3 * v] = x;
        positions[3 * v + 1] = y;
        positions[3 * v + 2] = z;
        const nx = normals[a]! + normals[b]!;
        const ny = normals[a + 1]! + normals[b + 1]!;
        const nz = normals[a + 2]! + normals[b + 2]!;
        const square = nx * nx + ny * ny + nz * nz;
        const unit = square > 0 ? 1 / Math.sqrt(square) : 0;
        normals[3 * v] = nx * unit;
        normals[3 * v + 1] = ny * unit;
        normals[3 * v + 2] = nz * unit;
      }
    },
    fold({ tool, vertices, masks, shares, patches: patchOf }, positions, normals, used) {
      const count = tool.lift(hits, heights, sinks, vertices, used, positions, normals);
      deepest = Math.max(deepest, tool.length / 10);
      let lifted = 0;
      let room = 0;
      for (let n = 0; n < count; n++) {
        const i = hits[n]!;
        const mask = masks[i]!;
        const area = keepVolume ? shares[i]! * patchAreas[patchOf[i]!]! : 0;
        heights[n]! *= mask;
        sinks[n]! *= mask;
        lifted += area * heights[n]!;
        room += area * sinks[n]!;
      }
      const depth = room > 0 ? Math.min(lifted / room, deepest) : 0;
      bellRoom += room;
      for (let n = 0; n < count; n++) {
        const v = vertices[hits[n]!]!;
        amounts[v]! += heights[n]! - depth * sinks[n]!;
        bells[v]! += sinks[n]!;
      }
    },
    finish(positions, normals, used, triangles, triangleCount) {
      for (let i = 0; i < near.length; i++) raise(positions, normals, near[i]!);
      for (let v = baseCount; v < vertexCount; v++) if (used[v]) raise(positions, normals, v);
      const volume = sumVectors(vectors, positions, triangles, still.length, 3 * triangleCount);
      sumVectors(vectors, positions, rimTriangles, 0, rimTriangles.length);
      // What the first order left, and what rounding a coarse mesh adds, goes where the skin gives way already.
      const depth = bellRoom > 0 ? (volume - flatVolume) / (6 * bellRoom) : 0;
      const more = Number.isFinite(depth) ? Math.max(-deepest, Math.min(deepest, depth)) : 0;
      for (let i = 0; i < near.length; i++) settle(positions, normals, near[i]!, more);
      for (let v = baseCount; v < vertexCount; v++) if (used[v]) settle(positions, normals, v, more);
      flatten(positions, normals, used);
    },
  };
}

/** Adds twice the area vector of the triangles start … end − 1 (corners) to their vertices; returns six times the volume. */
function sumVectors(out: Float64Array, p: Float64Array, triangles: Uint32Array, start: number, end: number): number {
  let volume = 0;
  for (let i = start; i < end; i += 3) {
    const a = 3 * triangles[i]!;
    const b = 3 * triangles[i + 1]!;
    const c = 3 * triangles[i + 2]!;
    const ax = p[a]!;
    const ay = p[a + 1]!;
    const az = p[a + 2]!;
    const ux = p[b]! - ax;
    const uy = p[b + 1]! - ay;
    const uz = p[b + 2]! - az;
    const vx = p[c]! - ax;
    const vy = p[c + 1]! - ay;
    const vz = p[c + 2]! - az;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    out[a]! += x;
    out[a + 1]! += y;
    out[a + 2]! += z;
    out[b]! += x;
    out[b + 1]! += y;
    out[b + 2]! += z;
    out[c]! += x;
    out[c + 1]! += y;
    out[c + 2]! += z;
    volume += ax * x + ay * y + az * z;
  }
  return volume;
}

/** Areas of the listed triangles; returns six times the volume under them. */
function measurePatchAreas(out: Float64Array, list: Uint32Array, triangles: Uint32Array, p: Float64Array): number {
  let volume = 0;
  for (let i = 0; i < list.length; i++) {
    const t = 3 * list[i]!;
    const a = 3 * triangles[t]!;
    const b = 3 * triangles[t + 1]!;
    const c = 3 * triangles[t + 2]!;
    const ux = p[b]! - p[a]!;
    const uy = p[b + 1]! - p[a + 1]!;
    const uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!;
    const vy = p[c + 1]! - p[a + 1]!;
    const vz = p[c + 2]! - p[a + 2]!;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    out[i] = Math.sqrt(x * x + y * y + z * z) / 2;
    volume += p[a]! * x + p[a + 1]! * y + p[a + 2]! * z;
  }
  return volume;
}
