/**
 * C1. Correction along three axes at once, linearised.
 *
 *   u_x = μ_x ΔV · γ ∇_xV / Σ γ (∇_xV)²,   the same for y and z
 *
 * μ  shares, Σμ = 1. The volume is linear along each axis alone; what remains is the product of the three, of second order.
 * O(#T); two evaluations, the second for the report.
 *
 * Based on: Rohmer, "Animation de personnage par skinning à volume constant", 2007, eq. 4.7.
 */
import {
  AXIS_CHECKS,
  type AxisOptions,
  measureAxisFrame,
  measureAxisNorms,
  readAxisOptions,
  usableShares,
} from './measure-axis-frame.js';
import { finishReport, measureFields, planRegionFields, startReport, volumeGap } from './plan-region-fields.js';
import type { SolverContext, SolverFrame, VolumeMethod, VolumeSolver } from './volume-solver.js';

export const axisLinear: VolumeMethod = { plan: planAxisLinear, options: AXIS_CHECKS };

export function planAxisLinear(context: SolverContext, options: AxisOptions = {}): VolumeSolver {
  const settings = readAxisOptions(options);
  const fields = planRegionFields(context, options);
  const { movable, weights, limits, gradients } = fields;
  const axes = new Float64Array(9);
  const norms = new Float64Array(3);
  const shares = new Float64Array(3);
  const factors = new Float64Array(3);
  const move = new Float64Array(3);

  const apply = (frame: SolverFrame): void => {
    const { positions, targets, report } = frame;
    const g = gradients.areas;
    startReport(frame);
    measureAxisFrame(axes, settings.frame, context.character, positions);
    measureFields(fields, positions, true);
    for (let s = 0; s < targets.length; s++) {
      const gap = volumeGap(fields, targets, s);
      if (gap === 0) continue;
      measureAxisNorms(norms, fields, axes, s);
      const sum = usableShares(shares, norms, settings.shares);
      for (let a = 0; a < 3; a++) factors[a] = shares[a]! > 0 ? ((shares[a]! / sum) * gap) / norms[a]! : 0;
      if (!(sum > 0 && Number.isFinite(factors[0]! + factors[1]! + factors[2]!))) continue;
      for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
        const k = movable.values[n]!;
        move.fill(0);
        for (let a = 0; a < 3; a++) {
          const i = 3 * a;
          const slope = g[3 * k]! * axes[i]! + g[3 * k + 1]! * axes[i + 1]! + g[3 * k + 2]! * axes[i + 2]!;
          const amount = factors[a]! * weights[k]! * slope;
          for (let r = 0; r < 3; r++) move[r]! += amount * axes[i + r]!;
        }
        const length = Math.hypot(move[0]!, move[1]!, move[2]!);
        const cut = length > limits[k]! ? limits[k]! / length : 1;
        if (cut < 1) report.limited = true;
        for (let r = 0; r < 3; r++) positions[3 * k + r]! += cut * move[r]!;
      }
    }
    measureFields(fields, positions, true);
    report.evaluations = 2;
    finishReport(fields, frame);
  };
  return { apply };
}
