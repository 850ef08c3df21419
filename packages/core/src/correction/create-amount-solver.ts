/**
 * C15. The amounts λ of the shapes for one pose, independent of who evaluates the surface (TypeScript, WASM).
 *
 *   minimise  Σ_s ((V_s(λ) − V̄_s)/w_s)²   subject to  Σ_s V_s(λ) = Σ_s V̄_s   (for each component)   and   −Λ⁻ ≤ λ ≤ Λ⁺
 *
 * w_s  region-error.ts;  Λ±  ceilings: what a region cannot take goes to its neighbours, and the report names it.
 * Gauss–Newton: every step is the best one inside the ceilings while V is taken as linear (create-step-model.ts), with a halving line
 * search on the surface, every component by itself. From λ = 0 the result is a function of the pose alone; from the last frame's λ it
 * is the same to the tolerance, sooner. O(K³) per step at most.
 */
import { INEXACT, measureRegionScale, REGION_FLOOR } from '../volume/region-error.js';
import { createRegionSystem, LEAST_SOFTNESS, SOFTNESS } from './create-region-system.js';
import { createStepModel, MODEL_HALVINGS, MODEL_NEAR, MODEL_ROUNDS, type StepModel } from './create-step-model.js';
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

/** Regions and ceilings that amounts are solved for. */
export interface AmountPlan {
  readonly regionCount: number;
  /** Regions of every component: each is a system of its own. */
  readonly blocks: readonly Uint32Array[];
  /** Rest volume of every region's component. */
  readonly wholes: Float64Array;
  /** Λ⁺ and Λ⁻ of every region; infinite: no ceiling. */
  readonly outward: Float64Array;
  readonly inward: Float64Array;
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
  /** Cells s·K + t of J that can differ from 0; default: all. */
  readonly cells?: ReadonlySet<number> | undefined;
}

export const AMOUNT_SOLVER_DEFAULTS = { tolerance: 1e-8, totalTolerance: 1e-11, evaluations: 60, lastStep: 0 };

/** Errors of the regions from which on a start from the last frame is given up: the pose is another one. */
const ANOTHER_POSE = 0.1;
/** Share of a ceiling up to which a start from the last frame is taken. */
const FREE = 0.98;
/** A step that moves every amount by less (λ_s = 1 adds a region's own volume) is none: regions are pressed against their ceilings. */
const SMALLEST_STEP = 1e-8;
/** Halvings of a step before it is given up. */
const HALVINGS = 10;
/** Share of the promised gain that a step must bring (Armijo). */
const LEAST_GAIN = 1e-4;
/** A step that promises less of the merit is none: the regions have what the ceilings leave them. */
const LEAST_PROMISE = 1e-6;
/** A step that promises less of the merit is the last and is not measured, where such steps are taken: f32 does not see it. */
const LEAST_MEASURED = 1e-4;
/** Weight of the total in what a step must improve: regions are traded against each other, the total is not. */
const TOTAL_WEIGHT = 1e4;
/** Most steps on the total alone. */
const TOTAL_STEPS = 6;

/** The numbers of the iteration that kernel sets with an iteration of their own (WebGPU) share. */
export const AMOUNT_SOLVER_CONSTANTS = {
  ...{ ANOTHER_POSE, LEAST_GAIN, LEAST_MEASURED, TOTAL_WEIGHT },
  ...{ SOFTNESS, LEAST_SOFTNESS, REGION_FLOOR },
  ...{ MODEL_ROUNDS, MODEL_HALVINGS, MODEL_NEAR },
} as const;

export interface AmountSolver {
  readonly lambda: Float64Array;
  /** Iterates λ from 0, or from where it is, and fills the report. */
  solve(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, warm: boolean): void;
}

/** One component on its way: the step that it tries, and how good the surface was before it. */
interface Search {
  readonly block: Uint32Array;
  readonly model: StepModel;
  merit: number;
  /** Merit that the whole step promises. */
  promised: number;
  /** Length of the step under trial, of the last system's; 0: a new one is wanted. */
  step: number;
  done: boolean;
}

