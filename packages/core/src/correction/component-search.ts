/**
 * One component of C15 on its way (create-amount-solver.ts): the step that it tries, and how good the surface was before it.
 *
 *   merit = Σ r_s² + TOTAL_WEIGHT · T²,   r_s = (V_s − V̄_s)/w_s,   T = Σ w_s r_s / Σ w_s
 *
 * Loops are written out, as all of a frame: nothing is allocated.
 */
import { measureRegionScale } from '../volume/region-error.js';
import { createRegionSystem, listCells } from './create-region-system.js';
import { createStepModel, type StepModel } from './create-step-model.js';

/** What all components share, by region. */
export interface AmountState {
  readonly lambda: Float64Array;
  /** λ of the best surface so far, and the step from there. */
  readonly accepted: Float64Array;
  readonly delta: Float64Array;
  /** w and r of the surface last evaluated. */
  readonly scales: Float64Array;
  readonly residual: Float64Array;
  /** Λ⁺ and Λ⁻. */
  readonly outward: Float64Array;
  readonly inward: Float64Array;
}

/** A step that moves every amount by less (λ_s = 1 adds a region's own volume) is none: regions are pressed against their ceilings. */
const SMALLEST_STEP = 1e-8;
/** Halvings of a step before it is given up. */
const HALVINGS = 10;
/** Share of the promised gain that a step must bring (Armijo). */
export const LEAST_GAIN = 1e-4;
/** A step that promises less of the merit is none: the regions have what the ceilings leave them. */
const LEAST_PROMISE = 1e-6;
/** A step that promises less of the merit is the last and is not measured, where such steps are taken: f32 does not see it. */
export const LEAST_MEASURED = 1e-4;
/** Weight of the total in what a step must improve: regions are traded against each other, the total is not. */
export const TOTAL_WEIGHT = 1e4;

export class ComponentSearch {
  /** Nothing is left to gain. */
  done = false;
  /** Length of the step under trial, of the last system's; 0: a new one is wanted. */
  step = 0;
  private merit = 0;
  /** Merit that the whole step promises. */
  private promised = 0;
  private readonly model: StepModel;

  /** @param regions of the component. @param canMove whether J_st can differ from 0; absent: all. */
  constructor(
    readonly regions: Uint32Array,
    private readonly state: AmountState,
    free: Float64Array,
    canMove?: (s: number, t: number) => boolean,
  ) {
    const reach = listCells(regions, state.lambda.length, canMove);
    const system = createRegionSystem(regions, reach, free);
    const { residual, scales, outward, inward } = state;
    const limits = { residual, scales, outward, inward, free, totalWeight: TOTAL_WEIGHT, leastGain: LEAST_GAIN };
    this.model = createStepModel({ block: regions, reach, system, ...limits });
  }

  /** w of the frame; and what the regions of a component share the blame by, where not all can be met. */
  measureScales(targets: Float64Array, componentVolumes: Float64Array): void {
    const { regions } = this;
    let mean = 0;
    for (let i = 0; i < regions.length; i++) {
      const s = regions[i]!;
      mean += measureRegionScale(targets[s]!, componentVolumes[s]!) / regions.length;
    }
    for (let i = 0; i < regions.length; i++) {
      const s = regions[i]!;
      this.state.scales[s] = Math.sqrt(mean * measureRegionScale(targets[s]!, componentVolumes[s]!));
    }
  }

  /** From the surface last evaluated on. */
  start(tolerance: number, totalTolerance: number): void {
    this.merit = this.measureMerit();
    this.step = 0;
    this.done = this.isMet(tolerance, totalTolerance);
  }

  /** New trial amounts. `some`: a last step of little promise is taken without being measured. */
  propose(jacobian: Float64Array, some: boolean): void {
    const { lambda, accepted, delta } = this.state;
    const { regions } = this;
    if (this.step === 0) {
      this.promised = this.model.refine(delta, accepted, this.merit, jacobian);
      const least = (some ? LEAST_MEASURED : LEAST_PROMISE) * this.merit;
      this.done = !(this.merit - this.promised > least) || this.measureStep() < SMALLEST_STEP;
      this.step = this.done && !some ? 0 : 1;
    }
    for (let i = 0; i < regions.length; i++) {
      lambda[regions[i]!] = accepted[regions[i]!]! + this.step * delta[regions[i]!]!;
    }
    if (this.done) this.copy(accepted, lambda);
  }

