/**
 * C2. Correction along three axes one after the other, exact.
 *
 *   along each axis a in turn:  u = μ_a ΔV · γ ∇_aV / Σ γ (∇_aV)²,  ∇V taken on the surface as it is by then
 *
 * The volume is linear in the coordinates along one axis, so every step is exact; the last one takes what is left, rounding
 * included. O(#T); four evaluations, the last for the report, and three more for each round that a limit makes necessary.
 *
 * Based on: Rohmer, "Animation de personnage par skinning à volume constant", 2007, eq. 4.8 and 4.10, annexes B and C.
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

/** Where a limit cut a move, the axes come round again for the vertices that still have room. */
const ROUNDS = 4;

export const axisExact: VolumeMethod = { plan: planAxisExact, options: AXIS_CHECKS };

export function planAxisExact(context: SolverContext, options: AxisOptions = {}): VolumeSolver {
  const settings = readAxisOptions(options);
  const fields = planRegionFields(context, options);
  const { movable, weights, limits, gradients } = fields;
  const axes = new Float64Array(9);
  const norms = new Float64Array(3);
  const shares = new Float64Array(3);
  const origins = new Float64Array(3 * context.character.surface.vertexCount);

  const apply = (frame: SolverFrame): void => {
    const { positions, report } = frame;
    startReport(frame);
    origins.set(positions.subarray(0, origins.length));
    measureAxisFrame(axes, settings.frame, context.character, positions);
    measureFields(fields, positions, true);
    report.evaluations = 1;
    for (let round = 0, cut = true; cut && round < ROUNDS; round++) {
      cut = false;
      for (let turn = 0; turn < 3; turn++) {
        if (stepAxis(frame, turn)) cut = true;
        measureFields(fields, positions, true);
        report.evaluations++;
      }
      report.limited ||= cut;
    }
    finishReport(fields, frame);
  };

  /** Moves every region along one axis; true when a limit cut a move. */
  const stepAxis = ({ positions, targets }: SolverFrame, turn: number): boolean => {
    const g = gradients.areas;
    const a = settings.order[turn]!;
    const i = 3 * a;
    let cut = false;
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
        const slope = g[3 * k]! * axes[i]! + g[3 * k + 1]! * axes[i + 1]! + g[3 * k + 2]! * axes[i + 2]!;
        if (moveWithin(positions, k, i, factor * weights[k]! * slope)) cut = true;
      }
    }
    return cut;
  };

  /** Moves vertex k along an axis, at most to its limit from where it was; true when it was cut. */
  const moveWithin = (y: Float64Array, k: number, axis: number, wish: number): boolean => {
    let along = 0;
    let square = 0;
    for (let r = 0; r < 3; r++) {
      const u = y[3 * k + r]! - origins[3 * k + r]!;
      along += u * axes[axis + r]!;
      square += u * u;
    }
    const room = Math.sqrt(Math.max(0, limits[k]! * limits[k]! - square + along * along));
    const end = Math.max(-room, Math.min(room, along + wish));
    const cut = end !== along + wish;
    const amount = cut ? end - along : wish;
    for (let r = 0; r < 3; r++) y[3 * k + r]! += amount * axes[axis + r]!;
    return cut;
  };
  return { apply };
}
