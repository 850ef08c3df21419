/**
 * What every volume correction C1–C12 has in common: planned once for a character, then run on each skinned frame.
 *
 * A solver moves positions so that V_s(y) = V̄_s for the regions of its context. Methods that know one constraint only are
 * run on regions by component (the whole body) or, with a map that vanishes on the borders (D8), region by region.
 */
import type { Character } from '../character/character.js';
import type { LinearKernels } from '../kernels/kernel-set.js';
import type { Regions } from '../regions/plan-regions.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';

export interface SolverContext {
  readonly character: Character;
  readonly regions: Regions;
  readonly volumes: RegionVolumes;
  /** γ, #V: large = easy to move, 0 = fixed (C4). */
  readonly gamma: Float64Array;
  /** Local thickness at rest, #V: displacements are limited relative to it. */
  readonly thickness: Float64Array;
  readonly kernels: LinearKernels;
}

export interface VolumeSolver {
  /** Moves `frame.positions` (in: skinned x; out: corrected y). Allocation-free. */
  apply(frame: SolverFrame): void;
  /** Forget the last frames: the next solve starts cold. */
  reset?(): void;
  /** Area vectors / 3 of the corrected surface (extended ×3), where the solver has them: normals for free. */
  readonly areas?: Float64Array;
}

export interface SolverFrame {
  /** Extended positions, (#V + apexes of the context's volumes)×3; only the first #V×3 matter on return. */
  readonly positions: Float64Array;
  /** Unit direction field of the frame, #V×3 (turned with the skin). Solvers that need true normals compute them. */
  readonly directions: Float64Array;
  /** V̄_s of this frame, one per region. */
  readonly targets: Float64Array;
  /** T_i T̄_i⁻¹ of the pose, #B×12. */
  readonly bones: Float64Array;
  readonly report: SolverReport;
  /** Where the skin may not go: applied to every trial surface, so that volume and contact hold together. */
  constraint?: SkinConstraint | undefined;
}

/** A map P of positions that keeps the skin where it may be (F2), with its derivative along the directions. */
export interface SkinConstraint {
  /**
   * y ← P(y) for the vertices that may touch something. Returns the field ∂P/∂y · n (#V×3) that the surface follows when
   * it is pushed along `directions` = n: the same field where nothing touches.
   */
  apply(positions: Float64Array, directions: Float64Array): Float64Array;
  /** Looks at the solved surface; true: `positions` are again unsolved, and must be solved once more. False in the end. */
  mend(positions: Float64Array): boolean;
}

/** Filled by the solver, read by `measure` and the reports. Reused from frame to frame. */
export interface SolverReport {
  /** Volumes after the correction, one per region. */
  readonly volumes: Float64Array;
  /** Gradient evaluations used. */
  evaluations: number;
  /** 1 where the region could not be made exact. */
  readonly inexact: Uint8Array;
  /** A displacement limit was active. */
  limited: boolean;
  /** Name of the method that was fallen back to, or ''. */
  fallback: string;
}

export function createSolverReport(regionCount: number): SolverReport {
  return {
    volumes: new Float64Array(regionCount),
    evaluations: 0,
    inexact: new Uint8Array(regionCount),
    limited: false,
    fallback: '',
  };
}
