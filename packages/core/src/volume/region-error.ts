/**
 * The one definition of a region's relative volume error, for solvers, measurements, bakes and the studio.
 *
 *   e_s = (V_s − V̄_s) / w_s,   w_s = max(|V̄_s|, 10⁻³ |V̄_c|)
 *
 * V̄_c  rest volume of the component c that the region is cut from: a region of almost no volume is judged against that.
 */

/** Volumes below this share of their component are judged against it, not against themselves. */
export const REGION_FLOOR = 1e-3;
/** A region that is off by more is reported as inexact. */
export const INEXACT = 1e-6;

/** w_s for a target V̄_s in a component of rest volume `component`. */
export function measureRegionScale(target: number, component: number): number {
  return Math.max(Math.abs(target), REGION_FLOOR * Math.abs(component));
}

/** e_s, signed: −0.1 = a tenth is missing. 0 where there is nothing to be relative to. */
export function measureRegionError(volume: number, target: number, component: number): number {
  const scale = measureRegionScale(target, component);
  return scale > 0 ? (volume - target) / scale : 0;
}
