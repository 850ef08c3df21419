/**
 * C6. Correction along the vertex normals, exact: the field of C5, scaled by the root of a cubic (`planAlongField`).
 *
 *   y = x + λ ρ n,   V(x + λρn) = V̄
 *
 * O(#T); two evaluations.
 */
import { measureNormalAmounts } from './measure-normal-amounts.js';
import { planAlongField } from './plan-along-field.js';
import { NORMAL_CHECKS, NORMAL_DEFAULTS, type NormalOptions } from './plan-normal-linear.js';
import { measureFields, planRegionFields, startReport, volumeGap } from './plan-region-fields.js';
import type { SolverContext, SolverFrame, VolumeMethod, VolumeSolver } from './volume-solver.js';

export const normalExact: VolumeMethod = { plan: planNormalExact, options: NORMAL_CHECKS };

export function planNormalExact(context: SolverContext, options: NormalOptions = {}): VolumeSolver {
  const { along } = { ...NORMAL_DEFAULTS, ...options };
  const fields = planRegionFields(context, options);
  const exact = planAlongField(fields);
  const amounts = new Float64Array(context.character.surface.vertexCount);

  const apply = (frame: SolverFrame): void => {
    const { positions, targets } = frame;
    const directions = along === 'field' ? frame.directions : fields.normals;
    startReport(frame);
    measureFields(fields, positions);
    frame.report.evaluations = 1;
    amounts.fill(0);
    for (let s = 0; s < targets.length; s++) {
      const gap = volumeGap(fields, targets, s);
      if (gap !== 0) measureNormalAmounts(amounts, fields, directions, s, gap);
    }
    exact.apply(frame, amounts, directions);
  };
  return { apply };
}
