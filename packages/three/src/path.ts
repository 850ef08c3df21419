import type { VolumeReport } from '@isoskin/core';
import type { BodyPose } from './evaluator.js';
import type { DrawnAttributes } from './mesh-drawing.js';
import type { BodyPlan } from './plan-body.js';

/** Body → space of each mesh, column-major 4×4; null where they are the same. */
export type MeshSpaces = readonly (readonly number[] | null)[];

/** The way from a pose to what the meshes of a body draw. */
export interface Path {
  /** `typescript`, `wasm`, `webgpu` … */
  readonly name: string;
  /** By mesh. */
  readonly attributes: readonly DrawnAttributes[];
  /** Box around what each mesh draws (low x y z, high x y z), in its space; filled by `draw`. */
  readonly boxes: readonly Float64Array[];
  draw(pose: BodyPose, report: VolumeReport, spaces: MeshSpaces, body: object): void;
  /** The next pose is not near the last one: start cold. */
  forget?(): void;
  /** Positions of the last pose must be in `attributes` now: a raycast asks. */
  prepare?(pose: BodyPose, report: VolumeReport, spaces: MeshSpaces, body: object): void;
  dispose(): void;
}

/** What is known of a three.js renderer, WebGL or WebGPU. */
export interface AnyRenderer {
  readonly isWebGPURenderer?: boolean;
  readonly backend?: unknown;
}

/** A path that needs a renderer: `webgpu` of `@isoskin/three/webgpu`. */
export interface RendererPath {
  /** Undefined where it cannot run; `later` while the renderer is not ready. */
  create(renderer: AnyRenderer, plan: BodyPlan): Path | 'later' | undefined;
}
