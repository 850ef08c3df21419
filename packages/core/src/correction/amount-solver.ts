/** What solving for amounts is asked for and given (create-amount-solver.ts). */
import type { SolverReport } from './volume-solver.js';

/** What the iteration needs of a surface: V_s and J_st = ∂V_s/∂λ_t at the current λ. */
export interface AmountEvaluator {
  /** Surface at `lambda`, and its V_s into `volumes`. */
  evaluate(lambda: Float64Array): void;
  /** V_s of plain skinning into `volumes`; absent where that is the surface at λ = 0, as no shapes are given. `evaluate` follows. */
  measurePlain?(): void;
  /** J at the λ last evaluated into `jacobian`. */
  measureJacobian(): void;
  /** The surface at `lambda` without measuring it: a last step too small to matter. */
  finish(lambda: Float64Array): void;
  readonly volumes: Float64Array;
  /** K×K by rows. */
  readonly jacobian: Float64Array;
}

/** Regions and ceilings that amounts are solved for. */
export interface AmountPlan {
  readonly regionCount: number;
  /** Regions of every component: each is a system of its own. */
  readonly systems: readonly Uint32Array[];
  /** Rest volume of every region's component. */
  readonly componentVolumes: Float64Array;
  /** Λ⁺ and Λ⁻ of every region; infinite: no ceiling. Read in every frame, as `strength` is. */
  readonly outward: Float64Array;
  readonly inward: Float64Array;
  /** Share of its ceiling up to which the push of a region is free (C17). */
  readonly ease: Float64Array;
  /** Share of the lost volume that comes back: V̄_s ← V̄_s + (1 − strength)(V_s(0) − V̄_s). Default 1. */
  strength?: number;
}

export interface AmountSolverOptions {
  /** Relative volume error at which a region counts as met. */
  readonly tolerance?: number;
  /** The total is made exact to this, relative. */
  readonly totalTolerance?: number;
  /** Most evaluations of the surface. */
  readonly evaluations?: number;
  /** From this error of the regions and change of λ on a step is the last and is not measured again: it squares the error. */
  readonly lastStep?: number;
  /** The same of a start from the last frame, whose pose is near; default: `lastStep`. */
  readonly lastWarmStep?: number;
  /** A start from the last frame goes on as λ went before it; for callers that do not solve a pose that is held. Default: it starts where λ is. */
  readonly leads?: boolean;
  /** Cells s·K + t of J that can differ from 0; default: all. */
  readonly cells?: ReadonlySet<number> | undefined;
}

export interface AmountSolver {
  readonly lambda: Float64Array;
  /** The first step of `solve` alone: about what λ will be. `solve` goes on from there, on a surface that is near. */
  begin(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, warm: boolean): void;
  /** Iterates λ from 0, or from where it is, and fills the report. @param hasMoved whether the surface has since `begin`; default: it has */
  solve(
    evaluator: AmountEvaluator,
    targets: Float64Array,
    report: SolverReport,
    warm: boolean,
    hasMoved?: boolean,
  ): void;
  /** The next warm `solve` starts from this λ. */
  startFrom(lambda: Float64Array): void;
}
