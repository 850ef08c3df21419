/**
 * What every volume correction C1–C12 has in common: planned once for a character, then run on each skinned frame.
 *
 * A solver moves positions so that V_s(y) = V̄_s for the regions of its context. Methods that know one constraint only are
 * run on regions by component (the whole body) or, with a map that vanishes on the borders (D8), region by region.
 */

import type { Character } from '../character/character.js';
import type { CheckTable } from '../check-json.js';
import type { Clusters } from '../mesh/plan-clusters.js';
import type { Regions } from '../regions/plan-regions.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import type { PlanGiven } from './plan-given.js';
import type { ShapeDraft } from './plan-shapes.js';
import type { AmountSamples } from './shape-budget.js';

export interface SolverContext {
  readonly character: Character;
  readonly regions: Regions;
  readonly volumes: RegionVolumes;
  /** γ, #V: large = easy to move, 0 = fixed (C4). */
  readonly gamma: Float64Array;
  /** ℓ: how far each vertex may be pushed, #V; displacements are limited relative to it. */
  readonly room: Float64Array;
  /** n̄, #V×3. */
  readonly directions: Float64Array;
  /** Of the surface, where it is fine. */
  readonly clusters?: Clusters | undefined;
  /** C15: shapes that were drafted while the regions were fitted. */
  readonly draft?: ShapeDraft;
  /** C16, where it is at hand. */
  readonly planGiven?: PlanGiven | undefined;
  /** C18: amounts of all shapes at moments of the clips, where those are known. */
  readonly samples?: AmountSamples | undefined;
  /** Regions are asked for other volumes than those at rest (C13). */
  readonly asksVolumes?: boolean;
}

/** Moves both surfaces (#V×3) alike, and says whether it has. */
export type MoveSurface = (start: Float64Array, ahead: Float64Array) => boolean;

export interface VolumeSolver {
  /** Moves `frame.positions` (in: skinned x; out: corrected y). Allocation-free. */
  apply(frame: SolverFrame): void;
  /**
   * A look ahead, for contact: `move` is called with the surface that `apply`, which goes on from there with the same frame, starts from,
   * and with about where it will have it.
   */
  begin?(frame: SolverFrame, move: MoveSurface): void;
  /** Area vectors / 3 of the corrected surface (extended ×3), where the solver has them: normals for free. */
  readonly areas?: Float64Array;
}

/** A method as a stack names it: how it is planned, and what it can be told. */
export interface VolumeMethod {
  plan(context: SolverContext, options: object): VolumeSolver;
  readonly options: CheckTable;
}

export interface SolverFrame {
  /** Extended positions, (#V + apexes of the context's volumes)×3; only the first #V×3 matter on return. */
  readonly positions: Float64Array;
  /** Direction field of the frame, #V×3, turned and stretched with the skin, not unit. Solvers that need true normals compute them. */
  readonly directions: Float64Array;
  /** V̄_s of this frame, one per region. */
  readonly targets: Float64Array;
  /** T_i T̄_i⁻¹ of the pose, #B×12. */
  readonly bones: Float64Array;
  readonly report: SolverReport;
  /** Start from the last frame's answer instead of from nothing: sooner, and the same to the tolerance. */
  warm?: boolean;
}

/** Filled by the solver, read by `measure` and the reports. Reused from frame to frame. */
export interface SolverReport {
  /** Volumes after the correction, one per region. */
  readonly volumes: Float64Array;
  /** Gradient evaluations used. */
  evaluations: number;
  /** 1 where the region could not be made exact. */
  readonly inexact: Uint8Array;
  /** Some region is inexact: a limit holds it back. */
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
