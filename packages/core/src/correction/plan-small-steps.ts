/**
 * C7. Correction along the normals in small steps, with gradients and normals taken anew at each (`solveSmallSteps`).
 *
 * O(steps · #T).
 */
import { number } from '../check-json.js';
import { FIELD_CHECKS, type FieldOptions, finishReport, planRegionFields, startReport } from './plan-region-fields.js';
import { createSmallStepScratch, solveSmallSteps } from './solve-small-steps.js';
import type { SolverContext, VolumeMethod, VolumeSolver } from './volume-solver.js';

export interface SmallStepOptions extends FieldOptions {
  /** M. */
  readonly steps?: number;
  /** Relative volume error that is good enough. */
  readonly tolerance?: number;
}

export const SMALL_STEP_DEFAULTS = { steps: 8, tolerance: 1e-13 } as const satisfies SmallStepOptions;

export const smallSteps: VolumeMethod = {
  plan: planSmallSteps,
  options: { ...FIELD_CHECKS, steps: number(1, 1000), tolerance: number(0, 1) },
};

export function planSmallSteps(context: SolverContext, options: SmallStepOptions = {}): VolumeSolver {
  const { steps, tolerance } = { ...SMALL_STEP_DEFAULTS, ...options };
  const fields = planRegionFields(context, options);
  const scratch = createSmallStepScratch(context.character.surface.vertexCount);
  const active = new Uint8Array(context.regions.count).fill(1);
  return {
    apply(frame) {
      startReport(frame);
      frame.report.evaluations = solveSmallSteps(frame, fields, active, steps, tolerance, scratch);
      finishReport(fields, frame);
    },
  };
}