export function createAmountSolver(plan: AmountPlan, options: AmountSolverOptions = {}): AmountSolver {
  const { tolerance, totalTolerance, evaluations, lastStep } = { ...AMOUNT_SOLVER_DEFAULTS, ...options };
  const { lastWarmStep = lastStep } = options;
  const { regionCount: K, blocks, wholes, outward, inward } = plan;
  const { cells } = options;
  const canMove = cells && ((s: number, t: number) => cells.has(s * K + t));
  const lambda = new Float64Array(K);
  const free = new Float64Array(K); // 0: stays at its ceiling
  const accepted = new Float64Array(K);
  const delta = new Float64Array(K);
  const last = new Float64Array(K); // λ of the surface last evaluated
  const before = new Float64Array(K).fill(Number.NaN); // λ of the frame before the last, where it is known
  const scales = new Float64Array(K);
  const residual = new Float64Array(K);
  let wasFree = false; // the last frame's λ is a place to start from
  const searches = blocks.map((block): Search => {
    const system = createRegionSystem(block, K, free, canMove);
    const shared = { block, system, residual, scales, outward, inward, free };
    const model = createStepModel({ ...shared, totalWeight: TOTAL_WEIGHT, leastGain: LEAST_GAIN });
    return { block, model, merit: 0, promised: 0, step: 0, done: false };
  });

  function solve(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, warm: boolean): void {
    measureScales(targets);
    report.evaluations = 0;
    if (warm && wasFree) {
      goOn();
      evaluate(evaluator, targets, report);
      if (measureLargest(residual) <= ANOTHER_POSE) {
        iterate(evaluator, targets, report, lastWarmStep);
        if (isFree(report)) return;
      }
    }
    before.fill(Number.NaN);
    lambda.fill(0);
    evaluate(evaluator, targets, report);
    iterate(evaluator, targets, report, lastStep);
    wasFree = isFree(report);
  }

  /** Amounts go on as they went from the frame before the last to the last: of a steady motion that is the answer to second order. */
  function goOn(): void {
    for (let s = 0; s < K; s++) {
      const at = lambda[s]!;
      const next = 2 * at - before[s]!;
      before[s] = at;
      if (Number.isFinite(next)) lambda[s] = Math.min(outward[s]!, Math.max(-inward[s]!, next));
    }
  }

  /** All regions are met, and none is at its ceiling. */
  function isFree({ limited }: SolverReport): boolean {
    if (limited) return false;
    for (let s = 0; s < K; s++) {
      if (!(lambda[s]! <= FREE * outward[s]! && -lambda[s]! <= FREE * inward[s]!)) return false;
    }
    return true;
  }

  /** From the λ last evaluated to the end; a step below `unmeasured` is the last. */
  function iterate(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, unmeasured: number): void {
    const most = report.evaluations + evaluations;
    accepted.set(lambda);
    for (let n = 0; n < searches.length; n++) {
      const search = searches[n]!;
      search.merit = measureMerit(search.block);
      search.step = 0;
      search.done = isMet(search.block);
    }
    let isStale = false; // the surface is not the one of the accepted amounts
    while (isSearching(false) && report.evaluations < most) {
      const error = measureLargest(residual);
      if (isSearching(true)) evaluator.measureJacobian();
      last.set(lambda);
      const isBusy = proposeSteps(evaluator, unmeasured > 0);
      if (!isBusy || Math.max(error, measureStep()) <= unmeasured) {
        if (followSteps(evaluator)) evaluator.finish(lambda);
        isStale = false;
        break;
      }
      evaluate(evaluator, targets, report);
      isStale = judgeSteps();
    }
    if (isStale) {
      lambda.set(accepted);
      evaluate(evaluator, targets, report);
    }
    finishTotals(evaluator, targets, report);
    judge(evaluator.volumes, targets, report);
  }

  /** Some component is not done (and wants a new step). Written out, as all loops of a frame: nothing is allocated. */
  function isSearching(anew: boolean): boolean {
    for (let n = 0; n < searches.length; n++) {
      if (!searches[n]!.done && (!anew || searches[n]!.step === 0)) return true;
    }
    return false;
  }

  /** w of the frame; and what the regions of a component share the blame by, where not all can be met. */
  function measureScales(targets: Float64Array): void {
    for (let n = 0; n < searches.length; n++) {
      const { block } = searches[n]!;
      let mean = 0;
      for (let i = 0; i < block.length; i++)
        mean += measureRegionScale(targets[block[i]!]!, wholes[block[i]!]!) / block.length;
      for (let i = 0; i < block.length; i++) {
        scales[block[i]!] = Math.sqrt(mean * measureRegionScale(targets[block[i]!]!, wholes[block[i]!]!));
      }
    }
  }

  function evaluate(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    evaluator.evaluate(lambda);
    report.evaluations++;
    for (let s = 0; s < K; s++) residual[s] = (evaluator.volumes[s]! - targets[s]!) / scales[s]!;
  }

  /** New trial amounts for every component that is not done; false: none is left. `some`: a last step of little promise is not measured. */
  function proposeSteps({ jacobian }: AmountEvaluator, some: boolean): boolean {
    let busy = false;
    for (let n = 0; n < searches.length; n++) {
      const search = searches[n]!;
      if (search.done) continue;
      const { block } = search;
      if (search.step === 0) {
        search.promised = search.model.refine(delta, accepted, search.merit, jacobian);
        const least = (some ? LEAST_MEASURED : LEAST_PROMISE) * search.merit;
        search.done = !(search.merit - search.promised > least) || isSmall(block);
        search.step = search.done && !some ? 0 : 1;
      }
      for (let i = 0; i < block.length; i++) lambda[block[i]!] = accepted[block[i]!]! + search.step * delta[block[i]!]!;
      if (search.done) for (let i = 0; i < block.length; i++) accepted[block[i]!] = lambda[block[i]!]!;
      busy ||= !search.done;
    }
    return busy;
  }

  /** Takes the steps that helped and halves the others; true where a trial stands that was not taken. */
  function judgeSteps(): boolean {
    let isStale = false;
    for (let n = 0; n < searches.length; n++) {
      const search = searches[n]!;
      if (search.done) continue;
      const { block } = search;
      const merit = measureMerit(block);
      if (merit <= search.merit - LEAST_GAIN * search.step * (search.merit - search.promised)) {
        for (let i = 0; i < block.length; i++) accepted[block[i]!] = lambda[block[i]!]!;
        search.merit = merit;
        search.step = 0;
        search.done = isMet(block);
        continue;
      }
      search.step *= 0.5;
      isStale = true;
      if (search.step >= 0.5 ** HALVINGS) continue;
      search.done = true;
      for (let i = 0; i < block.length; i++) lambda[block[i]!] = accepted[block[i]!]!;
    }
    return isStale;
  }

  /** What the proposed steps change λ by, at most. */
  function measureStep(): number {
    let most = 0;
    for (let n = 0; n < searches.length; n++) {
      const { block, done } = searches[n]!;
      if (done) continue;
      for (let i = 0; i < block.length; i++) most = Math.max(most, Math.abs(delta[block[i]!]!));
    }
    return most;
  }

  function isSmall(block: Uint32Array): boolean {
    for (let i = 0; i < block.length; i++) {
      if (!(Math.abs(delta[block[i]!]!) < SMALLEST_STEP)) return false;
    }
    return true;
  }

  /** T: what the component's total is off by, relative. */
  function measureTotal(block: Uint32Array): number {
    let missing = 0;
    let whole = 0;
    for (let i = 0; i < block.length; i++) {
      missing += residual[block[i]!]! * scales[block[i]!]!;
      whole += scales[block[i]!]!;
    }
    return whole > 0 ? missing / whole : 0;
  }

  /** Σ r² + weight · T². */
  function measureMerit(block: Uint32Array): number {
    let sum = 0;
    for (let i = 0; i < block.length; i++) sum += residual[block[i]!]! ** 2;
    return sum + TOTAL_WEIGHT * measureTotal(block) ** 2;
  }

  function isMet(block: Uint32Array): boolean {
    for (let i = 0; i < block.length; i++) if (!(Math.abs(residual[block[i]!]!) <= tolerance)) return false;
    return Math.abs(measureTotal(block)) <= totalTolerance;
  }

  /** The volumes after the proposed steps, to first order; false: none was proposed. */
  function followSteps({ volumes, jacobian }: AmountEvaluator): boolean {
    let most = 0;
    for (let t = 0; t < K; t++) {
      last[t] = lambda[t]! - last[t]!;
      most = Math.max(most, Math.abs(last[t]!));
    }
    if (most === 0) return false;
    for (let s = 0; s < K; s++) {
      let change = 0;
      for (let t = 0; t < K; t++) change += jacobian[s * K + t]! * last[t]!;
      volumes[s]! += change;
      residual[s]! += change / scales[s]!;
    }
    return true;
  }

  /** Where regions are held back the total may be left behind by what the line search took: Newton on it alone. */
  function finishTotals(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    for (let k = 0; k < searches.length; k++) searches[k]!.step = 1;
    for (let n = 0; n < TOTAL_STEPS; n++) {
      let worst = 0;
      for (let k = 0; k < searches.length; k++) {
        searches[k]!.merit = Math.abs(measureTotal(searches[k]!.block));
        worst = Math.max(worst, searches[k]!.merit);
      }
      if (worst <= Math.max(totalTolerance, lastStep * lastStep)) return;
      accepted.set(lambda);
      evaluator.measureJacobian();
      for (let k = 0; k < searches.length; k++) stepTotal(searches[k]!, evaluator);
      evaluate(evaluator, targets, report);
      if (takeBackTotals()) evaluate(evaluator, targets, report);
    }
  }

  /** Undoes the steps that made a total worse, for a shorter one. */
  function takeBackTotals(): boolean {
    let isStale = false;
    for (let k = 0; k < searches.length; k++) {
      const { block, merit } = searches[k]!;
      if (Math.abs(measureTotal(block)) <= Math.max(merit, totalTolerance)) continue;
      for (let i = 0; i < block.length; i++) lambda[block[i]!] = accepted[block[i]!]!;
      searches[k]!.step *= 0.125;
      isStale = true;
    }
    return isStale;
  }

  /** Moves the amounts of a component along the gradient of its total, those that are not at their ceilings. */
  function stepTotal({ block, step }: Search, { jacobian }: AmountEvaluator): void {
    let missing = 0;
    let square = 0;
    for (let i = 0; i < block.length; i++) missing += residual[block[i]!]! * scales[block[i]!]!;
    for (let i = 0; i < block.length; i++) {
      const s = block[i]!;
      let slope = 0;
      for (let r = 0; r < block.length; r++) slope += jacobian[block[r]! * K + s]!;
      const isHeld = missing * slope < 0 ? lambda[s]! >= outward[s]! : lambda[s]! <= -inward[s]!;
      delta[s] = isHeld ? 0 : slope;
      square += slope * delta[s]!;
    }
    if (!(square > 0)) return;
    for (let i = 0; i < block.length; i++) {
      const s = block[i]!;
      const to = lambda[s]! - ((step * missing) / square) * delta[s]!;
      lambda[s] = Math.min(Math.max(to, -inward[s]!), outward[s]!);
    }
  }

  function judge(volumes: Float64Array, targets: Float64Array, report: SolverReport): void {
    report.volumes.set(volumes);
    report.limited = false;
    for (let s = 0; s < K; s++) {
      const isOff = !(Math.abs(volumes[s]! - targets[s]!) <= Math.max(INEXACT, 2 * tolerance) * scales[s]!);
      report.inexact[s] = isOff ? 1 : 0;
      if (isOff) report.limited = true;
    }
  }

  return { lambda, solve };
}

function measureLargest(values: Float64Array): number {
  let worst = 0;
  for (let s = 0; s < values.length; s++) worst = Math.max(worst, Math.abs(values[s]!));
  return worst;
}
