import type { Primitives } from './pack-primitives.js';
import type { VolumeControl } from './soft-world.js';

/**
 * I5. Proportional-derivative control of the thickness offsets, per primitive (all pieces of a chain together):
 *
 *   Δ = (V − V⁰)/V⁰,   ε̇ = −(αΔ + βΔ̇)·ℓ,   ε ← ε + ε̇ dt,     ℓ = V⁰/(∂V/∂ε)
 *
 * ℓ is the depth of flesh that one unit of Δ is worth (a third of the radius for a lone point, less where a neighbour gives way),
 * which makes α and β independent of size and shape, and the loop stable where territories share their flesh. A loss (Δ < 0) thickens. The potential is f(d − ε): the stiffness does not change.
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

/** Largest part of an error that one step corrects: above 1 it would overshoot. */
const LARGEST_GAIN = 0.7;
/** Smallest ∂V/∂ε over that at the start. */
const LEAST_SLOPE = 0.3;
/** Largest offset step in thicknesses. */
const LARGEST_STEP = 0.1;
/** Range of the offset: up to thicknesses; down so far that this part of R − e is left to reach. */
const THICKEST = 1.5;
const LEAST_REACH = 0.2;

export function createVolumeController(
  control: Required<VolumeControl>,
  primitives: Primitives,
  volumes: Float64Array,
  slopes: Float64Array,
): VolumeController {
  const { count, chain, thickness, width, offsets, controlled } = primitives;
  const rest = new Float64Array(count);
  const targets = new Float64Array(count).fill(1);
  /** Per chain: smallest ∂V/∂ε believed, a part of that at the start; without free surface an offset moves nothing. */
  const least = new Float64Array(count);
  const slope = new Float64Array(count);
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
        const limit = LARGEST_STEP * thickness[c]!;
        const step = -(alpha * dt * error + control.beta * change) * (wanted[c]! / Math.max(slope[c]!, least[c]!));
        const offset = offsets[c]! + Math.min(limit, Math.max(-limit, step));
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
