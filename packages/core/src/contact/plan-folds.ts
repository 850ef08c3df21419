/**
 * The edges that can fold, by the two bones that pull at them most (F4), the most strained first, so that a frame looks only at
 * those that the turn of the bones can fold at all. At planning time; `foldCosine` measures one edge of a frame.
 *
 *   strain = |∇ω| |x̄ − J| · 2 sin ½θ   of linear skinning at an edge of the joint J, turned by θ
 */
import type { Binding, Character } from '../character/character.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';

/** Drop of the cosine at an edge from which it counts as folded. */
export const FLAT = 0.5;

export interface Folds {
  /** Pairs of bones, and the edges between them, the most strained first. */
  bones: Uint32Array;
  offsets: Uint32Array;
  /** Per edge: its ends, then the corners of the two triangles opposite to it. */
  corners: Uint32Array;
  /** Strain at an edge when its bones are turned by θ, over 2 sin ½θ: the larger |∇ω| |x̄ − J| of its triangles. */
  strains: Float64Array;
  /** cos θ̄, and the square of the cosine from which the edge is not folded (0 where that is negative). */
  rest: Float64Array;
  flat: Float64Array;
}

/** Inner edges by the two bones that pull at them most. */
export function planFolds({ surface, binding, skeleton }: Character): Folds {
  const { triangles, positions } = surface;
  const half = new Map<number, number>();
  const groups = new Map<number, number[]>();
  for (let c = 0; c < triangles.length; c++) {
    const [i, j] = [triangles[c]!, triangles[c % 3 === 2 ? c - 2 : c + 1]!];
    half.set(i * surface.vertexCount + j, triangles[c % 3 === 0 ? c + 2 : c - 1]!);
  }
  const pull = new Map<number, number>();
  for (const [key, left] of half) {
    const [i, j] = [Math.floor(key / surface.vertexCount), key % surface.vertexCount];
    const right = half.get(j * surface.vertexCount + i);
    if (i > j || right === undefined) continue;
    pull.clear();
    for (const k of [i, j, left, right]) {
      for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
        pull.set(binding.bones[e]!, (pull.get(binding.bones[e]!) ?? 0) + binding.weights[e]!);
      }
    }
    const [first, second] = [...pull].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    // An edge that one bone carries alone cannot fold.
    if (!first || !second || second[1] < 0.04) continue;
    const pair = Math.min(first[0], second[0]) * skeleton.boneCount + Math.max(first[0], second[0]);
    const list = groups.get(pair) ?? [];
    list.push(i, j, left, right);
    groups.set(pair, list);
  }
  const keys = [...groups.keys()].sort((a, b) => a - b);
  const offsets = new Uint32Array(keys.length + 1);
  const sorted: { edge: number[]; strain: number }[] = [];
  const { joints, parents } = planBoneSegments(skeleton);
  for (const [g, key] of keys.entries()) {
    const [i, j] = [Math.floor(key / skeleton.boneCount), key % skeleton.boneCount];
    const child = parents[j] === i ? j : parents[i] === j ? i : -1;
    const list = groups.get(key)!;
    offsets[g + 1] = offsets[g]! + list.length / 4;
    const edges = Array.from({ length: list.length / 4 }, (_, e) => {
      const edge = list.slice(4 * e, 4 * e + 4);
      // Bones that do not share a joint may move apart in any way.
      const strain = child < 0 ? Number.POSITIVE_INFINITY : measureStrain(positions, binding, edge, joints, child);
      return { edge, strain };
    });
    sorted.push(...edges.sort((a, b) => b.strain - a.strain));
  }
  const corners = Uint32Array.from(sorted.flatMap(({ edge }) => edge));
  const rest = Float64Array.from({ length: corners.length / 4 }, (_, e) => foldCosine(positions, corners, 4 * e, 2));
  return {
    bones: Uint32Array.from(keys.flatMap((key) => [Math.floor(key / skeleton.boneCount), key % skeleton.boneCount])),
    offsets,
    corners,
    strains: Float64Array.from(sorted, ({ strain }) => strain),
    rest,
    flat: rest.map((cosine) => Math.max(0, cosine - FLAT) ** 2),
  };
}

/** The larger |∇ω| |x̄ − J| of the two triangles of an edge, ω  the weight of `bone`, J  its joint. */
function measureStrain(
  x: Float64Array,
  binding: Binding,
  [i, j, left, right]: readonly number[],
  joints: Float64Array,
  bone: number,
): number {
  const weight = (k: number) => {
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
      if (binding.bones[e] === bone) return binding.weights[e]!;
    }
    return 0;
  };
  const between = (a: Float64Array, p: number, q: number) =>
    [0, 1, 2].map((r) => x[3 * p + r]! - a[3 * q + r]!) as [number, number, number];
  let most = 0;
  for (const apex of [left!, right!]) {
    const u = between(x, j!, i!);
    const v = between(x, apex, i!);
    const [a, b] = [weight(j!) - weight(i!), weight(apex) - weight(i!)];
    const [uu, uv, vv] = [dot(u, u), dot(u, v), dot(v, v)];
    const square = uu * vv - uv * uv;
    if (!(square > 0)) return Number.POSITIVE_INFINITY;
    const slope = Math.sqrt(Math.max(0, (a * a * vv - 2 * a * b * uv + b * b * uu) / square));
    const reach = Math.max(...[i!, j!, apex].map((k) => Math.hypot(...between(joints, k, bone))));
    most = Math.max(most, slope * reach);
  }
  return most;
}

function dot(a: readonly [number, number, number], b: readonly [number, number, number]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** cos θ of the edge at `at`; 1 where a triangle has no area, and where θ < 90° and cos²θ ≥ `flat`: no need to know. */
export function foldCosine(p: Float64Array, corners: Uint32Array, at: number, flat: number): number {
  const i = 3 * corners[at]!;
  const j = 3 * corners[at + 1]!;
  const l = 3 * corners[at + 2]!;
  const r = 3 * corners[at + 3]!;
  const x = p[i]!;
  const y = p[i + 1]!;
  const z = p[i + 2]!;
  const ex = p[j]! - x;
  const ey = p[j + 1]! - y;
  const ez = p[j + 2]! - z;
  const lx = p[l]! - x;
  const ly = p[l + 1]! - y;
  const lz = p[l + 2]! - z;
  const rx = p[r]! - x;
  const ry = p[r + 1]! - y;
  const rz = p[r + 2]! - z;
  const ax = ey * lz - ez * ly;
  const ay = ez * lx - ex * lz;
  const az = ex * ly - ey * lx;
  const bx = ry * ez - rz * ey;
  const by = rz * ex - rx * ez;
  const bz = rx * ey - ry * ex;
  const square = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
  const dot = ax * bx + ay * by + az * bz;
  return dot >= 0 && dot * dot >= flat * square ? 1 : dot / Math.sqrt(square);
}
