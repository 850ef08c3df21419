/**
 * A2. The skin as a glTF viewer computes it, on the vertices of the file rather than on the welded ones.
 *
 *   x_u = Σ_j ω_uj M_j (p_u + Σ_m w_m d_um),   B_u = Σ_j ω_uj lin(M_j),   M_j = world(joint j) · inverseBind_j
 *
 * Source vertices that lie in one welded vertex, with equal position, weights and morphs, are one *point* u: they move
 * alike and get the same correction. Shapes: p #U×3, x #U×3, B #U×9 (column-major). O(influences) per pose.
 */
import type { Character, Pose, Skeleton } from '@isoskin/core';
import { measureWorldMatrices } from '@isoskin/core/kernels';
import type { ReadResult } from '../read-character-from-bytes.js';
import { type Bones, gatherPoints, type Points, readBones } from './gather-points.js';
import type { PartWeights } from './read-part-weights.js';
import { addDeltas } from './sparse-deltas.js';

/** What it is made of: data alone, for threads. */
export interface SkinData {
  /** Bones are numbered through all groups. */
  readonly points: Points;
  readonly boneSets: readonly Bones[];
  readonly skeleton: Skeleton;
  readonly morphs: SourceSkin['morphs'];
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

export function planSourceSkin(read: ReadResult): SourceSkin {
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
  return createSourceSkin({ points, boneSets, skeleton, morphs: listMorphs(character, groups.length) });
}

export function createSourceSkin(data: SkinData): SourceSkin {
  const { points, boneSets, skeleton, morphs } = data;
  const world = new Float64Array(16 * skeleton.nodeCount);
  const matrices = new Float64Array(12 * boneSets.reduce((sum, { nodes }) => sum + nodes.length, 0));
  const morphed = points.positions.slice();
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
    pointCount: points.count,
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
      morphed.set(points.positions);
      for (const { target, deltas } of points.morphs) addDeltas(morphed, deltas, pose.morphWeights[target]!);
      if (moved) for (let i = 0; i < morphed.length; i++) morphed[i]! += moved[i]!;
      skinPoints(out, blends, points, morphed, matrices);
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

/** x and B of all points: written out, since every bake spends its time here. */
function skinPoints(
  out: Float64Array,
  blends: Float64Array | undefined,
  { count, offsets, bones, weights }: Points,
  positions: Float64Array,
  m: Float64Array,
): void {
  for (let u = 0; u < count; u++) {
    let xx = 0;
    let yx = 0;
    let zx = 0;
    let xy = 0;
    let yy = 0;
    let zy = 0;
    let xz = 0;
    let yz = 0;
    let zz = 0;
    let tx = 0;
    let ty = 0;
    let tz = 0;
    for (let i = offsets[u]!; i < offsets[u + 1]!; i++) {
      const w = weights[i]!;
      const at = 12 * bones[i]!;
      xx += w * m[at]!;
      yx += w * m[at + 1]!;
      zx += w * m[at + 2]!;
      xy += w * m[at + 3]!;
      yy += w * m[at + 4]!;
      zy += w * m[at + 5]!;
      xz += w * m[at + 6]!;
      yz += w * m[at + 7]!;
      zz += w * m[at + 8]!;
      tx += w * m[at + 9]!;
      ty += w * m[at + 10]!;
      tz += w * m[at + 11]!;
    }
    const x = positions[3 * u]!;
    const y = positions[3 * u + 1]!;
    const z = positions[3 * u + 2]!;
    out[3 * u] = xx * x + xy * y + xz * z + tx;
    out[3 * u + 1] = yx * x + yy * y + yz * z + ty;
    out[3 * u + 2] = zx * x + zy * y + zz * z + tz;
    if (!blends) continue;
    const b = 9 * u;
    blends[b] = xx;
    blends[b + 1] = yx;
    blends[b + 2] = zx;
    blends[b + 3] = xy;
    blends[b + 4] = yy;
    blends[b + 5] = zy;
    blends[b + 6] = xz;
    blends[b + 7] = yz;
    blends[b + 8] = zz;
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

function listMorphs(character: Character, groupCount: number) {
  return Array.from({ length: groupCount }, (_, group) => {
    const first = character.morphs.findIndex((morph) => morph.group === group);
    return { first: Math.max(0, first), count: character.morphs.filter((morph) => morph.group === group).length };
  });
}
