import type { Character, StackSpec, VolumeReport } from '@isoskin/core';

/** One moment of a body, as all kernels take it. */
export interface BodyPose {
  /** T_i T̄_i⁻¹ in body space, #B×12. */
  readonly bones: Float64Array;
  /** One weight per morph target of the character. */
  readonly morphWeights: Float64Array;
  /** Seconds. */
  time: number;
  /** Local transforms of the skeleton's nodes, #N×10, read when asked for. */
  readLocals(out: Float64Array): void;
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
  /** `body` tells warm starts apart: the next pose of the same body is near its last one. */
  run(pose: BodyPose, report: VolumeReport, body: object): void;
  dispose(): void;
}

/** An evaluator for any stack: `fullStack` of @isoskin/three/full-stack. */
export type CreateEvaluator = (character: Character, spec: StackSpec) => Evaluator;
