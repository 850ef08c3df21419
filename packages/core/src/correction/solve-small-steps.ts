/**
 * C7. The correction in small steps, with gradients and normals taken anew at each: V̄ is approached through M surfaces.
 *
 *   y ← y + ρ n,   step m of M restores (V̄ − V(y)) / (M − m);   after M steps the rest, until it is below the tolerance
 *
 * Moves the vertices of the regions marked in `active`. The total displacement stays within its limit. Returns the number of
 * evaluations; `fields.gradients` describes the final surface.
 *
 * Based on: Rohmer, Hahmann, Cani, "Déformation interactive par skinning à volume constant", 2008, § 6.
 */
import { measureNormalAmounts } from './measure-normal-amounts.js';
import { measureFields, type RegionFields, relativeError, volumeGap } from './plan-region-fields.js';
import type { SolverFrame } from './volume-solver.js';

export interface SmallStepScratch {
  /** Where the vertices were, #V×3. */
  readonly origins: Float64Array;
  readonly amounts: Float64Array;
}

export function createSmallStepScratch(vertexCount: number): SmallStepScratch {
  return { origins: new Float64Array(3 * vertexCount), amounts: new Float64Array(vertexCount) };
}

/** Steps after the planned ones: Newton's steps, each squares the error. */
const LAST_STEPS = 16;

export function solveSmallSteps(
  frame: SolverFrame,
  fields: RegionFields,
  active: Uint8Array,
  steps: number,
  tolerance: number,
  scratch: SmallStepScratch,
): number {
  const { positions, targets, report } = frame;
  const { origins, amounts } = scratch;
  origins.set(positions.subarray(0, origins.length));
  for (let step = 0; ; step++) {
    measureFields(fields, positions);
    let busy = false;
    for (let s = 0; s < targets.length; s++) {
      if (!active[s] || !(relativeError(fields, targets, s) > tolerance)) continue;
      const gap = volumeGap(fields, targets, s) / Math.max(1, steps - step);
      if (gap === 0 || step === steps + LAST_STEPS) continue;
      if (!measureNormalAmounts(amounts, fields, fields.normals, s, gap)) continue;
      busy = true;
      moveWithin(positions, origins, fields, amounts, s, report);
    }
    if (!busy) return step + 1;
  }
}

/** y ← y + ρ n for region s, pulled back to at most the limit from where the vertex was. */
function moveWithin(
  y: Float64Array,
  origins: Float64Array,
  { movable, limits, normals }: RegionFields,
  amounts: Float64Array,
  s: number,
  report: SolverFrame['report'],
): void {
  for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
    const k = movable.values[n]!;
    let square = 0;
    for (let i = 3 * k; i < 3 * k + 3; i++) {
      y[i]! += amounts[k]! * normals[i]!;
      square += (y[i]! - origins[i]!) ** 2;
    }
    const limit = limits[k]!;
    if (square <= limit * limit) continue;
    report.limited = true;
    const share = limit / Math.sqrt(square);
    for (let i = 3 * k; i < 3 * k + 3; i++) y[i] = origins[i]! + share * (y[i]! - origins[i]!);
  }
}
