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
import type { DisplaceInput } from '../kernels/kernel-set.js';
import { type AmountEvaluator, type AmountSolverOptions, createAmountSolver } from './create-amount-solver.js';
import { createRegionEvaluator } from './evaluate-regions.js';
import type { VertexValues } from './plan-bases.js';
import { applySweep } from './plan-directions.js';
import { planSmoothBases, type SmoothBasesOptions } from './plan-smooth-bases.js';
import type { SolverContext, SolverFrame, VolumeSolver } from './volume-solver.js';

export interface RegionsSmoothOptions extends SmoothBasesOptions, AmountSolverOptions {}

/** A component that is off by more, relative, is scaled … */
const SCALE_ABOVE = 1e-9;
/** … if it has not lost or gained more than this factor. */
const MOST_SCALE = 4;

/** Rest volume of every region's component. */
export function listWholes({ character, regions }: SolverContext): Float64Array {
  return Float64Array.from(regions.component, (c) => character.surface.components[c]!.volume);
}

export function planRegionsSmooth(context: SolverContext, options: RegionsSmoothOptions = {}): VolumeSolver {
  const { character, kernels, volumes } = context;
  const { surface } = character;
  const count = surface.vertexCount;
  const { bases, halo, room, blocks, sweeps } = planSmoothBases(context, options);
  const wholes = listWholes(context);
  const solver = createAmountSolver(volumes.regionCount, blocks, wholes, options);
  const componentVertices = listComponentVertices(context, blocks);
  const regionEvaluator = createRegionEvaluator(context, bases);

  const x = new Float64Array(3 * count);
  const fields = [new Float64Array(3 * count), new Float64Array(3 * count)] as const;
  const tightness = room.map((r) => 1 / (r * r));
  const fade = new Float64Array(count);
  const activity = new Float64Array(volumes.regionCount);
  const { lambda } = solver;
  let input: DisplaceInput = { positions: x, directions: fields[0], ...bases, lambda, fade, tightness };
  let out: Float64Array = x; // the frame's positions

  const evaluator: AmountEvaluator = {
    volumes: regionEvaluator.volumes,
    jacobian: regionEvaluator.jacobian,
    evaluate() {
      kernels.displace(out, regionEvaluator.slopes, input, 0, count);
      regionEvaluator.measureVolumes(out);
    },
    measureJacobian: () => regionEvaluator.measureJacobian(input.directions),
    finish: () => kernels.displace(out, regionEvaluator.slopes, input, 0, count),
  };

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
    solver.solve(evaluator, targets, report);
    if (scaleComponents(frame, blocks, componentVertices)) {
      report.fallback = 'scale';
      regionEvaluator.measureVolumes(positions);
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

/**
 * Last resort: a component whose total the bases could not restore (a button of a dozen vertices, a flat pouch) is scaled about
 * its centre by the cube root of what is missing. Exact, as a volume is homogeneous of degree three. True if one was.
 */
function scaleComponents(
  { positions, targets, report }: SolverFrame,
  blocks: readonly Uint32Array[],
  vertices: readonly Uint32Array[],
): boolean {
  let any = false;
  for (let b = 0; b < blocks.length; b++) {
    let volume = 0;
    let target = 0;
    for (let i = 0; i < blocks[b]!.length; i++) {
      volume += report.volumes[blocks[b]![i]!]!;
      target += targets[blocks[b]![i]!]!;
    }
    const ratio = target / volume;
    if (vertices[b]!.length === 0) continue;
    if (Math.abs(volume - target) <= SCALE_ABOVE * Math.abs(target) || !(ratio > 1 / MOST_SCALE && ratio < MOST_SCALE))
      continue;
    scaleAbout(positions, vertices[b]!, Math.cbrt(ratio));
    for (let i = 0; i < blocks[b]!.length; i++) report.volumes[blocks[b]![i]!]! *= ratio;
    any = true;
  }
  return any;
}

/** Scales the listed vertices about their mean. */
function scaleAbout(positions: Float64Array, vertices: Uint32Array, scale: number): void {
  for (let r = 0; r < 3; r++) {
    let mean = 0;
    for (let i = 0; i < vertices.length; i++) mean += positions[3 * vertices[i]! + r]! / vertices.length;
    for (let i = 0; i < vertices.length; i++) {
      const at = 3 * vertices[i]! + r;
      positions[at] = mean + scale * (positions[at]! - mean);
    }
  }
}

/** Vertices of the component of every block; none where a vertex must not move (γ = 0): such a component is never scaled. */
function listComponentVertices(
  { character, regions, gamma }: SolverContext,
  blocks: readonly Uint32Array[],
): Uint32Array[] {
  const lists: number[][] = character.surface.components.map(() => []);
  const fixed = new Set<number>();
  const { vertexComponent } = character.surface;
  for (let k = 0; k < vertexComponent.length; k++) {
    lists[vertexComponent[k]!]?.push(k);
    if (gamma[k] === 0) fixed.add(vertexComponent[k]!);
  }
  return blocks.map((block) => {
    const component = regions.component[block[0]!]!;
    return Uint32Array.from(fixed.has(component) ? [] : lists[component]!);
  });
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
