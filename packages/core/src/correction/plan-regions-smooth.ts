/**
 * C11 with planned bases: every region exact where the shape allows it, the total exact always, and a smooth skin.
 *
 *   y_k = x_k + ρ_k n_k,   ρ_k = m_k r_k S(Σ_s λ_s φ_sk / r_k)
 *
 * φ_s  planned bases;  n  smoothed direction field, turned with the skin;  r_k  room: share of the local thickness;
 * S(z) = z/(1+z⁴)^¼ keeps |ρ_k| < r_k smoothly;  m_k  activity: 0 inside regions whose volume did not change, so that they stay
 * exactly where they are, and a smooth fade around them;  λ  one amount per region (create-amount-solver.ts).
 *
 * Per frame: one sweep over the directions, then 2–3 evaluations when warm (4–6 cold), each one pass over the triangles that
 * yields volumes *and* gradients. No sparse solve.
 *
 * Based on: Rohmer, Hahmann, Cani 2008, eq. 5 (one scalar per region); the rest is METHODS C11.
 */
import type { FramePlan } from '../kernels/frame-plan.js';
import type { DisplaceInput, LinearKernels } from '../kernels/kernel-set.js';
import { type AmountEvaluator, type AmountSolverOptions, createAmountSolver } from './create-amount-solver.js';
import { createComponentScaler, listComponentVertices } from './create-component-scaler.js';
import { createRegionEvaluator } from './evaluate-regions.js';
import type { VertexValues } from './plan-bases.js';
import { applySweep } from './plan-directions.js';
import { planSmoothBases, type SmoothBasesOptions } from './plan-smooth-bases.js';
import type { SkinConstraint, SolverContext, SolverFrame, VolumeSolver } from './volume-solver.js';

export interface RegionsSmoothOptions extends SmoothBasesOptions, AmountSolverOptions {}

/** What the solver needs of a frame plan. */
export type SmoothSolverPlan = Pick<FramePlan, 'volumes' | 'smooth' | 'wholes' | 'components' | 'solver'>;

/** Rest volume of every region's component. */
export function listWholes({ character, regions }: SolverContext): Float64Array {
  return Float64Array.from(regions.component, (c) => character.surface.components[c]!.volume);
}

export function planRegionsSmooth(context: SolverContext, options: RegionsSmoothOptions = {}): VolumeSolver {
  const smooth = planSmoothBases(context, options);
  const components = listComponentVertices(context, smooth.blocks);
  const plan = { volumes: context.volumes, smooth, wholes: listWholes(context), components, solver: options };
  return createSmoothSolver(plan, context.kernels);
}

/** The solver itself, from planned arrays. */
export function createSmoothSolver(
  { volumes, smooth, wholes, components = [], solver: options }: SmoothSolverPlan,
  kernels: LinearKernels,
): VolumeSolver {
  const { surface, vertexCount: count } = volumes.closed;
  const { bases, halo, room, blocks, sweeps } = smooth;
  const solver = createAmountSolver(volumes.regionCount, blocks, wholes, options);
  const scaler = createComponentScaler(blocks, components, wholes, room);
  const regionEvaluator = createRegionEvaluator({ volumes, kernels }, bases);

  const x = new Float64Array(3 * count);
  const fields = [new Float64Array(3 * count), new Float64Array(3 * count)] as const;
  const tightness = room.map((r) => 1 / (r * r));
  const fade = new Float64Array(count);
  const activity = new Float64Array(volumes.regionCount);
  const { lambda } = solver;
  let input: DisplaceInput = { positions: x, directions: fields[0], ...bases, lambda, fade, tightness };
  let out: Float64Array = x; // the frame's positions
  let constraint: SkinConstraint | undefined;
  let along = input.directions; // the field that the surface follows, inside its constraint

  const evaluator: AmountEvaluator = {
    volumes: regionEvaluator.volumes,
    jacobian: regionEvaluator.jacobian,
    evaluate() {
      displace();
      regionEvaluator.measureVolumes(out);
    },
    measureJacobian: () => regionEvaluator.measureJacobian(along),
    finish: displace,
  };

  /** The surface at λ, inside its constraint. */
  function displace(): void {
    kernels.displace(out, regionEvaluator.slopes, input, 0, count);
    along = constraint?.apply(out, input.directions) ?? input.directions;
  }

  function apply(frame: SolverFrame): void {
    const { positions, targets, report } = frame;
    report.fallback = '';
    report.limited = false;
    report.evaluations = 1;
    regionEvaluator.measureVolumesOnly(positions);
    if (!solver.measureActivity(activity, evaluator.volumes, targets)) {
      regionEvaluator.measureVolumes(positions); // the normals need the area vectors
      return solver.rest(evaluator.volumes, report);
    }
    x.set(positions.subarray(0, 3 * count));
    measureFade(fade, halo, activity);
    const directions = smoothDirections(frame.directions);
    if (input.directions !== directions) input = { ...input, directions };
    out = positions;
    constraint = frame.constraint;
    solver.solve(evaluator, targets, report);
    if (scaler.apply(frame, activity)) {
      report.fallback = 'scale';
      regionEvaluator.measureVolumes(positions);
      solver.judge(evaluator.volumes, targets, report);
    }
  }

  function smoothDirections(turned: Float64Array): Float64Array {
    let from = turned;
    for (let n = 0; n < sweeps; n++) {
      applySweep(fields[n & 1]!, from, surface);
      from = fields[n & 1]!;
    }
    return from;
  }

  return { apply, reset: solver.reset, areas: regionEvaluator.areas };
}

/** m_k = Π_s (1 − (1 − activity_s) ψ_sk). */
function measureFade(out: Float64Array, halo: VertexValues, activity: Float64Array): void {
  for (let k = 0; k < out.length; k++) {
    let product = 1;
    for (let e = halo.offsets[k]!; e < halo.offsets[k + 1]!; e++) {
      product *= 1 - (1 - activity[halo.regions[e]!]!) * halo.values[e]!;
    }
    out[k] = product;
  }
}
