/**
 * Last resort of C11 (create-component-scaler.ts in core is the specification): a component whose total the bases could not
 * restore is scaled about its centre, y_k ← c + f (y_k − c), f³ = V̄/V, |f − 1| |y_k − c| ≤ r_k. Rare, so it runs here.
 */
import type { FramePlan } from '@isoskin/core';

/** A component that is off by more, relative to its target (or to a thousandth of its volume at rest), is scaled. */
const SCALE_ABOVE = 1e-6;
const FLOOR_SHARE = 1e-3;

export interface ComponentScaler {
  /** Scales what is off; true if something was. */
  apply(surface: Float32Array, volumes: Float64Array, targets: Float64Array, activity: Float64Array): boolean;
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

  return {
    apply(surface, volumes, targets, activity) {
      let any = false;
      for (let b = 0; b < components.length; b++) {
        const list = components[b]!;
        const block = smooth.blocks[b]!;
        let volume = 0;
        let target = 0;
        let busy = list.length > 0;
        for (let i = 0; i < block.length; i++) {
          busy &&= activity[block[i]!]! > 0;
          volume += volumes[block[i]!]!;
          target += targets[block[i]!]!;
        }
        const ratio = target / volume;
        const whole = Math.max(Math.abs(target), FLOOR_SHARE * Math.abs(wholes[block[0]!]!));
        if (!busy || Math.abs(volume - target) <= SCALE_ABOVE * whole || !(ratio >= 0) || ratio === Infinity) continue;
        const scale = measureScale(surface, list, ratio);
        for (let i = 0; i < list.length; i++) {
          for (let r = 0; r < 3; r++) {
            const at = 4 * places[list[i]!]! + r;
            surface[at] = centre[r]! + scale * (surface[at]! - centre[r]!);
          }
        }
        any = true;
      }
      return any;
    },
  };
}
