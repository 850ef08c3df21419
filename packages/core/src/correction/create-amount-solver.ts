/**
 * C15, C17. The amounts λ of the shapes for one pose, independent of who evaluates the surface (TypeScript, WASM).
 *
 *   minimise E(λ) over −Λ⁻ ≤ λ ≤ Λ⁺          (amount-energy.ts; λ = argmin is V_s(λ) = V̄_s for every region wherever nothing holds one back)
 *
 * Gauss–Newton: every step is the best one inside the ceilings while V is taken as linear (create-step-model.ts), with a halving line
 * search on the surface, every component by itself (component-search.ts). From λ = 0 the result is a function of the pose alone. Where every region
 * is met and nothing is paid, the next frame may start from its λ, or where the last two lead to, λ₁ + (λ₁ − λ₂): the result is the same to the
 * tolerance, sooner. A frame that pays starts from λ = 0, where the bounds b are measured. O(K³) per step at most.
 */
import { INEXACT, REGION_FLOOR } from '../volume/region-error.js';
import { type AmountState, measureBound, PUSH_PRICE, WORSE_PENALTY, WORSE_SLACK } from './amount-energy.js';
import type { AmountEvaluator, AmountPlan, AmountSolver, AmountSolverOptions } from './amount-solver.js';
import { ComponentSearch, LEAST_GAIN, LEAST_MEASURED } from './component-search.js';
import { LEAST_SOFTNESS, listCells, type RegionCells, SOFTNESS } from './create-region-system.js';
import { MODEL_ENOUGH, MODEL_HALVINGS, MODEL_ROUNDS } from './create-step-model.js';
import type { SolverReport } from './volume-solver.js';

export const AMOUNT_SOLVER_DEFAULTS = {
  tolerance: 1e-8,
  totalTolerance: 1e-11,
  evaluations: 60,
  lastStep: 0,
  leads: false,
};

/** Errors of the regions from which on a start from the last frame is given up: the pose is another one. */
const ANOTHER_POSE = 0.1;

/** The numbers of the iteration that kernel sets with an iteration of their own (WebGPU) share. */
export const AMOUNT_SOLVER_CONSTANTS = {
  ...{ ANOTHER_POSE, LEAST_GAIN, LEAST_MEASURED, SOFTNESS, LEAST_SOFTNESS, REGION_FLOOR },
  ...{ WORSE_PENALTY, WORSE_SLACK, PUSH_PRICE },
  ...{ MODEL_ROUNDS, MODEL_HALVINGS, MODEL_ENOUGH },
} as const;

export function createAmountSolver(plan: AmountPlan, options: AmountSolverOptions = {}): AmountSolver {
  return new Solver(plan, options);
}

class Solver implements AmountSolver {
  readonly lambda: Float64Array;
  private readonly state: AmountState;
  private readonly searches: readonly ComponentSearch[];
  private readonly reach: RegionCells; // all cells of J
  private readonly last: Float64Array; // λ of the surface last evaluated
  private readonly options: Required<Omit<AmountSolverOptions, 'cells'>>;
  private readonly before: Float64Array; // λ of the frame before the last
  private readonly start: Float64Array; // λ that the last warm frame started from; NaN: none since a cold one
  private readonly wanted: Float64Array; // V̄ at less than full strength
  private wasFree = false; // the last frame's λ is a place to start from
  private wasWarm = false; // and so is the one before it
  private hasBegun = false; // λ has taken its first step of this frame
  private isCold = true; // … from 0

  constructor(
    private readonly plan: AmountPlan,
    { cells, ...options }: AmountSolverOptions,
  ) {
    const { regionCount: K, systems, outward, inward, ease } = plan;
    const vector = () => new Float64Array(K);
    const own = { lambda: vector(), accepted: vector(), delta: vector(), scales: vector(), residual: vector() };
    const free = vector(); // 0: stays at its ceiling
    const canMove = cells && ((s: number, t: number) => cells.has(s * K + t));
    this.reach = listCells(
      Uint32Array.from({ length: K }, (_, s) => s),
      K,
      canMove,
    );
    const given = { ...AMOUNT_SOLVER_DEFAULTS, ...options };
    this.state = { ...own, outward, inward, ease, bounds: vector(), penalties: vector(), prices: vector() };
    this.lambda = own.lambda;
    this.last = vector();
    this.before = vector();
    this.start = vector().fill(Number.NaN);
    this.wanted = vector();
    this.options = { lastWarmStep: given.lastStep, ...given };
    this.searches = systems.map((regions) => new ComponentSearch(regions, this.state, free, canMove));
  }

