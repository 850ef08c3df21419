/**
 * The passes of a folded frame over the vertices and triangles of the patches (see `planWrinkles`, 1–4), in memory taken once.
 *
 * Shapes: positions and normals #refined×3, old vertices in front. O(vertices and triangles of the patches) per pass.
 */
import { smoothStep } from '../linear-algebra/smooth-step.js';
import type { Surface } from '../mesh/surface.js';
import type { RefinedTopology } from './create-refined-topology.js';
import { type Combination, FoldSum, measureRooms } from './fold-sum.js';
import { type FoldLengths, planFoldLengths } from './plan-fold-lengths.js';
import type { FoldedTool } from './plan-folded-tool.js';
import type { RefinementPlan } from './plan-refinement.js';
import { measurePatchAreas, sumVectors } from './sum-vectors.js';

/** Lost length, relative to ℓ, over which refinement fades in. */
const FADE = 0.04;

const REGULAR = [1 / 2, 1 / 2, 1 / 8, 1 / 8, -1 / 16, -1 / 16, -1 / 16, -1 / 16] as const;

export class FoldPasses {
  /** What lifts a vertex, and s, #vertices. */
  private readonly sum: FoldSum;
  private readonly fades: Float64Array;
  /** Where the skin may give way, summed over the tools, and Σ area · that. */
  private readonly bells: Float64Array;
  private bellRoom = 0;
  /** The deepest that the skin gives way: a tenth of the longest tool that folds. */
  private deepest = 0;
  /** Six times the volume under the patches before anything folds. */
  private flatVolume = 0;
  private readonly patchAreas: Float64Array;
  /** Area vectors of the folded vertices. */
  private readonly vectors: Float64Array;
  /** Old vertices of the patches, and triangles beside them. */
  private readonly near: Uint32Array;
  private readonly rim: Uint32Array;
  /** 1 for new vertices with the eight-point stencil. */
  private readonly isRegular: Uint8Array;
  private readonly lengths: FoldLengths;
  private readonly scales: Float64Array;

  constructor(
    private readonly plan: RefinementPlan,
    private readonly surface: Surface,
    private readonly members: readonly FoldedTool[],
    private readonly keepVolume: boolean,
    combine: Combination,
  ) {
    const { baseCount, vertexCount, patches, still, stencils } = plan;
    this.sum = new FoldSum(vertexCount, combine);
    this.lengths = planFoldLengths(members, combine);
    this.scales = new Float64Array(members.length);
    this.bells = new Float64Array(vertexCount);
    this.fades = new Float64Array(vertexCount);
    this.vectors = new Float64Array(3 * vertexCount);
    this.patchAreas = new Float64Array(patches.count);
    const isNear = new Uint8Array(vertexCount);
    for (const v of patches.corners) isNear[v] = 1;
    this.near = Uint32Array.from(isNear.subarray(0, baseCount).keys()).filter((v) => isNear[v] === 1);
    this.rim = still.filter((_, i) => still.subarray(i - (i % 3), i - (i % 3) + 3).some((v) => isNear[v] === 1));
    this.isRegular = Uint8Array.from({ length: vertexCount - baseCount }, (_, i) => {
      const n = stencils.offsets[i]!;
      const isOwn = REGULAR.every((weight, k) => stencils.weights[n + k] === weight);
      return isOwn && stencils.offsets[i + 1]! - n === REGULAR.length ? 1 : 0;
    });
  }

  /** Forgets the last frame; areas of the patches on the unfolded surface (#V×3). */
  start(positions: Float64Array): void {
    const { sum, bells, fades, near } = this;
    const { baseCount, patches } = this.plan;
    for (let i = 0; i < near.length; i++) {
      sum.clear(near[i]!);
      bells[near[i]!] = fades[near[i]!] = 0;
    }
    sum.clearFrom(baseCount);
    bells.fill(0, baseCount);
    fades.fill(0, baseCount);
    this.bellRoom = 0;
    this.deepest = 0;
    if (!this.keepVolume) return;
    this.flatVolume = measurePatchAreas(this.patchAreas, patches.triangles, this.surface.triangles, positions);
  }

