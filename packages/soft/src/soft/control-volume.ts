import { measureGap, type NeighbourGrid } from './neighbour-grid.js';
import type { Primitives } from './pack-primitives.js';
import type { TerritorySampler } from './sample-territories.js';
import type { VolumeControl } from './soft-world.js';

/**
 * I5. Proportional-derivative control of the thickness offsets, per primitive (all pieces of a chain together):
 *
 *   Δ = (V − V⁰)/V⁰,   J ε̇ = −(αΔ + βΔ̇) V⁰,   ε ← ε + ε̇ dt
 *   J_ii = ∂V_i/∂ε_i,   J_ij = −c_ij: what territory i takes at its border with j, j loses
 *
 * So a territory that is pressed from all sides (under a roller, inside a paste) gets its flesh back through its neighbours from
 * where the surface is free, in one step. c_ij: the part of the slope that is border (`exchanges`), shared among the neighbours by how near they
 * are, the smaller of both sides: rows are dominated by their diagonal, and Gauss–Seidel converges. For a lone point ε̇ = −αΔ V⁰/(∂V/∂ε):
 * α and β do not depend on size and shape. Without α a step is one of Newton's method (with the gain below), repeated on the volumes
 * measured anew until all are right: a part of a time step, however short, ends with every territory where it should be.
 * A loss (Δ < 0) thickens. The potential is f(d − ε): the stiffness does not change.
 */
export interface VolumeController {
  readonly rest: Float64Array;
  readonly targets: Float64Array;
  /** Takes the volumes measured now as V⁰. */
  begin(): void;
  step(dt: number): void;
  /** Largest |Δ| of the volumes measured last. */
  worst(): number;
  save(): void;
  restore(): void;
}

/** Largest part of an error that one step corrects: J is an estimate, and with all of it some steps would overshoot. */
const LARGEST_GAIN = 0.7;
/** Smallest ∂V/∂ε over that at the start. */
const LEAST_SLOPE = 0.3;
/** Largest offset step in thicknesses. */
const LARGEST_STEP = 0.1;
/** Range of the offset: up to thicknesses; down so far that this part of R − e is left to reach. */
const THICKEST = 1.5;
const LEAST_REACH = 0.2;
/** Neighbours whose skeletons are farther apart than this many thicknesses of both have no common border. */
const APART = 1.5;
const SWEEPS = 40;

export function createVolumeController(
  control: Required<VolumeControl>,
  primitives: Primitives,
  { volumes, slopes, exchanges }: Pick<TerritorySampler, 'volumes' | 'slopes' | 'exchanges'>,
  near: NeighbourGrid,
): VolumeController {
  const { count, chain, thickness, width, offsets, controlled } = primitives;
  const rest = new Float64Array(count);
  const targets = new Float64Array(count).fill(1);
  /** Per chain: smallest ∂V/∂ε believed, a part of that at the start; without free surface an offset moves nothing. */
  const least = new Float64Array(count);
  const slope = new Float64Array(count);
  /** Volume to gain, the step that gives it, and which chains can. */
  const gains = new Float64Array(count);
  const steps = new Float64Array(count);
  const borders = createBorders(primitives, exchanges, near);
  /** Per chain (by its first primitive): wanted and present volume, error of the step before. */
  const wanted = new Float64Array(count);
  const present = new Float64Array(count);
  const errors = new Float64Array(count);
  const savedErrors = new Float64Array(count);
  const savedOffsets = new Float64Array(count);

  const gather = (): void => {
    wanted.fill(0);
    present.fill(0);
    slope.fill(0);
    for (let i = 0; i < count; i++) {
      const c = chain[i]!;
      wanted[c]! += targets[i]! * rest[i]!;
      present[c]! += volumes[i]!;
      slope[c]! += slopes[i]!;
    }
  };
  const isControlled = (c: number): boolean => chain[c] === c && controlled[c] === 1 && wanted[c]! > 0 && least[c]! > 0;

  return {
    rest,
    targets,
    begin() {
      rest.set(volumes);
      least.fill(0);
      for (let i = 0; i < count; i++) least[chain[i]!]! += LEAST_SLOPE * slopes[i]!;
    },
    step(dt) {
      gather();
      const alpha = Math.min(control.alpha, LARGEST_GAIN / dt);
      for (let c = 0; c < count; c++) {
        if (!isControlled(c)) continue;
        const error = present[c]! / wanted[c]! - 1;
        const change = error - errors[c]!;
        errors[c] = error;
        gains[c] = -(alpha * dt * error + control.beta * change) * wanted[c]!;
        slope[c] = Math.max(slope[c]!, least[c]!);
      }
      borders.measure();
      steps.fill(0);
      for (let sweep = 0; sweep < SWEEPS; sweep++) {
        for (let c = 0; c < count; c++)
          if (isControlled(c)) steps[c] = (gains[c]! + borders.take(c, steps)) / slope[c]!;
      }
      for (let c = 0; c < count; c++) {
        if (!isControlled(c)) continue;
        const limit = LARGEST_STEP * thickness[c]!;
        const offset = offsets[c]! + Math.min(limit, Math.max(-limit, steps[c]!));
        const thinnest = (LEAST_REACH - 1) * width[c]! - thickness[c]!;
        offsets[c] = Math.min(THICKEST * thickness[c]!, Math.max(thinnest, offset));
      }
      for (let i = 0; i < count; i++) offsets[i] = offsets[chain[i]!]!;
    },
    worst() {
      gather();
      let worst = 0;
      for (let c = 0; c < count; c++) {
        if (isControlled(c)) worst = Math.max(worst, Math.abs(present[c]! / wanted[c]! - 1));
      }
      return worst;
    },
    save() {
      savedErrors.set(errors);
      savedOffsets.set(offsets);
    },
    restore() {
      errors.set(savedErrors);
      offsets.set(savedOffsets);
    },
  };
}

/** c_ij between chains (by their first primitives), from the neighbours as they are now. */
function createBorders(primitives: Primitives, exchanges: Float64Array, near: NeighbourGrid) {
  const { count, chain, thickness } = primitives;
  const sums = new Float64Array(count);
  let shares = new Float64Array(0);
  const share = (i: number, n: number) => (sums[i]! > 0 ? (exchanges[i]! * shares[n]!) / sums[i]! : 0);
  /** Per chain: pairs of another chain and c. */
  const lists: number[][] = Array.from({ length: count }, () => []);
  return {
    measure(): void {
      const { offsets, items } = near;
      if (shares.length < items.length) shares = new Float64Array(items.length);
      sums.fill(0);
      const places = new Map<number, number>();
      for (let i = 0; i < count; i++) {
        lists[i]!.length = 0;
        for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
          const j = items[n]!;
          const apart = APART * (thickness[i]! + thickness[j]!);
          const part = chain[i] === chain[j] ? 0 : Math.max(0, 1 - measureGap(primitives, i, j) / apart);
          shares[n] = part * part;
          sums[i]! += shares[n]!;
          places.set(i * count + j, n);
        }
      }
      for (let i = 0; i < count; i++) {
        for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
          const j = items[n]!;
          const back = places.get(j * count + i);
          if (shares[n]! > 0 && back !== undefined)
            lists[chain[i]!]!.push(chain[j]!, Math.min(share(i, n), share(j, back)));
        }
      }
    },
    /** Σ_j c_ij ε̇_j: what the neighbours of a chain take from it. */
    take(c: number, steps: Float64Array): number {
      const list = lists[c]!;
      let sum = 0;
      for (let n = 0; n < list.length; n += 2) sum += list[n + 1]! * steps[list[n]!]!;
      return sum;
    },
  };
}