  begin(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, warm: boolean): void {
    const { tolerance, totalTolerance } = this.options;
    const { searches } = this;
    this.measureScales(targets);
    report.evaluations = 0;
    this.isCold = !warm || !this.wasFree;
    if (this.isCold) this.startCold(evaluator, targets, report);
    else this.startWarm(evaluator, targets, report);
    this.state.accepted.set(this.lambda);
    for (let n = 0; n < searches.length; n++) searches[n]!.start(tolerance, totalTolerance);
    if (this.isSearching(true)) evaluator.measureJacobian();
    for (let n = 0; n < searches.length; n++) {
      if (!searches[n]!.done) searches[n]!.propose(evaluator.jacobian, false);
    }
    this.hasBegun = true;
  }

  solve(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, warm: boolean, hasMoved = true): void {
    const { lastStep, lastWarmStep } = this.options;
    const { strength = 1 } = this.plan;
    const isWhole = strength >= 1; // else V(0) is asked for, which is where a cold start begins
    const hasBegun = this.hasBegun && isWhole;
    this.measureScales(targets);
    this.hasBegun = false;
    if (hasBegun) {
      this.wasWarm = false;
      this.start.fill(Number.NaN);
      if (hasMoved || this.isSearching(false)) this.evaluate(evaluator, targets, report);
      if (measureLargest(this.state.residual) <= ANOTHER_POSE) {
        this.iterate(evaluator, targets, report, lastStep);
        this.wasFree = this.isFree(report);
        if (this.isCold || this.wasFree) return;
      }
    } else report.evaluations = 0;
    if (warm && this.wasFree && isWhole) {
      if (this.options.leads) this.lead();
      this.startWarm(evaluator, targets, report);
      if (measureLargest(this.state.residual) <= ANOTHER_POSE) {
        this.iterate(evaluator, targets, report, lastWarmStep);
        this.wasWarm = this.isFree(report);
        if (this.wasWarm) return;
      }
    }
    this.wasWarm = false;
    this.start.fill(Number.NaN);
    this.startCold(evaluator, targets, report, strength);
    this.iterate(evaluator, isWhole ? targets : this.wanted, report, lastStep);
    this.wasFree = this.isFree(report);
  }

  startFrom(lambda: Float64Array): void {
    this.lambda.set(lambda);
    this.start.fill(Number.NaN);
    this.wasFree = true;
    this.wasWarm = false;
  }

  /** λ = 0, and plain skinning's errors, which no region may exceed. At less than full strength what is wanted lies between both volumes. */
  private startCold(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, strength = 1): void {
    this.lambda.fill(0);
    if (evaluator.measurePlain) {
      evaluator.measurePlain();
      this.measureErrors(evaluator, targets, report);
      for (let s = 0; s < targets.length; s++) measureBound(this.state, s, targets[s]!);
    }
    this.evaluate(evaluator, targets, report);
    for (let s = 0; s < targets.length; s++) {
      this.wanted[s] = targets[s]! + (1 - strength) * (evaluator.volumes[s]! - targets[s]!);
      this.state.residual[s]! *= strength;
      if (!evaluator.measurePlain) measureBound(this.state, s, targets[s]!);
    }
  }

  /** From the λ at hand. Nothing is bounded: a frame that cannot meet every region starts again from 0. */
  private startWarm(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    this.state.bounds.fill(Number.POSITIVE_INFINITY);
    this.evaluate(evaluator, targets, report);
  }

  private measureScales(targets: Float64Array): void {
    for (let n = 0; n < this.searches.length; n++) this.searches[n]!.measureScales(targets, this.plan.componentVolumes);
  }

  /**
   * λ goes on as it went from the frame before the last to the last one. Where that is no farther than a last step from where the last frame started
   * it starts there again: one step leads as well from there, and where no bone moves either the surface need not be made anew.
   */
  private lead(): void {
    const { start } = this;
    const { lambda, outward, inward } = this.state;
    for (let s = 0; s < lambda.length; s++) {
      const last = lambda[s]!;
      const next = this.wasWarm ? 2 * last - this.before[s]! : last;
      if (!(Math.abs(next - start[s]!) <= this.options.lastStep)) start[s] = next;
      start[s] = Math.max(-inward[s]!, Math.min(outward[s]!, start[s]!));
      lambda[s] = start[s]!;
      this.before[s] = last;
    }
  }

