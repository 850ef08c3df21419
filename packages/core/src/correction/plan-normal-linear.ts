/**
 * C5. Correction along the vertex normals, linearised: one step, the error that remains is of second order.
 *
 *   u_k = ρ_k n_k,   ρ_k = ΔV γ_k ⟨n_k, ∇V_k⟩ / Σ_j γ_j ⟨n_j, ∇V_j⟩²
 *
 * O(#T); two evaluations, the second for the report.
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008, eq. 4–5.
 */
import { oneOf } from '../check-json.js';
import { applyAmounts, limitAmounts, measureNormalAmounts } from './measure-normal-amounts.js';
import {
  FIELD_CHECKS,
  type FieldOptions,
  finishReport,
  measureFields,
  planRegionFields,
  type RegionFields,
  startReport,
  volumeGap,
} from './plan-region-fields.js';
import type { SolverContext, SolverFrame, VolumeMethod, VolumeSolver } from './volume-solver.js';

export interface NormalOptions extends FieldOptions {
  /** `normals`: the true normals of the skinned surface. `field`: the direction field of the frame. */
  readonly along?: 'normals' | 'field';
}

export const NORMAL_DEFAULTS = { along: 'normals' } as const satisfies NormalOptions;
export const NORMAL_CHECKS = { ...FIELD_CHECKS, along: oneOf(['normals', 'field']) };

export const normalLinear: VolumeMethod = { plan: planNormalLinear, options: NORMAL_CHECKS };

export function planNormalLinear(context: SolverContext, options: NormalOptions = {}): VolumeSolver {
  return planLinearised(context, options, volumeGap);
}

/** C5 with the volume to restore in each region given by `gapOf` (0: idle), asked once the skinned surface is measured. */
export function planLinearised(
  context: SolverContext,
  options: NormalOptions,
  gapOf: (fields: RegionFields, targets: Float64Array, s: number, positions: Float64Array) => number,
): VolumeSolver {
  const { along } = { ...NORMAL_DEFAULTS, ...options };
  const fields = planRegionFields(context, options);
  const amounts = new Float64Array(context.character.surface.vertexCount);

  const apply = (frame: SolverFrame): void => {
    const { positions, targets, report } = frame;
    const directions = along === 'field' ? frame.directions : fields.normals;
    startReport(frame);
    measureFields(fields, positions);
    for (let s = 0; s < targets.length; s++) {
      const gap = gapOf(fields, targets, s, positions);
      if (gap === 0 || !measureNormalAmounts(amounts, fields, directions, s, gap)) continue;
      if (limitAmounts(amounts, fields, s)) report.limited = true;
      applyAmounts(positions, fields, directions, amounts, s);
    }
    measureFields(fields, positions);
    report.evaluations = 2;
    finishReport(fields, frame);
  };
  return { apply };
}
