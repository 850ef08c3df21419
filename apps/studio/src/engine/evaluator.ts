/** A planned stack that gives frames, whatever kernels run it. */
import type { Clip, Pose, Regions, RegionVolumes } from '@isoskin/core';
import type { LayerTiming, PlanFacts } from './protocol.js';

export interface Evaluator {
  readonly kernels: PlanFacts['kernels'];
  /** Why not faster ones; empty if there is nothing to say. */
  readonly reason: string;
  /** Absent when no layer keeps volumes. */
  readonly volume?: EvaluatorVolume;
  /** Numbers per vertex of the arrays below. */
  readonly stride: 3 | 4;
  readonly positions: Float32Array | Float64Array;
  readonly normals: Float32Array | Float64Array;
  readonly skinned: Float32Array | Float64Array;
  readonly bones: Float64Array;
  readonly timings: readonly LayerTiming[];
  /** The frame that follows the last one after `dt` seconds. */
  evaluate(pose: Pose, time: number, dt: number): void | Promise<void>;
  /** A frame for itself, whatever came before: the same pose gives the same frame. */
  seek(clip: Clip | undefined, pose: Pose, time: number): void | Promise<void>;
  dispose(): void;
}

export interface EvaluatorVolume {
  readonly regions: Regions;
  readonly volumes: RegionVolumes;
  readonly gamma: Float64Array;
  readonly rest: Float64Array;
  readonly targets: { measure(out: Float64Array, bones: Float64Array, time: number): void };
}
