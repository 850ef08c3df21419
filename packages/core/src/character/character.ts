import type { Warning } from '../error.js';
import type { Csr, Surface } from '../mesh/surface.js';
import type { Clip } from '../skeleton/clip.js';
import type { Skeleton } from '../skeleton/skeleton.js';

/** Everything that the stack needs of a character: plain data, built once by `createCharacter`. */
export interface Character {
  readonly name: string;
  readonly surface: Surface;
  readonly skeleton: Skeleton;
  readonly binding: Binding;
  readonly morphs: readonly MorphTarget[];
  /** Default weight of each morph target. */
  readonly morphWeights: Float64Array;
  readonly clips: readonly Clip[];
  /** Where the source vertices went, one entry per source part, in the order of the input. */
  readonly parts: readonly Part[];
  readonly warnings: readonly Warning[];
}

/** ω: for every welded vertex its bones and weights, strongest first; weights are ≥ 0 and sum to 1. */
export interface Binding {
  /** Vertex → influences, #V+1. */
  readonly offsets: Uint32Array;
  /** Bone of each influence. */
  readonly bones: Uint32Array;
  readonly weights: Float64Array;
  /** Most influences on one vertex. */
  readonly maxInfluences: number;
  /** Largest |Σω − 1| in the source, before normalisation. */
  readonly weightSumError: number;
}

/** Sparse displacement of the rest shape: x̄ += weight · delta. */
export interface MorphTarget {
  readonly name: string;
  /** Repairs the skin instead of meaning another shape, so that its volume is not an aim: a target of a bake, or a corrective of the author (find-correctives.ts). */
  readonly corrects?: 'bake' | 'shape';
  /** Mesh group (glTF node) that it belongs to. */
  readonly group: number;
  readonly vertices: Uint32Array;
  /** #vertices×3, world units. */
  readonly deltas: Float64Array;
}

/** One source primitive and its way into the welded surface. */
export interface Part {
  readonly name: string;
  readonly group: number;
  readonly vertexCount: number;
  /** Source vertex → welded vertex. */
  readonly welded: Uint32Array;
  /** World units per unit of the source positions (negative for a mirrored skin): x̄ = scale · POSITION. */
  readonly scale: number;
  /** Values painted on the source vertices, by attribute name (`_ISOSKIN_GAMMA`, `COLOR_0.r` …), one per vertex. */
  readonly paint: ReadonlyMap<string, Float32Array>;
}

/** What a reader hands to `createCharacter`: raw arrays as the file has them. Nothing is trusted. */
export interface CharacterInput {
  readonly name: string;
  readonly parts: readonly PartInput[];
  readonly skeleton: SkeletonInput;
  readonly morphs?: readonly MorphInput[];
  readonly clips?: readonly Clip[];
  readonly warnings?: readonly Warning[];
  /** Relative to the diagonal of the bounding box; vertices closer than this are one. Default 1e−6. */
  readonly weldTolerance?: number;
  /** Wider tolerance for vertices on open borders only, for quantised files. Default: none. */
  readonly borderTolerance?: number;
}

/** One mesh primitive of a file: positions, triangles, influences, and what else vertices carry. */
export interface PartInput {
  readonly name: string;
  /** Parts of one group (one glTF node) are welded together; parts of different groups never are. */
  readonly group: number;
  /** #×3, bind space. */
  readonly positions: Float32Array | Float64Array;
  /** #T×3; absent for unindexed triangles. */
  readonly triangles?: ArrayLike<number>;
  /** #×influences, indices of bones. */
  readonly bones: ArrayLike<number>;
  readonly weights: Float32Array | Float64Array;
  readonly influences: number;
  /** World units per unit of `positions`: the joints' common scale, negative when the skin is mirrored. Default 1. */
  readonly scale?: number;
  /** First morph target of this part's group and its delta arrays (#×3, bind space), one per target. */
  readonly morphs?: { readonly first: number; readonly deltas: readonly (Float32Array | Float64Array | null)[] };
  readonly paint?: ReadonlyMap<string, Float32Array>;
}

/** Nodes, which of them are bones, and their inverse bind matrices. */
export interface SkeletonInput {
  readonly names: readonly string[];
  /** −1 for roots; a parent comes before its children. */
  readonly parents: ArrayLike<number>;
  /** #N×10. */
  readonly locals: Float64Array;
  readonly fixedMatrices?: ReadonlyMap<number, Float64Array>;
  readonly boneNodes: ArrayLike<number>;
  /** T̄⁻¹, #B×16: rest *world units* (x̄ = scale · position) → joint frame, so the reader has divided by the scale. */
  readonly inverseBinds: Float64Array;
}

/** A morph target of the file: its name, the mesh that it belongs to, its weight at rest. */
export interface MorphInput {
  readonly name: string;
  readonly group: number;
  readonly weight: number;
}

export type { Csr };
