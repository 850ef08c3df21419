/**
 * C6. Makes any field exact: every region's part of the field is scaled so that its volume is met to rounding.
 *
 *   V_s(x + λ_s u) = V̄_s,  a cubic in λ_s:  c₀ = V_s(x), c₁ = ⟨∇V_s(x),u⟩, c₂ = ⟨∇V_s(u),x⟩, c₃ = V_s(u)
 *
 * u_k = ρ_k n_k. Where a displacement meets its limit the field is cut there and λ found by Newton steps instead (the cut
 * starts at 0, so nothing jumps). Where no λ restores the volume, small steps (C7) take over and the report says so.
 * O(#T), one evaluation beyond the one that made the field.
 */
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
  type RegionGradients,
} from '../volume/measure-region-volumes.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import {
  finishReport,
  IDLE_CHANGE,
  measureFields,
  type RegionFields,
  relativeError,
  volumeGap,
} from './plan-region-fields.js';
import { solveNormalCubic } from './solve-normal-cubic.js';
import { createSmallStepScratch, solveSmallSteps } from './solve-small-steps.js';
import type { SolverFrame } from './volume-solver.js';

export interface AlongField {
  /**
   * Moves `frame.positions` along `directions` by λ_s · `amounts`. `fields.gradients` describes the surface as it is;
   * amounts of regions without a gap are 0.
   */
  apply(frame: SolverFrame, amounts: Float64Array, directions: Float64Array): void;
}

const FALLBACK_STEPS = 8;
const NEWTON_STEPS = 20;

export function planAlongField(fields: RegionFields): AlongField {
  const { context, movable, limits, gradients } = fields;
  const { volumes, regions } = context;
  const count = volumes.closed.vertexCount;
  const field = createExtendedPositions(volumes);
  const ofField = createRegionGradients(volumes);
  const factors = new Float64Array(regions.count);
  const state = new Uint8Array(regions.count);
  const origins = new Float64Array(3 * count);
  const scratch = createSmallStepScratch(count);

  /** y = x + clamp(λρ) n for the vertices of region s. */
  const place = (y: Float64Array, amounts: Float64Array, directions: Float64Array, s: number, lambda: number): void => {
    for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
      const k = movable.values[n]!;
      const amount = Math.max(-limits[k]!, Math.min(limits[k]!, lambda * amounts[k]!));
      for (let i = 3 * k; i < 3 * k + 3; i++) y[i] = origins[i]! + amount * directions[i]!;
    }
  };
  /** dV_s/dλ at the measured surface: vertices at their limit do not move any more. */
  const slope = (amounts: Float64Array, directions: Float64Array, s: number, lambda: number): number => {
    const g = gradients.areas;
    let sum = 0;
    for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
      const k = movable.values[n]!;
      if (Math.abs(lambda * amounts[k]!) > limits[k]!) continue;
      const i = 3 * k;
      sum += amounts[k]! * (g[i]! * directions[i]! + g[i + 1]! * directions[i + 1]! + g[i + 2]! * directions[i + 2]!);
    }
    return sum;
  };

  const apply = (frame: SolverFrame, amounts: Float64Array, directions: Float64Array): void => {
    const { positions, targets, report } = frame;
    field.fill(0);
    for (const k of movable.values) for (let i = 3 * k; i < 3 * k + 3; i++) field[i] = amounts[k]! * directions[i]!;
    measureRegionVolumes(ofField, volumes, field);
    report.evaluations++;
    origins.set(positions.subarray(0, origins.length));
    let limited = false;
    let stuck = false;
    for (let s = 0; s < regions.count; s++) {
      state[s] = DONE;
      factors[s] = 0;
      if (volumeGap(fields, targets, s) === 0) continue;
      const c0 = gradients.volumes[s]!;
      const c1 = slope(amounts, directions, s, 0);
      const c2 = pairWith(ofField, volumes, origins, s);
      const c3 = ofField.volumes[s]!;
      if (c1 === 0) continue; // nothing here can change the volume
      const lambda = solveNormalCubic(c0, c1, c2, c3, targets[s]!);
      if (Number.isNaN(lambda)) {
        state[s] = STUCK;
        stuck = true;
        continue;
      }
      factors[s] = lambda;
      place(positions, amounts, directions, s, lambda);
      if (staysWithin(amounts, s, lambda)) gradients.volumes[s] = c0 + lambda * (c1 + lambda * (c2 + lambda * c3));
      else {
        state[s] = LIMITED;
        limited = true;
      }
    }
    if (limited) solveLimited(frame, amounts, directions);
    if (stuck) {
      report.fallback = 'small-steps';
      for (let s = 0; s < state.length; s++) state[s] = state[s] === STUCK ? 1 : 0;
      report.evaluations += solveSmallSteps(frame, fields, state, FALLBACK_STEPS, IDLE_CHANGE, scratch);
    }
    finishReport(fields, frame);
  };

  const staysWithin = (amounts: Float64Array, s: number, lambda: number): boolean => {
    for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
      const k = movable.values[n]!;
      if (Math.abs(lambda * amounts[k]!) > limits[k]!) return false;
    }
    return true;
  };

  /** Newton on λ_s with the field cut at its limits. */
  const solveLimited = (frame: SolverFrame, amounts: Float64Array, directions: Float64Array): void => {
    const { positions, targets, report } = frame;
    report.limited = true;
    for (let step = 0; ; step++) {
      measureFields(fields, positions, true); // the directions may be the fields' own normals
      report.evaluations++;
      let busy = false;
      for (let s = 0; s < state.length; s++) {
        if (state[s] !== LIMITED || relativeError(fields, targets, s) <= IDLE_CHANGE) continue;
        const lambda = factors[s]!;
        const rise = slope(amounts, directions, s, lambda);
        const next = lambda + (targets[s]! - gradients.volumes[s]!) / rise;
        // Everything that could help is at its limit (or already far beyond it): keep what was reached.
        if (step === NEWTON_STEPS || !(next > 0 && next < FAR * lambda) || next === lambda) continue;
        factors[s] = next;
        place(positions, amounts, directions, s, next);
        busy = true;
      }
      if (!busy) return;
    }
  };
  return { apply };
}

