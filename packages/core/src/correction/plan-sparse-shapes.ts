/**
 * C15 for shaders that look up the few shapes of a vertex, where a morph target per shape would be mostly zeros.
 *
 *   position += Σ_p λ_s φ_p d,    d = M⁻¹ n̄_k          p  pairs of vertex k, s  the shape of p
 *   normal += ω × normal,         ω = Σ_p λ_s (u_p t + v_p b),   t, b  unit and across d
 *
 * A drawn vertex has d and the place of its list, 16 bytes; a list belongs to a welded vertex, 8 bytes per pair:
 *
 *   word 0: value · 2¹⁶ + last · 2¹⁵ + s        word 1: v · 2¹⁶ + u        φ_p = value · step_s,  (u_p, v_p) = (u, v) · turn step_s
 *
 * The turn is that of the morph targets (plan-shape-targets.ts), w_s = m × Mᵀa'_s / |m|² with m = Mᵀa_k, less what it has along m̂ so that it is across d:
 * nothing for a normal along m̂, a spin around it where edges are hard. O(triangles · their shapes), once. Imports nothing, so that a page loads it later.
 */

import type { FramePlan } from '../kernels/frame-plan.js';
import { cross } from '../mesh/cross.js';
import type { TargetMesh } from './plan-shape-targets.js';

export interface SparseShapes {
  /** d and the first pair of every drawn vertex, #×4. */
  readonly vertices: Float32Array;
  /** Two words each. */
  readonly pairs: Int32Array;
  /** Step and turn step of every shape, #K×2. */
  readonly steps: Float64Array;
}

/** Pairs of a welded vertex: φ, and a' until it is a turn. */
interface Pair {
  readonly shape: number;
  value: number;
  readonly change: [number, number, number];
}

const STEPS = 32767;
/** A normal that is pushed by more than this many of its lengths at the ceiling of the amount stands on a sliver. */
const MOST_TURN = 8;
/** Where nothing is pushed, and normals turn by less (radians, at the ceiling), there is no pair. */
const LEAST_TURN = 0.01;
/** Directions further from the surface's own are only made perpendicular. */
const LEAST_COSINE = 0.2;

export function planSparseShapes(plan: FramePlan, meshes: readonly TargetMesh[]): SparseShapes[] {
  const { vertexCount, shapes } = plan;
  const lists: Pair[][] = Array.from({ length: vertexCount }, () => []);
  for (let k = 0; k < vertexCount; k++) {
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      if (shapes.values[e] !== 0) findPair(lists[k]!, shapes.shapes[e]!).value = shapes.values[e]!;
    }
  }
  const areas = new Float64Array(3 * vertexCount);
  if (meshes.some(({ normals }) => normals)) measureChanges(lists, areas, plan);
  return meshes.map((mesh) => writeLists(lists, areas, plan, mesh));
}

/** What `vertices` and `pairs` say on the CPU, for rays: adds the push of vertex v. */
export function addSparsePush(out: [number, number, number], v: number, shapes: SparseShapes, amounts: Float64Array) {
  const { vertices, pairs, steps } = shapes;
  let push = 0;
  for (let p = 2 * vertices[4 * v + 3]!; ; p += 2) {
    const word = pairs[p]!;
    const shape = word & 0x7fff;
    push += (word >> 16) * steps[2 * shape]! * (amounts[shape] ?? 0);
    if (word & 0x8000) break;
  }
  for (let r = 0; r < 3; r++) out[r]! += push * vertices[4 * v + r]!;
}

function findPair(list: Pair[], shape: number): Pair {
  let pair = list.find((each) => each.shape === shape);
  if (!pair) list.push((pair = { shape, value: 0, change: [0, 0, 0] }));
  return pair;
}

/** a, and a'_s at the corners of every triangle, from the pushes of its corners: neighbours of what is pushed turn, too. */
function measureChanges(
  lists: Pair[][],
  areas: Float64Array,
  { positions: x, directions, volumes, shapes }: FramePlan,
): void {
  const { triangles } = volumes.closed.surface;
  const pushes = new Map<number, Float64Array>();
  for (let t = 0; t < triangles.length; t += 3) {
    pushes.clear();
    for (let c = 0; c < 3; c++) {
      const k = triangles[t + c]!;
      for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
        if (shapes.values[e] === 0) continue;
        const s = shapes.shapes[e]!;
        let corners = pushes.get(s);
        if (!corners) pushes.set(s, (corners = new Float64Array(9)));
        for (let r = 0; r < 3; r++) corners[3 * c + r] = shapes.values[e]! * directions[3 * k + r]!;
      }
    }
    const at = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const side = (a: number, b: number) => [0, 1, 2].map((r) => x[3 * at[b]! + r]! - x[3 * at[a]! + r]!);
    const [u, v] = [side(0, 1), side(0, 2)];
    const area = cross(u, v);
    for (const k of at) for (let r = 0; r < 3; r++) areas[3 * k + r]! += area[r]! / 6;
    for (const [s, d] of pushes) {
      const du = [0, 1, 2].map((r) => d[3 + r]! - d[r]!);
      const dv = [0, 1, 2].map((r) => d[6 + r]! - d[r]!);
      const [first, second] = [cross(du, v), cross(u, dv)];
      for (const k of at) {
        const { change } = findPair(lists[k]!, s);
        for (let r = 0; r < 3; r++) change[r]! += (first[r]! + second[r]!) / 6;
      }
    }
  }
}