  /** Takes the step under trial if it helped, or halves it; true where it was not taken. */
  judge(tolerance: number, totalTolerance: number): boolean {
    const { lambda, accepted } = this.state;
    const merit = this.measureMerit();
    if (merit <= this.merit - LEAST_GAIN * this.step * (this.merit - this.promised)) {
      this.copy(accepted, lambda);
      this.start(tolerance, totalTolerance);
      return false;
    }
    this.step *= 0.5;
    if (this.step < 0.5 ** HALVINGS) {
      this.done = true;
      this.copy(lambda, accepted);
    }
    return true;
  }

  /** What the proposed step changes λ by, at most. */
  measureStep(): number {
    let most = 0;
    for (let i = 0; i < this.regions.length; i++) most = Math.max(most, Math.abs(this.state.delta[this.regions[i]!]!));
    return most;
  }

  /** T: what the component's total is off by, relative. */
  measureTotal(): number {
    const { residual, scales } = this.state;
    let missing = 0;
    let whole = 0;
    for (let i = 0; i < this.regions.length; i++) {
      missing += residual[this.regions[i]!]! * scales[this.regions[i]!]!;
      whole += scales[this.regions[i]!]!;
    }
    return whole > 0 ? missing / whole : 0;
  }

  /** |T|, remembered for `takeBackTotal`. */
  startTotal(): number {
    this.merit = Math.abs(this.measureTotal());
    return this.merit;
  }

  /** Moves the amounts along the gradient of the total, those that are not at their ceilings. */
  stepTotal(jacobian: Float64Array): void {
    const { lambda, delta, residual, scales, outward, inward } = this.state;
    const { regions } = this;
    let missing = 0;
    let square = 0;
    for (let i = 0; i < regions.length; i++) missing += residual[regions[i]!]! * scales[regions[i]!]!;
    for (let i = 0; i < regions.length; i++) {
      const s = regions[i]!;
      let slope = 0;
      for (let r = 0; r < regions.length; r++) slope += jacobian[regions[r]! * lambda.length + s]!;
      const isHeld = missing * slope < 0 ? lambda[s]! >= outward[s]! : lambda[s]! <= -inward[s]!;
      delta[s] = isHeld ? 0 : slope;
      square += slope * delta[s]!;
    }
    if (!(square > 0)) return;
    for (let i = 0; i < regions.length; i++) {
      const s = regions[i]!;
      const to = lambda[s]! - ((this.step * missing) / square) * delta[s]!;
      lambda[s] = Math.min(Math.max(to, -inward[s]!), outward[s]!);
    }
  }

  /** Undoes a step that made the total worse, for a shorter one; true if it did. */
  takeBackTotal(totalTolerance: number): boolean {
    if (Math.abs(this.measureTotal()) <= Math.max(this.merit, totalTolerance)) return false;
    this.copy(this.state.lambda, this.state.accepted);
    this.step *= 0.125;
    return true;
  }

  private measureMerit(): number {
    let sum = 0;
    for (let i = 0; i < this.regions.length; i++) sum += this.state.residual[this.regions[i]!]! ** 2;
    return sum + TOTAL_WEIGHT * this.measureTotal() ** 2;
  }

  private isMet(tolerance: number, totalTolerance: number): boolean {
    for (let i = 0; i < this.regions.length; i++) {
      if (!(Math.abs(this.state.residual[this.regions[i]!]!) <= tolerance)) return false;
    }
    return Math.abs(this.measureTotal()) <= totalTolerance;
  }

  private copy(to: Float64Array, from: Float64Array): void {
    for (let i = 0; i < this.regions.length; i++) to[this.regions[i]!] = from[this.regions[i]!]!;
  }
}
