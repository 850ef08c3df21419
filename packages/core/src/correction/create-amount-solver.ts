/**
 * C15. The amounts λ of the shapes for one pose, independent of who evaluates the surface (TypeScript, WASM).
 *
 *   minimise  Σ_s ((V_s(λ) − V̄_s)/w_s)²   subject to  Σ_s V_s(λ) = Σ_s V̄_s   (for each component)
 *   λ_s = Λ_s S(μ_s/Λ_s),   S(z) = z/(1+z⁴)^¼,   Λ_s = Λ⁺_s outward, Λ⁻_s inward
 *
 * w_s  region-error.ts;  Λ±  ceilings: what a region cannot take goes to its neighbours, and the report names it.
 * Levenberg–Marquardt on μ (create-region-system.ts, create-step-model.ts) with a halving line search, every component by itself. From λ = 0 the result
 * is a function of the pose alone; from the last frame's λ it is the same to the tolerance, sooner, where all regions can be met: where
 * some cannot, the answer depends on the way, and the way is always the one from λ = 0. O(K³) per step at most.
 */
import { INEXACT, measureRegionScale, REGION_FLOOR } from '../volume/region-error.js';
import { createRegionSystem, LEAST_SOFTNESS, type RegionSystem, SOFTNESS } from './create-region-system.js';
import { createStepModel, MODEL_HALVINGS, MODEL_ROUNDS, type StepModel } from './create-step-model.js';
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
/** Share of a ceiling up to which an amount is free: S is linear there to 6 %. */
const FREE = 0.7;
/** A step that moves every amount by less (λ_s = 1 adds a region's own volume) is none: regions are pressed against their ceilings. */
const SMALLEST_STEP = 1e-8;
/** Halvings of a step before it is given up. */
const HALVINGS = 10;
/** Share of the linear gain that a step must bring (Armijo). */
const LEAST_GAIN = 1e-4;
/** Weight of the total in what a step must improve: regions are traded against each other, the total is not. */
const TOTAL_WEIGHT = 1e4;
/** Most steps on the total alone. */
const TOTAL_STEPS = 6;

/** The numbers of the iteration that kernel sets with an iteration of their own (WebGPU) share. */
export const AMOUNT_SOLVER_CONSTANTS = {
  ...{ ANOTHER_POSE, LEAST_GAIN, TOTAL_WEIGHT },
  ...{ SOFTNESS, LEAST_SOFTNESS, REGION_FLOOR },
  ...{ MODEL_ROUNDS, MODEL_HALVINGS },
} as const;

export interface AmountSolver {
  readonly lambda: Float64Array;
  /** Iterates λ from 0, or from where it is, and fills the report. */
  solve(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, warm: boolean): void;
}

