import type { VolumeReport } from '@isoskin/core';
import type { Box3, BufferGeometry, Matrix4, SkinnedMesh, Sphere } from 'three';

/** One moment of a body, as all kernels take it. */
export interface BodyPose {
  /** T_i T̄_i⁻¹ in body space, #B×12. */
  readonly bones: Float64Array;
  /** One weight per morph target of the character. */
  readonly morphWeights: Float64Array;
  /** Seconds. */
  time: number;
  /** Skin space (where the bones are) → body space. */
  readonly space: Matrix4;
  /** Local transforms of the skeleton's nodes, #N×10, read when asked for: in body space, or where `to` leads from skin space. */
  readLocals(out: Float64Array, to?: Matrix4): void;
}

/** Body → space of each mesh, column-major 4×4; null where they are the same. */
export type MeshSpaces = readonly (readonly number[] | null)[];

/** What one mesh of a body draws while its volume is kept; `hide` gives the original back. */
export interface Drawing {
  readonly mesh: SkinnedMesh;
  readonly geometry: BufferGeometry;
  /** Around what is drawn, in the space of the mesh. */
  readonly box: Box3;
  readonly sphere: Sphere;
  show(): void;
  hide(): void;
  dispose(): void;
}

/** The way from a pose to what the meshes of a body draw. */
export interface Path {
  /** What computes: `typescript`, `wasm`, `stack`. */
  readonly name: string;
  /** By mesh. */
  readonly drawings: readonly Drawing[];
  /** Takes a new pose. */
  solve(pose: BodyPose, report: VolumeReport, spaces: MeshSpaces): void;
  /** The meshes draw the last pose: before every render, as others may have written there since. */
  write(): void;
  dispose(): void;
}