  /** s of the vertices of a tool that folds. */
  wake({ tool, vertices, masks }: FoldedTool): void {
    const s = smoothStep(tool.lost / (FADE * tool.length));
    for (let i = 0; i < vertices.length; i++) {
      const own = s * masks[i]!;
      if (own > this.fades[vertices[i]!]!) this.fades[vertices[i]!] = own;
    }
  }

  /** New vertices in use, and their normals before any fold. The eight-point stencil is written out: most vertices have it. */
  refine(positions: Float64Array, normals: Float64Array, used: Uint8Array): void {
    const { fades, isRegular } = this;
    const { baseCount, vertexCount, parents } = this.plan;
    const { offsets, vertices, weights } = this.plan.stencils;
    for (let v = baseCount; v < vertexCount; v++) {
      if (!used[v]) continue;
      const i = v - baseCount;
      const s = fades[v]!;
      const a = 3 * parents[2 * i]!;
      const b = 3 * parents[2 * i + 1]!;
      averageNormals(normals, v, a, b);
      let x = 0;
      let y = 0;
      let z = 0;
      if (s > 0 && isRegular[i]) {
        const n = offsets[i]!;
        const c = 3 * vertices[n + 2]!;
        const d = 3 * vertices[n + 3]!;
        const e = 3 * vertices[n + 4]!;
        const f = 3 * vertices[n + 5]!;
        const g = 3 * vertices[n + 6]!;
        const h = 3 * vertices[n + 7]!;
        x = halve(positions, a, b, c, d, e, f, g, h);
        y = halve(positions, a + 1, b + 1, c + 1, d + 1, e + 1, f + 1, g + 1, h + 1);
        z = halve(positions, a + 2, b + 2, c + 2, d + 2, e + 2, f + 2, g + 2, h + 2);
      } else if (s > 0) {
        for (let m = offsets[i]!; m < offsets[i + 1]!; m++) {
          const k = 3 * vertices[m]!;
          x += weights[m]! * positions[k]!;
          y += weights[m]! * positions[k + 1]!;
          z += weights[m]! * positions[k + 2]!;
        }
      }
      const rest = (1 - s) / 2;
      positions[3 * v] = s < 1 ? s * x + rest * (positions[a]! + positions[b]!) : x;
      positions[3 * v + 1] = s < 1 ? s * y + rest * (positions[a + 1]! + positions[b + 1]!) : y;
      positions[3 * v + 2] = s < 1 ? s * z + rest * (positions[a + 2]! + positions[b + 2]!) : z;
    }
  }

  /** What the tools that fold lift, each as high as its skin is long, and by how much the skin under them gives way. */
  fold(active: Uint8Array, positions: Float64Array, normals: Float64Array, topology: RefinedTopology): void {
    const { members, scales, sum, bells } = this;
    const { used, triangles, triangleCount } = topology;
    measureRooms(sum.rooms, positions, normals, triangles, this.plan.still.length, 3 * triangleCount);
    for (let k = 0; k < members.length; k++) if (active[k]) this.lift(members[k]!, positions, normals, used);
    this.lengths.solve(scales, active, positions, normals, sum.rooms);
    for (let k = 0; k < members.length; k++) {
      if (!active[k]) continue;
      const member = members[k]!;
      const scale = scales[k]! * member.tool.strength;
      const depth = Math.min(member.depth * scale, this.deepest);
      const { vertices, sinks } = member;
      sum.addAll(vertices, member, undefined, scale, depth);
      for (let i = 0; i < vertices.length; i++) bells[vertices[i]!]! += sinks[i]!;
    }
  }

  private lift(member: FoldedTool, positions: Float64Array, normals: Float64Array, used: Uint8Array): void {
    const { tool, vertices, heights, sinks, shares, patches } = member;
    tool.lift(member, used, positions, normals);
    this.deepest = Math.max(this.deepest, tool.length / 10);
    member.depth = 0;
    if (!this.keepVolume) return;
    let lifted = 0;
    let room = 0;
    for (let i = 0; i < vertices.length; i++) {
      if (sinks[i] === 0) continue;
      const area = shares[i]! * this.patchAreas[patches[i]!]!;
      lifted += area * heights[i]!;
      room += area * sinks[i]!;
    }
    member.depth = room > 0 ? lifted / room : 0;
    this.bellRoom += room;
  }

