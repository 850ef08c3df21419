/**
 * A2. The skin as a glTF viewer computes it, on the vertices of the file rather than on the welded ones.
 *
 *   x_u = Σ_j ω_uj M_j (p_u + Σ_m w_m d_um),   B_u = Σ_j ω_uj lin(M_j),   M_j = world(joint j) · inverseBind_j
 *
 * Source vertices that lie in one welded vertex, with equal position, weights and morphs, are one *point* u: they move
 * alike and get the same correction. Shapes: p #U×3, x #U×3, B #U×9 (column-major). O(influences) per pose, in WASM.
 */

import type { Pose, Skeleton } from '@isoskin/core';
import { measureWorldMatrices } from '@isoskin/core/frames';
import { openRoom } from '@isoskin/wasm/bake';
import { type Bones, gatherPoints, type PointSource, type Points, readBones } from './gather-points.js';
import type { PartWeights } from './read-part-weights.js';

/** What it is made of: data alone, for threads. */
export interface SkinData {
  /** Bones are numbered through all groups. */
  readonly points: Points;
  readonly boneSets: readonly Bones[];
  readonly skeleton: Skeleton;
  readonly morphs: SourceSkin['morphs'];
  /** Points that are asked for, one after the other; default: all. */
  readonly order?: Uint32Array;
}

export interface SourceSkin {
  readonly data: SkinData;
  readonly pointCount: number;
  /** Point → welded vertex. */
  readonly welded: Uint32Array;
  /** Welded vertex → the point that stands for it. */
  readonly leaders: Uint32Array;
  /** Group → its first point, #G+1. */
  readonly groupOffsets: Uint32Array;
  /** Part → source vertex → point. */
  readonly partPoints: readonly Uint32Array[];
  /** Part → normalised influences of its source vertices, as the file should have them; absent for an unskinned mesh. */
  readonly partWeights: readonly (PartWeights | undefined)[];
  /** Largest number of existing morph targets of each group, and where they begin in a pose. */
  readonly morphs: readonly { readonly first: number; readonly count: number }[];
  /** Influences of the points, and the matrices of the last pose, #B×12: three columns and the translation. */
  readonly influences: Pick<Points, 'offsets' | 'bones' | 'weights'>;
  readonly matrices: Float64Array;
  /** Skins a pose: positions (#U×3) and, where asked for, blended linear parts (#U×9). @param offsets added to p, #U×3 */
  apply(positions: Float64Array, blends: Float64Array | undefined, pose: Pose, offsets?: Float32Array): void;
}

export function planSourceSkin(read: PointSource): SourceSkin {
  return createSourceSkin(planSkinData(read));
}

export function planSkinData(read: PointSource): SkinData {
  const { character, nodes, groups } = read;
  const skeletonNode = new Map(nodes.map((node, n) => [node, n]));
  const boneSets = groups.map((node) => readBones(node, skeletonNode));
  const points = gatherPoints(read, boneSets);
  const { offsets, bones } = points;
  let first = 0;
  for (const [g, set] of boneSets.entries()) {
    const [from, to] = [offsets[points.groupOffsets[g]!]!, offsets[points.groupOffsets[g + 1]!]!];
    for (let i = from; i < to; i++) bones[i]! += first;
    first += set.nodes.length;
  }
  const { skeleton } = character;
  return { points, boneSets, skeleton, morphs: listMorphs(character, groups.length) };
}

export function createSourceSkin(data: SkinData): SourceSkin {
  const { points, boneSets, skeleton, morphs, order } = data;
  const { count } = points;
  const world = new Float64Array(16 * skeleton.nodeCount);
  const { offsets, bones, weights } = points;
  const targets = points.morphs;
  const { code, lists, at } = openRoom({
    offsets,
    bones,
    weights,
    rest: points.positions,
    morphOffsets: targets.offsets,
    morphTargets: targets.targets,
    morphDeltas: targets.deltas,
    morphWeights: new Float64Array(targets.targets.reduce((most, target) => Math.max(most, target + 1), 0)),
    matrices: new Float64Array(12 * boneSets.reduce((sum, { nodes }) => sum + nodes.length, 0)),
    morphed: new Float64Array(3 * count),
    moved: new Float32Array(3 * count),
    skinned: new Float64Array(3 * count),
    blends: new Float64Array(9 * count),
    order: order ?? new Uint32Array(0),
    ordered: new Float64Array(3 * (order?.length ?? 0)),
  });
  const { matrices, morphWeights } = lists;
  const measureMatrices = (pose: Pose): void => {
    measureWorldMatrices(world, skeleton, pose.locals);
    let to = 0;
    for (const set of boneSets) {
      for (let j = 0; j < set.nodes.length; j++, to += 12)
        multiply(matrices, to, world, 16 * set.nodes[j]!, set.inverseBinds, 16 * j);
    }
  };
  return {
    data,
    pointCount: count,
    welded: points.welded,
    leaders: points.leaders,
    groupOffsets: points.groupOffsets,
    partPoints: points.partPoints,
    partWeights: points.partWeights,
    morphs,
    influences: points,
    matrices,
    apply(out, blends, pose, moved) {
      measureMatrices(pose);
      if (morphWeights.length > 0) {
        morphWeights.set(pose.morphWeights.subarray(0, morphWeights.length));
        const { morphed, rest, morphOffsets, morphTargets, morphDeltas } = at;
        code.morphPoints(morphed, rest, morphOffsets, morphTargets, morphDeltas, at.morphWeights, count);
      }
      if (moved) lists.moved.set(moved);
      const from = morphWeights.length > 0 ? at.morphed : at.rest;
      const row = moved ? at.moved : 0;
      const [b, m] = [blends ? at.blends : 0, at.matrices];
      code.skinPoints(at.skinned, b, from, row, at.offsets, at.bones, at.weights, m, count);
      if (order) code.gatherPoints(at.ordered, at.skinned, at.order, order.length);
      out.set(order ? lists.ordered : lists.skinned);
      blends?.set(lists.blends);
    },
  };
}

/** Points → the welded vertices that they stand for. */
export function gatherVertices(out: Float64Array, points: ArrayLike<number>, { leaders }: SourceSkin): void {
  for (let v = 0; v < leaders.length; v++) {
    const u = 3 * leaders[v]!;
    out[3 * v] = points[u]!;
    out[3 * v + 1] = points[u + 1]!;
    out[3 * v + 2] = points[u + 2]!;
  }
}

/** Upper three rows of a · b, both column-major 4×4, as three columns and the translation. */
function multiply(out: Float64Array, to: number, a: Float64Array, from: number, b: Float64Array, at: number): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) {
      let sum = c === 3 ? a[from + 12 + r]! : 0;
      for (let k = 0; k < 3; k++) sum += a[from + 4 * k + r]! * b[at + 4 * c + k]!;
      out[to + 3 * c + r] = sum;
    }
  }
}

function listMorphs(character: PointSource['character'], groupCount: number) {
  return Array.from({ length: groupCount }, (_, group) => {
    const first = character.morphs.findIndex((morph) => morph.group === group);
    return { first: Math.max(0, first), count: character.morphs.filter((morph) => morph.group === group).length };
  });
}
