import type { Character, RefinedSurface, StackSpec, VolumeReport } from '@isoskin/core';
import type { BufferGeometry, Matrix4 } from 'three';
import type { MeshLayout } from './plan-mesh-layout.js';
import type { RefinedMesh } from './plan-refined-mesh.js';

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

/** Corrected surface of one pose. The arrays are overwritten by the next run, of any body that shares the evaluator. */
export interface Evaluator {
  /** `typescript`, `wasm` … */
  readonly name: string;
  /** Numbers per vertex in the arrays below. */
  readonly stride: 3 | 4;
  readonly positions: Float64Array | Float32Array;
  /** Unit normals. */
  readonly normals: Float64Array | Float32Array;
  /** What the last run folded; the arrays above are then those of its vertices. */
  readonly refined?: RefinedSurface | undefined;
  /** Memory for what a mesh draws, if the stack may fold it. */
  readonly refineMesh?: ((geometry: BufferGeometry, layout: MeshLayout) => RefinedMesh) | undefined;
  /** `body` tells warm starts apart: the next pose of the same body is near its last one. */
  run(pose: BodyPose, report: VolumeReport, body: object): void;
  dispose(): void;
}

/** An evaluator for any stack: `fullStack` of @isoskin/three/full-stack. */
export interface CreateEvaluator {
  (character: Character, spec: StackSpec): Evaluator;
  /** The stack changes with time, not with the pose alone. */
  changesWithTime?(spec: StackSpec): boolean;
  /** A frame depends on the frames before it (swinging flesh): every body needs an evaluator of its own. */
  hasMemory?(spec: StackSpec): boolean;
}
