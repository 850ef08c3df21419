/**
 * A2. The skin as a glTF viewer computes it, on the vertices of the file rather than on the welded ones.
 *
 *   x_u = Σ_j ω_uj M_j (p_u + Σ_m w_m d_um),   B_u = Σ_j ω_uj lin(M_j),   M_j = world(joint j) · inverseBind_j
 *
 * Source vertices that lie in one welded vertex, with equal position, weights and morphs, are one *point* u: they move
 * alike and get the same correction. Shapes: p #U×3, x #U×3, B #U×9 (column-major). O(influences) per pose.
 */
import type { Character, Pose } from '@isoskin/core';
import { measureWorldMatrices } from '@isoskin/core/kernels';
import type { ReadResult } from '../read-character-from-bytes.js';
import { gatherPoints, readBones } from './gather-points.js';
import type { PartWeights } from './read-part-weights.js';
import { addDeltas } from './sparse-deltas.js';

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
  const blend = new Float64Array(12);
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
        for (const { target, deltas } of points.morphs) addDeltas(morphed, deltas, pose.morphWeights[target]!);
      }
      for (let u = 0; u < points.count; u++) {
        blend.fill(0);
        for (let i = offsets[u]!; i < offsets[u + 1]!; i++) addScaled(blend, weights[i]!, matrices, 12 * bones[i]!);
        const [x, y, z] = [morphed[3 * u]!, morphed[3 * u + 1]!, morphed[3 * u + 2]!];
        out[3 * u] = blend[0]! * x + blend[3]! * y + blend[6]! * z + blend[9]!;
        out[3 * u + 1] = blend[1]! * x + blend[4]! * y + blend[7]! * z + blend[10]!;
        out[3 * u + 2] = blend[2]! * x + blend[5]! * y + blend[8]! * z + blend[11]!;
        for (let k = 0; k < 9; k++) blends[9 * u + k] = blend[k]!;
      }
    },
  };
}

/** out += factor · m, twelve numbers: written out, since every bake spends its time here. */
function addScaled(out: Float64Array, factor: number, m: Float64Array, at: number): void {
  out[0]! += factor * m[at]!;
  out[1]! += factor * m[at + 1]!;
  out[2]! += factor * m[at + 2]!;
  out[3]! += factor * m[at + 3]!;
  out[4]! += factor * m[at + 4]!;
  out[5]! += factor * m[at + 5]!;
  out[6]! += factor * m[at + 6]!;
  out[7]! += factor * m[at + 7]!;
  out[8]! += factor * m[at + 8]!;
  out[9]! += factor * m[at + 9]!;
  out[10]! += factor * m[at + 10]!;
  out[11]! += factor * m[at + 11]!;
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