/** One component on its way: the step that it tries, and how good the surface was before it. */
interface Search {
  readonly block: Uint32Array;
  readonly system: RegionSystem;
  readonly model: StepModel;
  merit: number;
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
  const slopes = new Float64Array(K); // dλ/dμ
  const mu = new Float64Array(K);
  const last = new Float64Array(K).fill(Number.NaN); // μ of the frame before
  const accepted = new Float64Array(K);
  const delta = new Float64Array(K);
  const scales = new Float64Array(K);
  const residual = new Float64Array(K);
  let wasFree = false; // the last frame's μ is a place to start from
  const searches = blocks.map((block): Search => {
    const system = createRegionSystem(block, K, slopes, canMove);
    const shared = { block, system, residual, scales, lambda, squash: squashRegion };
    const model = createStepModel({ ...shared, totalWeight: TOTAL_WEIGHT, leastGain: LEAST_GAIN });
    return { block, system, model, merit: 0, step: 0, done: false };
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
    last.fill(Number.NaN);
    mu.fill(0);
    evaluate(evaluator, targets, report);
    iterate(evaluator, targets, report, lastStep);
    wasFree = isFree(report);
  }

  /** Amounts move on as they did from the frame before the last to the last: of a steady motion that is the answer to second order. */
  function goOn(): void {
    for (let s = 0; s < K; s++) {
      const at = mu[s]!;
      const next = 2 * at - last[s]!;
      last[s] = at;
      if (Number.isFinite(next)) mu[s] = next;
    }
  }

  /** All regions are met, and none is near its ceiling, where the answer depends on the way. */
  function isFree({ limited }: SolverReport): boolean {
    if (limited) return false;
    for (let s = 0; s < K; s++) if (!(Math.abs(mu[s]!) <= FREE * (mu[s]! > 0 ? outward[s]! : inward[s]!))) return false;
    return true;
  }

  /** From the μ last evaluated to the end; a step below `unmeasured` is the last. */
  function iterate(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport, unmeasured: number): void {
    const most = report.evaluations + evaluations;
    accepted.set(mu);
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
      if (!proposeSteps(evaluator)) break;
      if (Math.max(error, measureStep()) <= unmeasured) {
        followSteps(evaluator);
        evaluator.finish(lambda);
        isStale = false;
        break;
      }
      evaluate(evaluator, targets, report);
      isStale = judgeSteps();
    }
    if (isStale) {
      mu.set(accepted);
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

  /** λ and dλ/dμ at μ. */
  function squash(): void {
    for (let s = 0; s < K; s++) squashRegion(s, mu[s]!);
  }

  function squashRegion(s: number, at: number): void {
    const ceiling = at > 0 ? outward[s]! : inward[s]!;
    const z = at / ceiling;
    const q = 1 + z * z * z * z;
    const root = Math.sqrt(Math.sqrt(q));
    const isInside = ceiling > 0 && Number.isFinite(root);
    lambda[s] = isInside ? at / root : Math.sign(at) * ceiling || 0;
    slopes[s] = isInside ? 1 / (root * q) : 0;
  }

  function evaluate(evaluator: AmountEvaluator, targets: Float64Array, report: SolverReport): void {
    squash();
    evaluator.evaluate(lambda);
    report.evaluations++;
    for (let s = 0; s < K; s++) residual[s] = (evaluator.volumes[s]! - targets[s]!) / scales[s]!;
  }

  /** New trial amounts for every component that is not done; false: none is left. */
  function proposeSteps({ jacobian }: AmountEvaluator): boolean {
    let busy = false;
    for (let n = 0; n < searches.length; n++) {
      const search = searches[n]!;
      if (search.done) continue;
      const { block } = search;
      if (search.step === 0) {
        search.done = !search.system.solve(delta, residual, scales, jacobian) || isSmall(block);
        if (search.done) continue;
        const promised = search.model.refine(delta, accepted, search.merit, jacobian);
        search.done = promised > (1 - LEAST_GAIN) * search.merit;
        if (search.done) continue;
        search.step = 1;
      }
      for (let i = 0; i < block.length; i++) mu[block[i]!] = accepted[block[i]!]! + search.step * delta[block[i]!]!;
      busy = true;
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
      if (merit <= (1 - LEAST_GAIN * search.step) * search.merit) {
        for (let i = 0; i < block.length; i++) accepted[block[i]!] = mu[block[i]!]!;
        search.merit = merit;
        search.step = 0;
        search.done = isMet(block);
        continue;
      }
      search.step *= 0.5;
      isStale = true;
      if (search.step >= 0.5 ** HALVINGS) continue;
      search.done = true;
      for (let i = 0; i < block.length; i++) mu[block[i]!] = accepted[block[i]!]!;
    }
    return isStale;
  }

  /** What the proposed steps change λ by, at most. */
  function measureStep(): number {
    let most = 0;
    for (let n = 0; n < searches.length; n++) {
      const { block, done } = searches[n]!;
      if (done) continue;
      for (let i = 0; i < block.length; i++) most = Math.max(most, Math.abs(delta[block[i]!]! * slopes[block[i]!]!));
    }
    return most;
  }

  function isSmall(block: Uint32Array): boolean {
    for (let i = 0; i < block.length; i++) {
      const s = block[i]!;
      if (!(Math.abs(delta[s]! * slopes[s]!) < SMALLEST_STEP)) return false;
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

  /** The volumes after the proposed steps, to first order. */
  function followSteps({ volumes, jacobian }: AmountEvaluator): void {
    delta.set(lambda);
    squash();
    for (let t = 0; t < K; t++) delta[t] = lambda[t]! - delta[t]!;
    for (let s = 0; s < K; s++) {
      let change = 0;
      for (let t = 0; t < K; t++) change += jacobian[s * K + t]! * delta[t]!;
      volumes[s]! += change;
      residual[s]! += change / scales[s]!;
    }
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
      accepted.set(mu);
      evaluator.measureJacobian();
      for (let k = 0; k < searches.length; k++) stepTotal(searches[k]!, evaluator);
      evaluate(evaluator, targets, report);
      if (takeBackTotals()) evaluate(evaluator, targets, report);
    }
  }

  /** Undoes the steps that made a total worse: at a ceiling the slope is next to nothing, and a step by it leads anywhere. */
  function takeBackTotals(): boolean {
    let isStale = false;
    for (let k = 0; k < searches.length; k++) {
      const { block, merit } = searches[k]!;
      if (Math.abs(measureTotal(block)) <= Math.max(merit, totalTolerance)) continue;
      for (let i = 0; i < block.length; i++) mu[block[i]!] = accepted[block[i]!]!;
      searches[k]!.step *= 0.125;
      isStale = true;
    }
    return isStale;
  }

  /** Moves the amounts of a component along the gradient of its total, those with room most: all have room on the way back from a ceiling. */
  function stepTotal({ block, step }: Search, { jacobian }: AmountEvaluator): void {
    let missing = 0;
    let square = 0;
    for (let i = 0; i < block.length; i++) missing += residual[block[i]!]! * scales[block[i]!]!;
    for (let i = 0; i < block.length; i++) {
      const s = block[i]!;
      let slope = 0;
      for (let r = 0; r < block.length; r++) slope += jacobian[block[r]! * K + s]!;
      const room = missing * slope * mu[s]! > 0 ? 1 : slopes[s]!;
      delta[s] = slope * room * room; // of λ
      square += slope * delta[s]!;
    }
    if (!(square > 0)) return;
    for (let i = 0; i < block.length; i++) {
      const s = block[i]!;
      const change = ((-step * missing) / square) * delta[s]!;
      if (change * mu[s]! < 0) mu[s] = unsquash(s, lambda[s]! + change);
      else if (slopes[s]! > 0) mu[s]! += change / slopes[s]!;
    }
  }

  /** μ of λ. */
  function unsquash(s: number, at: number): number {
    const ceiling = at > 0 ? outward[s]! : inward[s]!;
    const y = Math.min(Math.abs(at) / ceiling, 1 - 1e-12);
    return y > 0 ? at / Math.sqrt(Math.sqrt(1 - y * y * y * y)) : at;
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
