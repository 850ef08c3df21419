/**
 * The passes of a folded frame over the vertices and triangles of the patches (see `planWrinkles`, 1–4), in memory taken once.
 *
 * Shapes: positions and normals #refined×3, old vertices in front. O(vertices and triangles of the patches) per pass.
 */
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { crossEdges } from '../mesh/cross.js';
import type { Surface } from '../mesh/surface.js';
import type { RefinedTopology } from './create-refined-topology.js';
import { type Combination, FoldSum, measureRooms } from './fold-sum.js';
import { type FoldLengths, planFoldLengths } from './plan-fold-lengths.js';
import type { FoldedTool } from './plan-folded-tool.js';
import type { RefinementPlan } from './plan-refinement.js';

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
    const { baseCount, vertexCount, patches } = this.plan;
    for (let i = 0; i < near.length; i++) {
      sum.clear(near[i]!);
      bells[near[i]!] = fades[near[i]!] = 0;
    }
    for (let v = baseCount; v < vertexCount; v++) sum.clear(v);
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

  /** New vertices in use, and their normals before any fold. */
  refine(positions: Float64Array, normals: Float64Array, used: Uint8Array): void {
    const { baseCount, vertexCount, parents } = this.plan;
    for (let v = baseCount; v < vertexCount; v++) {
      if (!used[v]) continue;
      const i = v - baseCount;
      const s = this.fades[v]!;
      const rest = (1 - s) / 2;
      const a = 3 * parents[2 * i]!;
      const b = 3 * parents[2 * i + 1]!;
      for (let r = 0; r < 3; r++) {
        const x = s > 0 ? this.applyStencil(positions, i, r) : 0;
        positions[3 * v + r] = s < 1 ? s * x + rest * (positions[a + r]! + positions[b + r]!) : x;
      }
      averageNormals(normals, v, a, b);
    }
  }

  /** Coordinate r of new vertex i on the smooth surface. The eight-point stencil is written out: most vertices have it. */
  private applyStencil(positions: Float64Array, i: number, r: number): number {
    const { offsets, vertices, weights } = this.plan.stencils;
    const n = offsets[i]!;
    if (this.isRegular[i]) {
      return (
        0.5 * (positions[3 * vertices[n]! + r]! + positions[3 * vertices[n + 1]! + r]!) +
        0.125 * (positions[3 * vertices[n + 2]! + r]! + positions[3 * vertices[n + 3]! + r]!) -
        0.0625 *
          (positions[3 * vertices[n + 4]! + r]! +
            positions[3 * vertices[n + 5]! + r]! +
            positions[3 * vertices[n + 6]! + r]! +
            positions[3 * vertices[n + 7]! + r]!)
      );
    }
    let x = 0;
    for (let m = n; m < offsets[i + 1]!; m++) x += weights[m]! * positions[3 * vertices[m]! + r]!;
    return x;
  }

  /** What the tools that fold lift, each as high as its skin is long, and by how much the skin under them gives way. */
  fold(active: Uint8Array, positions: Float64Array, normals: Float64Array, topology: RefinedTopology): void {
    const { members, scales, sum, bells } = this;
    const { used, triangles, triangleCount } = topology;
    const { still } = this.plan;
    measureRooms(sum.rooms, positions, normals, triangles, still.length, 3 * triangleCount);
    for (let k = 0; k < members.length; k++) if (active[k]) this.lift(members[k]!, positions, normals, used);
    this.lengths.solve(scales, active, positions, normals, sum.rooms);
    for (let k = 0; k < members.length; k++) {
      if (!active[k]) continue;
      const member = members[k]!;
      const scale = scales[k]! * member.tool.strength;
      const depth = Math.min(member.depth * scale, this.deepest);
      for (let i = 0; i < member.vertices.length; i++) {
        if (member.sinks[i] === 0 && member.heights[i] === 0) continue;
        sum.add(member.vertices[i]!, member, i, scale, depth);
        bells[member.vertices[i]!]! += member.sinks[i]!;
      }
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
    const h = this.sum.measure(v);
    for (let i = 3 * v; i < 3 * v + 3; i++) {
      this.vectors[i] = 0;
      positions[i]! += h * normals[i]!;
    }
  }

  /** Lowers a vertex by what it gives way, and turns its normal. */
  private settle(positions: Float64Array, normals: Float64Array, v: number, depth: number): void {
    const { vectors } = this;
    const s = this.fades[v]!;
    if (s === 0) return;
    const i = 3 * v;
    const h = depth * this.bells[v]!;
    for (let r = i; r < i + 3; r++) positions[r]! -= h * normals[r]!;
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

const vector = new Float64Array(3);

/** Adds twice the area vector of the triangles start … end − 1 (corners) to their vertices; returns six times the volume. */
function sumVectors(out: Float64Array, p: Float64Array, triangles: Uint32Array, start: number, end: number): number {
  let volume = 0;
  for (let i = start; i < end; i += 3) {
    const a = 3 * triangles[i]!;
    const b = 3 * triangles[i + 1]!;
    const c = 3 * triangles[i + 2]!;
    crossEdges(vector, 0, p, a, b, c);
    for (let r = 0; r < 3; r++) {
      const x = vector[r]!;
      out[a + r]! += x;
      out[b + r]! += x;
      out[c + r]! += x;
    }
    volume += p[a]! * vector[0]! + p[a + 1]! * vector[1]! + p[a + 2]! * vector[2]!;
  }
  return volume;
}

/** Areas of the listed triangles; returns six times the volume under them. */
function measurePatchAreas(out: Float64Array, list: Uint32Array, triangles: Uint32Array, p: Float64Array): number {
  let volume = 0;
  for (let i = 0; i < list.length; i++) {
    const t = 3 * list[i]!;
    const a = 3 * triangles[t]!;
    crossEdges(vector, 0, p, a, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!);
    const x = vector[0]!;
    const y = vector[1]!;
    const z = vector[2]!;
    out[i] = Math.sqrt(x * x + y * y + z * z) / 2;
    volume += p[a]! * x + p[a + 1]! * y + p[a + 2]! * z;
  }
  return volume;
}
