/**
 * Last resort of C11 (create-component-scaler.ts in core is the specification): a component whose total the bases could not
 * restore is scaled about its centre, y_k ← c + f (y_k − c), f³ = V̄/V, |f − 1| |y_k − c| ≤ r_k. Rare, so it runs here.
 */
import { AMOUNT_SOLVER_CONSTANTS, type FramePlan } from '@isoskin/core';

/** A component that is off by more, relative to its target (or to a thousandth of its volume at rest), is scaled. */
const SCALE_ABOVE = 1e-6;
const { FLOOR_SHARE } = AMOUNT_SOLVER_CONSTANTS;

export interface ComponentScaler {
  /** A component is off and may be scaled. */
  isNeeded(volumes: Float64Array, targets: Float64Array, activity: Float64Array): boolean;
  /** Scales what is off. */
  apply(surface: Float32Array, volumes: Float64Array, targets: Float64Array, activity: Float64Array): void;
}

/** @param places place in memory of every vertex. */
export function createComponentScaler(
  { smooth, components = [], wholes }: FramePlan,
  places: Uint32Array,
): ComponentScaler {
  const centre = new Float64Array(3);

  function measureScale(surface: Float32Array, list: Uint32Array, ratio: number): number {
    centre.fill(0);
    for (let i = 0; i < list.length; i++) {
      for (let r = 0; r < 3; r++) centre[r]! += surface[4 * places[list[i]!]! + r]! / list.length;
    }
    let most = Number.POSITIVE_INFINITY;
    for (let i = 0; i < list.length; i++) {
      let square = 0;
      for (let r = 0; r < 3; r++) square += (surface[4 * places[list[i]!]! + r]! - centre[r]!) ** 2;
      most = Math.min(most, smooth.room[list[i]!]! / Math.sqrt(square));
    }
    return 1 + Math.max(-most, Math.min(most, Math.cbrt(ratio) - 1));
  }

  /** V̄/V of a component that is off, 0 where it is not or must not be scaled. */
  function measureRatio(b: number, volumes: Float64Array, targets: Float64Array, activity: Float64Array): number {
    const block = smooth.blocks[b]!;
    if (components[b]!.length === 0) return 0;
    let volume = 0;
    let target = 0;
    for (let i = 0; i < block.length; i++) {
      if (activity[block[i]!] === 0) return 0;
      volume += volumes[block[i]!]!;
      target += targets[block[i]!]!;
    }
    const ratio = target / volume;
    const whole = Math.max(Math.abs(target), FLOOR_SHARE * Math.abs(wholes[block[0]!]!));
    return Math.abs(volume - target) > SCALE_ABOVE * whole && ratio < Infinity ? Math.max(0, ratio) : 0;
  }

  return {
    isNeeded(volumes, targets, activity) {
      for (let b = 0; b < components.length; b++) if (measureRatio(b, volumes, targets, activity) > 0) return true;
      return false;
    },
    apply(surface, volumes, targets, activity) {
      for (let b = 0; b < components.length; b++) {
        const ratio = measureRatio(b, volumes, targets, activity);
        if (!(ratio > 0)) continue;
        const list = components[b]!;
        const scale = measureScale(surface, list, ratio);
        for (let i = 0; i < list.length; i++) {
          for (let r = 0; r < 3; r++) {
            const at = 4 * places[list[i]!]! + r;
            surface[at] = centre[r]! + scale * (surface[at]! - centre[r]!);
          }
        }
      }
    },
  };
}
