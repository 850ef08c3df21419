import { createSolverReport, type SolverReport } from '../correction/volume-solver.js';
import type { Pose } from '../skeleton/skeleton.js';
import type { RefinedSurface } from '../wrinkles/plan-wrinkles.js';

/** One moment on its way through the stack: typed arrays that every layer reads and overwrites. */
export interface Frame {
  pose: Pose;
  /** Seconds since the start of the clip, and since the last frame. */
  time: number;
  dt: number;
  /** Volume layers may start from the last frame's answer. */
  warm: boolean;
  /** The surface so far, #V×3, with room for the apexes of the layers behind it. */
  readonly extended: Float64Array;
  /** The surface so far, #V×3: the front of `extended`. */
  readonly positions: Float64Array;
  /** x̄ after morphing, #V×3. */
  readonly rest: Float64Array;
  /** x, #V×3: what skinning alone gives. */
  readonly skinned: Float64Array;
  /** The smoothed normals turned with the skin, #V×3, not unit; on kernels, which keep them to themselves, those at rest. */
  readonly directions: Float64Array;
  /** Unit normals of the final surface, #V×3. */
  readonly normals: Float64Array;
  /** T_i T̄_i⁻¹ of the pose, #B×12. */
  bones: Float64Array;
  /**
   * The surface to draw where wrinkles fold it: refined, with vertices and triangles of its own. Absent while every tool is
   * stretched, and without a wrinkles layer: then `positions` are drawn. `positions` themselves never wrinkle.
   */
  refined?: RefinedSurface | undefined;
  /** What the volume layer did, if there is one. */
  readonly report: VolumeReport | undefined;
}

/** What the volume step has made of the regions of a frame. */
export interface VolumeReport extends SolverReport {
  /** Names of the regions that the arrays below speak of. */
  readonly names: readonly string[];
  /** V̄_s of this frame. */
  readonly targets: Float64Array;
}

export function createVolumeReport(names: readonly string[], rest: Float64Array): VolumeReport {
  return { ...createSolverReport(rest.length), names, targets: rest.slice() };
}
