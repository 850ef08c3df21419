/**
 * The Gauss–Newton iteration of C11 on the amounts λ, independent of who evaluates the surface (TypeScript, WASM, WebGPU).
 *
 *   minimise  Σ_s ((V_s(λ) − V̄_s)/w_s)² + σ|λ|²   subject to  Σ_s V_s(λ) = Σ_s V̄_s   (for each component)
 *
 * w_s = max(|V̄_s|, floor).  σ follows the mean square of the residuals, so it vanishes quadratically where the regions can
 * be met and stays where they cannot: soft to exact without a switch, a continuous function of the pose. Warm starts carry λ
 * on from the last frames, and turn it where the skinned volumes turned (a kink of the clip). O(K³) per step, K = regions of
 * a component.
 */
import { createRegionSystem, LONGEST_STEP, SOFTNESS } from './create-region-system.js';
import type { SolverReport } from './volume-solver.js';

/** What the iteration needs of a surface: V_s and J_st = ∂V_s/∂λ_t at the current λ. */
export interface AmountEvaluator {
  /** Surface at `lambda`, and its V_s into `volumes`. */
  evaluate(lambda: Float64Array): void;
  /** J at the λ last evaluated into `jacobian`. */
  measureJacobian(): void;
  /** The surface at `lambda` without measuring it: a last step too small to matter. */
  finish(lambda: Float64Array): void;
  readonly volumes: Float64Array;
  /** K×K by rows. */
  readonly jacobian: Float64Array;
}

export interface AmountSolverOptions {
  /** Relative volume error at which regions count as exact. */
  readonly tolerance?: number;
  /** Most Gauss–Newton steps. */
  readonly steps?: number;
  /** Below this relative change a region is at rest: nothing in it moves. Default: what f64 can tell. */
  readonly idle?: number;
  /** The total is made exact to this, relative. */
  readonly totalTolerance?: number;
  /** From this error of the total on, a last step with the last Jacobian, right to a per cent, is not measured again. */
  readonly unmeasured?: number;
  /** From this error of the regions on, a step is the last and is not measured again either: it squares the error. */
  readonly lastStep?: number;
  /** Cells s·K + t of J that can differ from 0; default: all. */
  readonly cells?: ReadonlySet<number> | undefined;
}

export const AMOUNT_SOLVER_DEFAULTS = {
  tolerance: 1e-7,
  steps: 14,
  idle: 1e-12,
  totalTolerance: 1e-10,
  unmeasured: 1e-9,
  lastStep: 0,
};

/** Relative change from which a region moves freely; below, its displacements fade with the change. */
const ACTIVE = 1e-2;
/** Longest move of λ that is carried on from one frame to the next. */
const LONGEST_GUESS = 0.05;
/** Differences of the skinned volumes below this, relative, do not change the guess. */
const BEND = 1e-7;
/** Newton's steps that make the error this small a part of the last one square it: the next needs no measuring. */
const FAST = 0.03;
/** Most steps on the total alone. */
const TOTAL_STEPS = 6;
/** A region that is off by more is reported (and by more than the tolerance, where that is wider). */
const INEXACT = 1e-6;
/** Volumes below this share of the component are judged against it, not against themselves. */
const FLOOR_SHARE = 1e-3;

/** The numbers of the iteration that kernel sets with an iteration of their own (WebGPU) must share. */
export const AMOUNT_SOLVER_CONSTANTS = { ACTIVE, SOFTNESS, LONGEST_STEP, LONGEST_GUESS, FLOOR_SHARE, FAST } as const;

