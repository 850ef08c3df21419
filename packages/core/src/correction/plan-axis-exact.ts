/**
 * C2. Correction along three axes one after the other, exact.
 *
 *   along each axis a in turn:  u = μ_a ΔV · γ ∇_aV / Σ γ (∇_aV)²,  ∇V taken on the surface as it is by then
 *
 * The volume is linear in the coordinates along one axis, so every step is exact; the last one takes what is left, rounding
 * included. O(#T); four evaluations, the last for the report.
 *
 * Based on: Rohmer, "Géométrie active pour l'animation et la modélisation", eq. 4.8 and 4.10 (METHODS seed 000).
 */
import {
  type AxisOptions,
  measureAxisFrame,
  measureAxisNorms,
  readAxisOptions,
  usableShares,
} from './measure-axis-frame.js';
import { finishReport, measureFields, planRegionFields, startReport, volumeGap } from './plan-region-fields.js';
import type { SolverContext, SolverFrame, VolumeSolver } from './volume-solver.js';

export function planAxisExact(context: SolverContext, options: AxisOptions = {}): VolumeSolver {
  const settings = readAxisOptions(options);
  const fields = planRegionFields(context, options);
  const { movable, weights, limits, gradients } = fields;
  const axes = new Float64Array(9);
  const norms = new Float64Array(3);
  const shares = new Float64Array(3);
  const moved = new Float64Array(context.character.surface.vertexCount); // squared length so far

  const apply = (frame: SolverFrame): void => {
    const { positions, targets, report } = frame;
    const g = gradients.areas;
    startReport(frame);
    measureAxisFrame(axes, settings.frame, context.character, positions);
    moved.fill(0);
    for (let turn = 0; turn < 3; turn++) {
      measureFields(fields, positions, true);
      const a = settings.order[turn]!;
      for (let s = 0; s < targets.length; s++) {
        const gap = volumeGap(fields, targets, s);
        if (gap === 0) continue;
        measureAxisNorms(norms, fields, axes, s);
        usableShares(shares, norms, settings.shares);
        let left = 0;
        for (let later = turn; later < 3; later++) left += shares[settings.order[later]!]!;
        const factor = shares[a]! > 0 ? ((shares[a]! / left) * gap) / norms[a]! : 0;
        if (factor === 0 || !Number.isFinite(factor)) continue;
        for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
          const k = movable.values[n]!;
          const i = 3 * a;
          const slope = g[3 * k]! * axes[i]! + g[3 * k + 1]! * axes[i + 1]! + g[3 * k + 2]! * axes[i + 2]!;
          const room = Math.sqrt(Math.max(0, limits[k]! * limits[k]! - moved[k]!));
          const wish = factor * weights[k]! * slope;
          const amount = Math.max(-room, Math.min(room, wish));
          if (amount !== wish) report.limited = true;
          moved[k]! += amount * amount;
          for (let r = 0; r < 3; r++) positions[3 * k + r]! += amount * axes[i + r]!;
        }
      }
    }
    measureFields(fields, positions, true);
    report.evaluations = 4;
    finishReport(fields, frame);
  };
  return { apply };
}