  /** Lifts the vertices, turns the normals, and places the vertices that are not in use. */
  finish(
    positions: Float64Array,
    normals: Float64Array,
    used: Uint8Array,
    triangles: Uint32Array,
    triangleCount: number,
  ): void {
    const { near, rim, vectors, bellRoom, deepest } = this;
    const { baseCount, vertexCount, still } = this.plan;
    for (let i = 0; i < near.length; i++) this.raise(positions, normals, near[i]!);
    for (let v = baseCount; v < vertexCount; v++) if (used[v]) this.raise(positions, normals, v);
    const volume = sumVectors(vectors, positions, triangles, still.length, 3 * triangleCount);
    sumVectors(vectors, positions, rim, 0, rim.length);
    // What the first order left, and what rounding a coarse mesh adds, goes where the skin gives way already.
    const depth = bellRoom > 0 ? (volume - this.flatVolume) / (6 * bellRoom) : 0;
    const more = Number.isFinite(depth) ? Math.max(-deepest, Math.min(deepest, depth)) : 0;
    for (let i = 0; i < near.length; i++) this.settle(positions, normals, near[i]!, more);
    for (let v = baseCount; v < vertexCount; v++) if (used[v]) this.settle(positions, normals, v, more);
    this.flatten(positions, normals, used);
  }

  /** Vertices that are not in use: midpoints, coarse to fine. */
  flatten(positions: Float64Array, normals: Float64Array, used: Uint8Array): void {
    const { baseCount, vertexCount, parents } = this.plan;
    for (let v = baseCount; v < vertexCount; v++) {
      if (used[v]) continue;
      const a = 3 * parents[2 * (v - baseCount)]!;
      const b = 3 * parents[2 * (v - baseCount) + 1]!;
      for (let r = 0; r < 3; r++) positions[3 * v + r] = (positions[a + r]! + positions[b + r]!) / 2;
      averageNormals(normals, v, a, b);
    }
  }

  private raise(positions: Float64Array, normals: Float64Array, v: number): void {
    const { vectors } = this;
    const h = this.sum.measure(v);
    const i = 3 * v;
    vectors[i] = vectors[i + 1] = vectors[i + 2] = 0;
    positions[i]! += h * normals[i]!;
    positions[i + 1]! += h * normals[i + 1]!;
    positions[i + 2]! += h * normals[i + 2]!;
  }

  /** Lowers a vertex by what it gives way, and turns its normal. */
  private settle(positions: Float64Array, normals: Float64Array, v: number, depth: number): void {
    const { vectors } = this;
    const s = this.fades[v]!;
    if (s === 0) return;
    const i = 3 * v;
    const h = depth * this.bells[v]!;
    positions[i]! -= h * normals[i]!;
    positions[i + 1]! -= h * normals[i + 1]!;
    positions[i + 2]! -= h * normals[i + 2]!;
    const length = Math.sqrt(vectors[i]! ** 2 + vectors[i + 1]! ** 2 + vectors[i + 2]! ** 2);
    if (!(length > 0)) return;
    const u = s / length;
    const x = (1 - s) * normals[i]! + u * vectors[i]!;
    const y = (1 - s) * normals[i + 1]! + u * vectors[i + 1]!;
    const z = (1 - s) * normals[i + 2]! + u * vectors[i + 2]!;
    const square = x * x + y * y + z * z;
    if (!(square > 1e-12)) return;
    const unit = 1 / Math.sqrt(square);
    normals[i] = x * unit;
    normals[i + 1] = y * unit;
    normals[i + 2] = z * unit;
  }
}

/** The unit normal of vertex v between those that start at a and b. */
function averageNormals(normals: Float64Array, v: number, a: number, b: number): void {
  const x = normals[a]! + normals[b]!;
  const y = normals[a + 1]! + normals[b + 1]!;
  const z = normals[a + 2]! + normals[b + 2]!;
  const square = x * x + y * y + z * z;
  const unit = square > 0 ? 1 / Math.sqrt(square) : 0;
  normals[3 * v] = x * unit;
  normals[3 * v + 1] = y * unit;
  normals[3 * v + 2] = z * unit;
}

/** The eight-point stencil of Dyn, Gregory and Levin for one coordinate. */
function halve(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
): number {
  return 0.5 * (p[a]! + p[b]!) + 0.125 * (p[c]! + p[d]!) - 0.0625 * (p[e]! + p[f]! + p[g]! + p[h]!);
}
