/**
 * One component of C17 on its way (create-amount-solver.ts): the step that it tries, and how good the surface was before it.
 * Loops are written out, as all of a frame: nothing is allocated.
 */
import { measureRegionScale } from '../volume/region-error.js';
import { type AmountState, asks, measureEnergy, measurePrices, measurePush } from './amount-energy.js';
import { createRegionSystem, listCells } from './create-region-system.js';
import { createStepModel, type StepModel } from './create-step-model.js';

/** A step that moves every amount by less (λ_s = 1 adds a region's own volume) is none. */
const SMALLEST_STEP = 1e-12;
/** Halvings of a step before it is given up. */
const HALVINGS = 10;
/** Share of the promised gain that a step must bring (Armijo). */
export const LEAST_GAIN = 1e-4;
/** A step that promises less of the energy is none: the regions have what their ceilings and prices leave them. */
const LEAST_PROMISE = 1e-7;
/** A step that promises less of the energy is the last and is not measured, where such steps are taken: f32 does not see it. */
export const LEAST_MEASURED = 1e-4;

export class ComponentSearch {
  /** Nothing is left to gain. */
  done = false;
  /** Length of the step under trial, of the last system's; 0: a new one is wanted. */
  step = 0;
  private energy = 0;
  /** Energy that the whole step promises. */
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
    const active = new Int8Array(state.lambda.length); // bounds in the system, by sign
    const system = createRegionSystem(regions, reach, free, state, active);
    this.model = createStepModel(regions, reach, system, state, free, active);
  }

  /** w of the frame, which the regions of a component share the blame by where not all can be met, and the prices that follow from it. */
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
      measurePrices(this.state, s, targets[s]!);
    }
  }

  /** From the surface last evaluated on. */
  start(tolerance: number, totalTolerance: number): void {
    this.energy = this.measureEnergy();
    this.step = 0;
    this.done = this.isMet(tolerance, totalTolerance);
  }

  /** New trial amounts. `some`: a last step of little promise is taken without being measured. */
  propose(jacobian: Float64Array, some: boolean): void {
    const { lambda, accepted, delta } = this.state;
    const { regions } = this;
    if (this.step === 0) {
      this.promised = this.model.refine(delta, accepted, this.energy, jacobian);
      const least = (some ? LEAST_MEASURED : LEAST_PROMISE) * this.energy;
      this.done = !(this.energy - this.promised > least) || this.measureStep() < SMALLEST_STEP;
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
    const energy = this.measureEnergy();
    if (energy <= this.energy - LEAST_GAIN * this.step * (this.energy - this.promised)) {
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
      missing += asks(this.state, this.regions[i]!) * residual[this.regions[i]!]! * scales[this.regions[i]!]!;
      whole += scales[this.regions[i]!]!;
    }
    return whole > 0 ? missing / whole : 0;
  }

  /** Some region is pushed so far that it pays: the surface is a compromise, even where every volume is met. */
  isPaying(): boolean {
    for (let i = 0; i < this.regions.length; i++) {
      if (measurePush(this.state, this.regions[i]!, this.state.lambda[this.regions[i]!]!) !== 0) return true;
    }
    return false;
  }

  private measureEnergy(): number {
    return measureEnergy(this.state, this.regions, this.state.residual, this.state.lambda);
  }

  private isMet(tolerance: number, totalTolerance: number): boolean {
    if (this.isPaying()) return false;
    for (let i = 0; i < this.regions.length; i++) {
      const s = this.regions[i]!;
      // One without a shape is met where it is not worse.
      const allowed = asks(this.state, s) ? tolerance : Math.max(tolerance, this.state.bounds[s]!);
      if (!(Math.abs(this.state.residual[s]!) <= allowed)) return false;
    }
    return Math.abs(this.measureTotal()) <= totalTolerance;
  }

  private copy(to: Float64Array, from: Float64Array): void {
    for (let i = 0; i < this.regions.length; i++) to[this.regions[i]!] = from[this.regions[i]!]!;
  }
}
