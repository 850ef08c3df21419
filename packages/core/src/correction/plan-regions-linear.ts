/**
 * C10. One scalar per region, linearised: C5 region by region, with the change of volume measured or estimated.
 *
 *   ρ_k = ΔV_s γ_k ⟨n_k, ∇V_k⟩ / Σ_{j∈s} γ_j ⟨n_j, ∇V_j⟩²   for the vertices of region s
 *
 * `exact`: ΔV_s from the closed region volumes (B4). `prism`: the article's own estimate (B5), for comparison. Regions without
 * a change cost nothing beyond the measurement. Meant for a map that goes to 0 at the borders (D8). O(#T).
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008, § 5.3.
 */
import { oneOf } from '../check-json.js';
import { estimatePrisms, planPrisms } from '../volume/estimate-prisms.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import { NORMAL_CHECKS, type NormalOptions, planLinearised } from './plan-normal-linear.js';
import { IDLE_CHANGE, volumeGap } from './plan-region-fields.js';
import type { SolverContext, VolumeMethod, VolumeSolver } from './volume-solver.js';

export interface RegionsLinearOptions extends NormalOptions {
  readonly estimator?: 'exact' | 'prism';
}

export const REGIONS_LINEAR_DEFAULTS = { estimator: 'exact' } as const satisfies RegionsLinearOptions;

export const regionsLinear: VolumeMethod = {
  plan: planRegionsLinear,
  options: { ...NORMAL_CHECKS, estimator: oneOf(['exact', 'prism']) },
};

export function planRegionsLinear(context: SolverContext, options: RegionsLinearOptions = {}): VolumeSolver {
  const { estimator } = { ...REGIONS_LINEAR_DEFAULTS, ...options };
  if (estimator === 'exact') return planLinearised(context, options, volumeGap);
  const { character, regions, volumes } = context;
  const prisms = planPrisms(character, regions, volumes);
  const rest = createExtendedPositions(volumes);
  rest.set(character.surface.positions);
  const atRest = createRegionGradients(volumes);
  measureRegionVolumes(atRest, volumes, rest);
  return planLinearised(context, options, (fields, targets, s, positions) => {
    if (volumeGap(fields, targets, s) === 0) return 0;
    const gap = targets[s]! - atRest.volumes[s]! - estimatePrisms(prisms, positions, s);
    return Math.abs(gap) > IDLE_CHANGE * Math.abs(targets[s]!) ? gap : 0;
  });
}
