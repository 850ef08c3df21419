/**
 * The passes of a folded frame over the vertices and triangles of the patches, in f64: the specification.
 *
 * Shapes: positions and normals #refined×3, old vertices in front. O(vertices and triangles of the patches) per pass.
 */
import type { RefinedTopology } from './create-refined-topology.js';
import { FoldSum } from './fold-sum.js';
import type { FoldPlan, FoldRunner } from './plan-folds.js';
import { measureSkinLine } from './plan-skin-line.js';
import { measurePatches, sumVectors } from './sum-vectors.js';

export class FoldPasses implements FoldRunner {
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  /** What lifts a vertex, and s, #vertices. */
  private readonly sum: FoldSum;
  private readonly fades: Float64Array;
  /** Where the skin may give way, summed over the tools. */
  private readonly bells: Float64Array;
  private readonly areas: Float64Array;
  private readonly rooms: Float64Array;
  /** Area vectors of the folded vertices. */
  private readonly vectors: Float64Array;
  private readonly lineSum: FoldSum;
  private readonly linePoints: Float64Array;
  private topology: RefinedTopology | undefined;

  constructor(private readonly plan: FoldPlan) {
    const { refinement, combine, lines } = plan;
    const { vertexCount, patches } = refinement;
    this.positions = new Float64Array(3 * vertexCount);
    this.normals = new Float64Array(3 * vertexCount);
    this.sum = new FoldSum(vertexCount, combine);
    this.bells = new Float64Array(vertexCount);
    this.fades = new Float64Array(vertexCount);
    this.vectors = new Float64Array(3 * vertexCount);
    this.areas = new Float64Array(patches.count);
    this.rooms = new Float64Array(patches.count);
    const most = lines.reduce((count, { vertices }) => Math.max(count, vertices.length), 0);
    this.lineSum = new FoldSum(most, combine);
    this.linePoints = new Float64Array(3 * most);
  }

  start(topology: RefinedTopology): number {
    const { sum, bells, fades, areas, rooms } = this;
    const { near, holders, triangles } = this.plan;
    const { baseCount, patches } = this.plan.refinement;
    this.topology = topology;
    for (let i = 0; i < near.length; i++) {
      sum.clear(near[i]!);
      bells[near[i]!] = fades[near[i]!] = 0;
    }
    sum.clearFrom(baseCount);
    bells.fill(0, baseCount);
    fades.fill(0, baseCount);
    const volume = measurePatches({ areas, rooms }, sum.rooms, patches.triangles, triangles, this);
    // A small triangle bends as the one it lies in: the edges of both have the same directions.
    for (let i = 0; i < holders.length; i += 2) {
      sum.rooms[baseCount + i / 2] = Math.min(rooms[holders[i]!]!, rooms[holders[i + 1]!]!);
    }
    return volume;
  }

  refine(s: Float64Array): void {
    const { positions, normals, fades } = this;
    const { members } = this.plan;
    const { baseCount, vertexCount, parents } = this.plan.refinement;
    const { offsets, vertices, weights } = this.plan.refinement.stencils;
    for (let k = 0; k < members.length; k++) if (s[k]! > 0) this.wake(k, s[k]!);
    for (let v = baseCount; v < vertexCount; v++) {
      if (!this.topology!.used[v]) continue;
      const i = v - baseCount;
      const s = fades[v]!;
      const a = 3 * parents[2 * i]!;
      const b = 3 * parents[2 * i + 1]!;
      averageNormals(normals, v, a, b);
      let x = 0;
      let y = 0;
      let z = 0;
      if (s > 0) {
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

  private wake(k: number, s: number): void {
    const { vertices, masks } = this.plan.members[k]!;
    for (let i = 0; i < vertices.length; i++) {
      const own = s * masks[i]!;
      if (own > this.fades[vertices[i]!]!) this.fades[vertices[i]!] = own;
    }
  }

  lift(k: number): number {
    const member = this.plan.members[k]!;
    const { tool, vertices, heights, sinks, shares, patches } = member;
    tool.lift(member, this.topology!.used, this.positions, this.normals);
    let lifted = 0;
    let room = 0;
    for (let i = 0; i < vertices.length; i++) {
      if (sinks[i] === 0) continue;
      const area = shares[i]! * this.areas[patches[i]!]!;
      lifted += area * heights[i]!;
      room += area * sinks[i]!;
    }
    member.depth = room > 0 ? lifted / room : 0;
    return room;
  }

  measureLine(k: number, scales: Float64Array, active: Uint8Array): number {
    const { lineSum: sum, linePoints: out, positions: p, normals: n } = this;
    const { members } = this.plan;
    const { vertices, line, slots, items } = this.plan.lines[k]!;
    for (let slot = 0; slot < vertices.length; slot++) sum.clear(slot);
    for (let j = 0; j < members.length; j++) {
      if (!active[j]) continue;
      sum.addAll(slots[j]!, members[j]!, items[j]!, scales[j]!, members[j]!.depth * scales[j]!);
    }
    for (let slot = 0; slot < vertices.length; slot++) {
      const v = 3 * vertices[slot]!;
      sum.rooms[slot] = this.sum.rooms[vertices[slot]!]!;
      const h = sum.measure(slot);
      out[3 * slot] = p[v]! + h * n[v]!;
      out[3 * slot + 1] = p[v + 1]! + h * n[v + 1]!;
      out[3 * slot + 2] = p[v + 2]! + h * n[v + 2]!;
    }
    return measureSkinLine(line, out);
  }

  add(k: number, scale: number, depth: number): void {
    const member = this.plan.members[k]!;
    const { vertices, sinks } = member;
    this.sum.addAll(vertices, member, undefined, scale, depth);
    for (let i = 0; i < vertices.length; i++) this.bells[vertices[i]!]! += sinks[i]!;
  }

  raise(): number {
    const { positions, vectors } = this;
    const { near, rim, refinement } = this.plan;
    const { used, triangles, triangleCount } = this.topology!;
    for (let i = 0; i < near.length; i++) this.raiseVertex(near[i]!);
    for (let v = refinement.baseCount; v < refinement.vertexCount; v++) if (used[v]) this.raiseVertex(v);
    sumVectors(vectors, positions, rim, 0, rim.length);
    return sumVectors(vectors, positions, triangles, refinement.still.length, 3 * triangleCount);
  }

  settle(depth: number): void {
    const { near, refinement } = this.plan;
    const { used } = this.topology!;
    for (let i = 0; i < near.length; i++) this.settleVertex(near[i]!, depth);
    for (let v = refinement.baseCount; v < refinement.vertexCount; v++) if (used[v]) this.settleVertex(v, depth);
  }

  private raiseVertex(v: number): void {
    const { positions, normals, vectors } = this;
    const h = this.sum.measure(v);
    const i = 3 * v;
    vectors[i] = vectors[i + 1] = vectors[i + 2] = 0;
    positions[i]! += h * normals[i]!;
    positions[i + 1]! += h * normals[i + 1]!;
    positions[i + 2]! += h * normals[i + 2]!;
  }

  private settleVertex(v: number, depth: number): void {
    const { positions, normals, vectors } = this;
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
export function averageNormals(normals: Float64Array, v: number, a: number, b: number): void {
  const x = normals[a]! + normals[b]!;
  const y = normals[a + 1]! + normals[b + 1]!;
  const z = normals[a + 2]! + normals[b + 2]!;
  const square = x * x + y * y + z * z;
  const unit = square > 0 ? 1 / Math.sqrt(square) : 0;
  normals[3 * v] = x * unit;
  normals[3 * v + 1] = y * unit;
  normals[3 * v + 2] = z * unit;
}