function writeLists(
  lists: readonly (readonly Pair[])[],
  areas: Float64Array,
  plan: FramePlan,
  { welded, linear, inverse, normals }: TargetMesh,
): SparseShapes {
  const K = plan.shapes.shapeCount;
  const used = [...new Set(welded)];
  const axes = new Map(used.map((k) => [k, multiply(inverse, plan.directions.subarray(3 * k, 3 * k + 3), false)]));
  const turns = new Map<Pair, [number, number]>();
  const most = new Float64Array(2 * K);
  for (const k of used) {
    const d = axes.get(k)!;
    const m = multiply(linear, areas.subarray(3 * k, 3 * k + 3), true);
    for (const pair of lists[k]!) {
      const { shape, value, change } = pair;
      const limit = MOST_TURN / findCeiling(plan, shape, 0);
      const turn = normals ? measureTurn(d, m, multiply(linear, change, true), limit) : NONE;
      turns.set(pair, turn);
      most[2 * shape] = Math.max(most[2 * shape]!, Math.abs(value));
      most[2 * shape + 1] = Math.max(most[2 * shape + 1]!, Math.abs(turn[0]), Math.abs(turn[1]));
    }
  }
  const steps = most.map((value) => value / STEPS || 1);
  const words = [LAST, 0];
  const starts = new Map<number, number>();
  for (const k of used) {
    const own: number[] = [];
    for (const pair of lists[k]!) {
      const [step, turnStep] = [steps[2 * pair.shape]!, steps[2 * pair.shape + 1]!];
      const value = Math.round(pair.value / step);
      const turn = turns.get(pair)!;
      const [u, v] = turn.map((each) => Math.round(each / turnStep)) as [number, number];
      const most = Math.hypot(...turn) * findCeiling(plan, pair.shape, Number.POSITIVE_INFINITY);
      if (value !== 0 || most > LEAST_TURN) own.push((value << 16) | pair.shape, (v << 16) | (u & 0xffff));
    }
    starts.set(k, own.length > 0 ? words.length / 2 : 0);
    for (const word of own) words.push(word);
    if (own.length > 0) words[words.length - 2]! |= LAST;
  }
  const vertices = new Float32Array(4 * welded.length);
  for (let v = 0; v < welded.length; v++) vertices.set([...axes.get(welded[v]!)!, starts.get(welded[v]!)!], 4 * v);
  return { vertices, pairs: Int32Array.from(words), steps };
}

const LAST = 0x8000;
const NONE: [number, number] = [0, 0];

/** Shapes whose amounts are given, or without a limit, have no ceiling. */
function findCeiling({ shapes: { outward } }: FramePlan, shape: number, none: number): number {
  return Number.isFinite(outward[shape]) ? outward[shape]! : none;
}

/** (u, v) of a turn per unit of the amount, at most `limit`. */
function measureTurn(d: number[], m: number[], change: number[], limit: number): [number, number] {
  const [length, area] = [Math.hypot(...d), Math.hypot(...m)];
  if (!(length > 0) || !(area > 0)) return NONE;
  const axis = d.map((value) => value / length);
  const normal = m.map((value) => value / area);
  const w = cross(normal, change).map((value) => value / area) as [number, number, number];
  const cosine = dot(normal, axis);
  if (cosine > LEAST_COSINE) {
    const spin = dot(w, axis) / cosine;
    for (let r = 0; r < 3; r++) w[r]! -= spin * normal[r]!;
  }
  const size = Math.hypot(...w);
  if (!Number.isFinite(size)) return NONE;
  const scale = Math.min(1, limit / (size || 1));
  const [x, y, z] = axis as [number, number, number];
  const sign = z < 0 ? -1 : 1;
  const a = -1 / (sign + z);
  const c = x * y * a;
  const t = [1 + sign * x * x * a, sign * c, -sign * x];
  const b = [c, sign + y * y * a, -y];
  return [scale * dot(w, t), scale * dot(w, b)];
}

/** M x, or Mᵀx; M by columns. */
function multiply(matrix: ArrayLike<number>, x: ArrayLike<number>, isTransposed: boolean): number[] {
  const at = (r: number, c: number) => matrix[isTransposed ? 3 * r + c : 3 * c + r]!;
  return [0, 1, 2].map((r) => at(r, 0) * x[0]! + at(r, 1) * x[1]! + at(r, 2) * x[2]!);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
