/**
 * A2. The skin as a glTF viewer computes it, on the vertices of the file rather than on the welded ones.
 *
 *   x_u = Σ_j ω_uj M_j (p_u + Σ_m w_m d_um),   B_u = Σ_j ω_uj lin(M_j),   M_j = world(joint j) · inverseBind_j
 *
 * Source vertices that lie in one welded vertex, with equal position, weights and morphs, are one *point* u: they move
 * alike and get the same correction. Shapes: p #U×3, x #U×3, B #U×9 (column-major). O(influences) per pose.
 */
import { type Character, measureWorldMatrices, type Pose } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { gatherPoints, readBones } from './gather-points.js';
import type { PartWeights } from './read-part-weights.js';

export interface SourceSkin {
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
  /** Skins a pose: positions (#U×3) and blended linear parts (#U×9). */
  apply(positions: Float64Array, blends: Float64Array, pose: Pose): void;
}

export function planSourceSkin(read: ReadResult): SourceSkin {
  const { character, nodes, groups } = read;
  const skeletonNode = new Map(nodes.map((node, n) => [node, n]));
  const boneSets = groups.map((node) => readBones(node, skeletonNode));
  const firstBone: number[] = [];
  let boneCount = 0;
  for (const set of boneSets) {
    firstBone.push(boneCount);
    boneCount += set.nodes.length;
  }
  const points = gatherPoints(read, boneSets);
  const { positions: rest, offsets, bones, weights } = points;
  for (let u = 0; u < points.count; u++) {
    const first = firstBone[points.groups[u]!]!;
    for (let i = offsets[u]!; i < offsets[u + 1]!; i++) bones[i]! += first;
  }

  const world = new Float64Array(16 * character.skeleton.nodeCount);
  const matrices = new Float64Array(12 * boneCount);
  const morphed = Float64Array.from(rest);
  const measureMatrices = (pose: Pose): void => {
    measureWorldMatrices(world, character.skeleton, pose.locals);
    let to = 0;
    for (const set of boneSets) {
      for (let j = 0; j < set.nodes.length; j++, to += 12)
        multiply(matrices, to, world, 16 * set.nodes[j]!, set.inverseBinds, 16 * j);
    }
  };
  const hasMorphs = points.morphs.length > 0;
  return {
    pointCount: points.count,
    welded: points.welded,
    leaders: points.leaders,
    groupOffsets: points.groupOffsets,
    partPoints: points.partPoints,
    partWeights: points.partWeights,
    morphs: listMorphs(character, groups.length),
    apply(out, blends, pose) {
      measureMatrices(pose);
      if (hasMorphs) {
        morphed.set(rest);
        for (const { target, first, deltas } of points.morphs) {
          const weight = pose.morphWeights[target]!;
          if (weight === 0) continue;
          for (let i = 0; i < deltas.length; i++) morphed[first + i]! += weight * deltas[i]!;
        }
      }
      for (let u = 0; u < points.count; u++) blendPoint(out, blends, u, morphed, offsets, bones, weights, matrices);
    },
  };
}

/** One point, written out: this loop is run for every sample several times. */
function blendPoint(
  out: Float64Array,
  blends: Float64Array,
  u: number,
  rest: Float64Array,
  offsets: Uint32Array,
  bones: Uint32Array,
  weights: Float64Array,
  matrices: Float64Array,
): void {
  let a0 = 0;
  let a1 = 0;
  let a2 = 0;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let c0 = 0;
  let c1 = 0;
  let c2 = 0;
  let d0 = 0;
  let d1 = 0;
  let d2 = 0;
  const end = offsets[u + 1]!;
  for (let i = offsets[u]!; i < end; i++) {
    const m = 12 * bones[i]!;
    const w = weights[i]!;
    a0 += w * matrices[m]!;
    a1 += w * matrices[m + 1]!;
    a2 += w * matrices[m + 2]!;
    b0 += w * matrices[m + 3]!;
    b1 += w * matrices[m + 4]!;
    b2 += w * matrices[m + 5]!;
    c0 += w * matrices[m + 6]!;
    c1 += w * matrices[m + 7]!;
    c2 += w * matrices[m + 8]!;
    d0 += w * matrices[m + 9]!;
    d1 += w * matrices[m + 10]!;
    d2 += w * matrices[m + 11]!;
  }
  const x = rest[3 * u]!;
  const y = rest[3 * u + 1]!;
  const z = rest[3 * u + 2]!;
  out[3 * u] = a0 * x + b0 * y + c0 * z + d0;
  out[3 * u + 1] = a1 * x + b1 * y + c1 * z + d1;
  out[3 * u + 2] = a2 * x + b2 * y + c2 * z + d2;
  const at = 9 * u;
  blends[at] = a0;
  blends[at + 1] = a1;
  blends[at + 2] = a2;
  blends[at + 3] = b0;
  blends[at + 4] = b1;
  blends[at + 5] = b2;
  blends[at + 6] = c0;
  blends[at + 7] = c1;
  blends[at + 8] = c2;
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

function listMorphs(character: Character, groupCount: number) {
  return Array.from({ length: groupCount }, (_, group) => {
    const first = character.morphs.findIndex((morph) => morph.group === group);
    return { first: Math.max(0, first), count: character.morphs.filter((morph) => morph.group === group).length };
  });
}