const DONE = 0;
const LIMITED = 1;
const STUCK = 2;
/** A Newton step may multiply λ by this at most. */
const FAR = 16;

/** ⟨∇V_s(u), x⟩ over all vertices of region s, x taken about the region's anchor. */
function pairWith({ areas, pairs }: RegionGradients, volumes: RegionVolumes, x: Float64Array, s: number): number {
  const { inner, pairsOfRegion, pairVertex, anchors } = volumes;
  const o = 3 * anchors[s]!;
  // The anchor may be an apex of a cap; any real vertex serves as well.
  const [ox, oy, oz] = o < x.length ? [x[o]!, x[o + 1]!, x[o + 2]!] : [x[0]!, x[1]!, x[2]!];
  let sum = 0;
  for (let n = inner.offsets[s]!; n < inner.offsets[s + 1]!; n++) {
    const k = 3 * inner.values[n]!;
    sum += (x[k]! - ox) * areas[k]! + (x[k + 1]! - oy) * areas[k + 1]! + (x[k + 2]! - oz) * areas[k + 2]!;
  }
  for (let n = pairsOfRegion.offsets[s]!; n < pairsOfRegion.offsets[s + 1]!; n++) {
    const p = 3 * pairsOfRegion.values[n]!;
    const k = 3 * pairVertex[pairsOfRegion.values[n]!]!;
    sum += (x[k]! - ox) * pairs[p]! + (x[k + 1]! - oy) * pairs[p + 1]! + (x[k + 2]! - oz) * pairs[p + 2]!;
  }
  return sum;
}