  /** All regions are met, and none pays. */
  private isFree({ limited }: SolverReport): boolean {
    if (limited) return false;
    for (let n = 0; n < this.searches.length; n++) if (this.searches[n]!.isPaying()) return false;
    return true;
  }

  private evaluate(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    evaluator.evaluate(this.state.lambda);
    this.measureErrors(evaluator, targets, report);
  }

  private measureErrors({ volumes }: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    const { residual, scales } = this.state;
    report.evaluations++;
    for (let s = 0; s < volumes.length; s++) residual[s] = (volumes[s]! - targets[s]!) / scales[s]!;
  }

  /** From the λ last evaluated to the end; a step below `unmeasured` is the last. */
  private iterate(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, unmeasured: number): void {
    const { tolerance, totalTolerance } = this.options;
    const { searches } = this;
    const { lambda, accepted, residual } = this.state;
    const most = report.evaluations + this.options.evaluations;
    accepted.set(lambda);
    for (let n = 0; n < searches.length; n++) searches[n]!.start(tolerance, totalTolerance);
    let isStale = false; // the surface is not the one of the accepted amounts
    while (this.isSearching(false) && report.evaluations < most) {
      const error = measureLargest(residual);
      if (this.isSearching(true)) evaluator.measureJacobian();
      this.last.set(lambda);
      for (let n = 0; n < searches.length; n++) {
        if (!searches[n]!.done) searches[n]!.propose(evaluator.jacobian, unmeasured > 0);
      }
      if (!this.isSearching(false) || Math.max(error, this.measureStep()) <= unmeasured) {
        if (this.followSteps(evaluator)) evaluator.finish(lambda);
        isStale = false;
        break;
      }
      this.evaluate(evaluator, targets, report);
      isStale = false;
      for (let n = 0; n < searches.length; n++) {
        if (!searches[n]!.done && searches[n]!.judge(tolerance, totalTolerance)) isStale = true;
      }
    }
    if (isStale) {
      lambda.set(accepted);
      this.evaluate(evaluator, targets, report);
    }
    this.fillReport(evaluator.volumes, targets, report);
  }

  /** Some component is not done (and wants a new step). */
  private isSearching(anew: boolean): boolean {
    for (let n = 0; n < this.searches.length; n++) {
      const search = this.searches[n]!;
      if (!search.done && (!anew || search.step === 0)) return true;
    }
    return false;
  }

  /** What the proposed steps change λ by, at most. */
  private measureStep(): number {
    let most = 0;
    for (let n = 0; n < this.searches.length; n++) {
      if (!this.searches[n]!.done) most = Math.max(most, this.searches[n]!.measureStep());
    }
    return most;
  }

  /** The volumes after the proposed steps, to first order; false: none was proposed. */
  private followSteps({ volumes, jacobian }: AmountEvaluator): boolean {
    const { last } = this;
    const { lambda, residual, scales } = this.state;
    const { cells, columns, starts } = this.reach;
    for (let t = 0; t < last.length; t++) last[t] = lambda[t]! - last[t]!;
    if (measureLargest(last) === 0) return false;
    for (let s = 0; s < last.length; s++) {
      let change = 0;
      for (let c = starts[s]!; c < starts[s + 1]!; c++) change += jacobian[cells[c]!]! * last[columns[c]!]!;
      volumes[s]! += change;
      residual[s]! += change / scales[s]!;
    }
    return true;
  }

  private fillReport(volumes: Float64Array, targets: Float64Array, report: SolverReport): void {
    const { scales } = this.state;
    const most = Math.max(INEXACT, 2 * this.options.tolerance);
    report.volumes.set(volumes);
    report.limited = false;
    for (let s = 0; s < scales.length; s++) {
      const isOff = !(Math.abs(volumes[s]! - targets[s]!) <= most * scales[s]!);
      report.inexact[s] = isOff ? 1 : 0;
      if (isOff) report.limited = true;
    }
  }
}

function measureLargest(values: Float64Array): number {
  let worst = 0;
  for (let s = 0; s < values.length; s++) worst = Math.max(worst, Math.abs(values[s]!));
  return worst;
}