export interface AmountSolver {
  readonly lambda: Float64Array;
  /** How freely each region moves, 0 … 1, from how much its volume changed. False when all are at rest. */
  measureActivity(out: Float64Array, volumes: Float64Array, targets: Float64Array): boolean;
  /** Iterates λ and fills the report; call `measureActivity` before, and `rest` instead when nothing moved. */
  solve(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void;
  rest(volumes: Float64Array, report: SolverReport): void;
  /** Fills the report for these volumes: which regions are not exact. */
  judge(volumes: Float64Array, targets: Float64Array, report: SolverReport): void;
  reset(): void;
}

/** @param blocks regions of every component. @param wholes volume at rest of every region's component. */
export function createAmountSolver(
  regionCount: number,
  blocks: readonly Uint32Array[],
  wholes: Float64Array,
  options: AmountSolverOptions = {},
): AmountSolver {
  const { tolerance, steps, idle, totalTolerance, unmeasured, lastStep } = { ...AMOUNT_SOLVER_DEFAULTS, ...options };
  const K = regionCount;
  const lambda = new Float64Array(K);
  const last = [new Float64Array(K), new Float64Array(K), new Float64Array(K)] as const;
  /** V_s − V̄_s before the correction, of this frame and the last three. */
  const missed = [new Float64Array(K), new Float64Array(K), new Float64Array(K), new Float64Array(K)] as const;
  const floors = new Float64Array(K);
  const residual = new Float64Array(K);
  const rhs = new Float64Array(K);
  const before = new Float64Array(K);
  const { cells } = options;
  const canMove = cells && ((s: number, t: number) => cells.has(s * K + t));
  const systems = blocks.map((block) => createRegionSystem(block, K, canMove));
  let known = 0; // how many of the last frames' λ are known
  let coldError = 0; // largest relative change of a region before the correction

  function measureActivity(out: Float64Array, volumes: Float64Array, targets: Float64Array): boolean {
    let busy = false;
    let worst = 0;
    missed[3].set(missed[2]);
    missed[2].set(missed[1]);
    missed[1].set(missed[0]);
    for (let s = 0; s < K; s++) {
      missed[0][s] = volumes[s]! - targets[s]!;
      floors[s] = Math.max(Math.abs(targets[s]!), FLOOR_SHARE * Math.abs(wholes[s]!));
      const change = Math.abs(volumes[s]! - targets[s]!) / floors[s]!;
      const level = change / ACTIVE;
      const square = level * level;
      out[s] = change < idle ? 0 : level / Math.sqrt(Math.sqrt(1 + square * square));
      busy ||= out[s]! > 0;
      worst = Math.max(worst, change);
    }
    coldError = worst;
    return busy;
  }

  function solve(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    startLambda(evaluator, targets);
    evaluate(evaluator, report);
    let error = measureResidual(evaluator.volumes, targets);
    if (known > 0 && error > coldError) {
      // The last frame is no help here: it was elsewhere, or pressed against its limits.
      known = 0;
      lambda.fill(0);
      evaluate(evaluator, report);
      error = measureResidual(evaluator.volumes, targets);
    }
    let lastError = coldError;
    for (let step = 0; step < steps && error >= tolerance; step++) {
      evaluator.measureJacobian();
      before.set(lambda);
      for (const system of systems) system.step(lambda, residual, floors, evaluator.jacobian);
      if (error <= Math.min(lastStep, FAST * lastError)) {
        followLambda(evaluator);
        evaluator.finish(lambda);
        break;
      }
      lastError = error;
      evaluate(evaluator, report);
      error = measureResidual(evaluator.volumes, targets);
    }
    finishTotals(evaluator, targets, report);
    last[2].set(last[1]);
    last[1].set(last[0]);
    last[0].set(lambda);
    known = Math.min(3, known + 1);
    judge(evaluator.volumes, targets, report);
  }

  function evaluate(evaluator: AmountEvaluator, report: SolverReport): void {
    evaluator.evaluate(lambda);
    report.evaluations++;
  }

  /** The volumes after the step from `before` to `lambda`, to first order. */
  function followLambda({ volumes, jacobian }: AmountEvaluator): void {
    for (let t = 0; t < K; t++) before[t] = lambda[t]! - before[t]!;
    for (let s = 0; s < K; s++) {
      let change = 0;
      for (let t = 0; t < K; t++) change += jacobian[s * K + t]! * before[t]!;
      volumes[s]! += change;
    }
  }

  function rest(volumes: Float64Array, report: SolverReport): void {
    known = 0;
    lambda.fill(0);
    report.volumes.set(volumes);
    report.inexact.fill(0);
  }

  function judge(volumes: Float64Array, targets: Float64Array, report: SolverReport): void {
    report.volumes.set(volumes);
    report.limited = false;
    for (let s = 0; s < K; s++) {
      report.inexact[s] = Math.abs(volumes[s]! - targets[s]!) > Math.max(INEXACT, 2 * tolerance) * floors[s]! ? 1 : 0;
      if (report.inexact[s]) report.limited = true;
    }
  }

  /**
   * Cold: λ = 0. Warm: the last λ, carried on as it was moving (a parabola through the last three frames), and one more
   * step with the last system for what the skinned volumes did otherwise: their third difference, or as many as are known.
   */
  function startLambda(evaluator: AmountEvaluator, targets: Float64Array): void {
    if (known === 0) return void lambda.fill(0);
    const { volumes } = evaluator;
    for (let s = 0; s < K; s++) {
      const move = last[0][s]! - last[1][s]!;
      const turn = missed[0][s]! - missed[1][s]!;
      const bend = turn - (missed[1][s]! - missed[2][s]!);
      const lastBend = missed[1][s]! - 2 * missed[2][s]! + missed[3][s]!;
      lambda[s] = last[0][s]! + (known > 2 ? 2 * move - (last[1][s]! - last[2][s]!) : known > 1 ? move : 0);
      volumes[s] = targets[s]! + (known > 2 ? bend - lastBend : known > 1 ? bend : turn);
    }
    if (measureResidual(volumes, targets) > BEND) {
      for (const system of systems) system.stepAgain(lambda, residual, floors);
    }
    for (let s = 0; s < K; s++) {
      const move = lambda[s]! - last[0][s]!;
      lambda[s] = last[0][s]! + Math.max(-LONGEST_GUESS, Math.min(LONGEST_GUESS, move));
    }
  }

  function measureResidual(volumes: Float64Array, targets: Float64Array): number {
    let worst = 0;
    for (let s = 0; s < K; s++) {
      residual[s] = (volumes[s]! - targets[s]!) / floors[s]!;
      worst = Math.max(worst, Math.abs(residual[s]!));
    }
    return worst;
  }

  /** Newton on the totals until they are exact; the last, tiny step is not measured again. */
  function finishTotals(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    for (let step = 0; step < TOTAL_STEPS; step++) {
      const error = measureTotals(evaluator.volumes, targets);
      if (error <= totalTolerance) return;
      if (error > unmeasured) evaluator.measureJacobian();
      for (const block of blocks) stepTotal(block, evaluator, targets);
      if (error <= unmeasured) return evaluator.finish(lambda);
      evaluator.evaluate(lambda);
      report.evaluations++;
    }
  }

  /** Largest relative error of a component's total. */
  function measureTotals(volumes: Float64Array, targets: Float64Array): number {
    let worst = 0;
    for (const block of blocks) {
      let missing = 0;
      let whole = 0;
      for (let i = 0; i < block.length; i++) {
        missing += volumes[block[i]!]! - targets[block[i]!]!;
        whole += Math.abs(targets[block[i]!]!);
      }
      if (whole > 0) worst = Math.max(worst, Math.abs(missing) / whole);
    }
    return worst;
  }

  /** One Newton step of a component's total alone, along its gradient; the volumes follow to first order. */
  function stepTotal(block: Uint32Array, { volumes, jacobian }: AmountEvaluator, targets: Float64Array): void {
    let missing = 0;
    let square = 0;
    for (let i = 0; i < block.length; i++) {
      missing += volumes[block[i]!]! - targets[block[i]!]!;
      rhs[i] = 0;
      for (let r = 0; r < block.length; r++) rhs[i]! += jacobian[block[r]! * K + block[i]!]!;
      square += rhs[i]! * rhs[i]!;
    }
    if (!(square > 0)) return;
    const length = Math.abs(missing) / Math.sqrt(square);
    const step = -missing / square / Math.sqrt(1 + (length / LONGEST_STEP) ** 2);
    for (let i = 0; i < block.length; i++) {
      const change = step * rhs[i]!;
      lambda[block[i]!]! += change;
      for (let r = 0; r < block.length; r++) volumes[block[r]!]! += jacobian[block[r]! * K + block[i]!]! * change;
    }
  }

  return { lambda, measureActivity, solve, rest, judge, reset: () => void (known = 0) };
}
