/**
 * C11 with planned bases: every region exact where the shape allows it, the total exact always, and a smooth skin.
 *
 *   y_k = x_k + ρ_k n_k,   ρ_k = m_k r_k S(Σ_s λ_s φ_sk / r_k)
 *
 *   minimise  Σ_s ((V_s(y) − V̄_s)/w_s)² + σ|λ|²   subject to  Σ_s V_s(y) = Σ_s V̄_s   (for each component)
 *
 * φ_s  planned bases;  n  smoothed direction field, turned with the skin;  r_k  room: share of the local thickness;
 * S(z) = z/(1+z⁴)^¼ keeps |ρ_k| < r_k smoothly;  m_k  activity: 0 inside regions whose volume did not change, so that they stay
 * exactly where they are, and a smooth fade around them;  w_s = max(|V̄_s|, floor).
 *
 * Gauss–Newton on λ. σ follows the mean square of the residuals, so it vanishes quadratically where the regions can be met
 * and stays where they cannot: soft to exact without a switch, and the result is a continuous function of the pose. Each
 * step is one pass over the triangles (volumes *and* gradients) and a K×K solve.
 *
 * Based on: Rohmer, Hahmann, Cani 2008, eq. 5 (one scalar per region); the rest is METHODS C11.
 */
import { solveDense } from '../linear-algebra/solve-dense.js';
import { listRegionVertices } from '../regions/list-region-vertices.js';
import { createRegionEvaluator } from './evaluate-regions.js';
import { createVertexTable, planBases, type VertexValues } from './plan-bases.js';
import { applySweep } from './plan-directions.js';
import type { SolverContext, SolverFrame, VolumeSolver } from './volume-solver.js';

export interface RegionsSmoothOptions {
  /** κ of the planned bases, for a surface of 2 500 vertices; finer surfaces get more, so that bumps keep their width. */
  readonly smoothing?: number;
  /** Largest displacement, as a share of the local thickness. */
  readonly limit?: number;
  /** Sweeps that smooth the direction field on every frame. */
  readonly sweeps?: number;
  /** Relative volume error at which regions count as exact. */
  readonly tolerance?: number;
  /** Most Gauss–Newton steps. */
  readonly steps?: number;
}

export const REGIONS_SMOOTH_DEFAULTS = { smoothing: 50, limit: 0.6, sweeps: 1, tolerance: 1e-9, steps: 14 };

/** Below this relative change a region is at rest: nothing in it moves. */
const IDLE = 1e-12;
/** Relative change from which a region moves freely; below, its displacements fade with the change. */
const ACTIVE = 5e-3;
/** σ = SOFTNESS · mean square of the relative volume errors. */
const SOFTNESS = 0.02;
/** Longest step of λ (λ_s = 1 adds a region's own volume): longer ones are shortened, smoothly. */
const LONGEST_STEP = 0.5;
/** Rings over which displacements fade out around a region at rest. */
const FADE_RINGS = 4;
/** The total is made exact to this, relative. */
const TOTAL_TOLERANCE = 1e-13;
const TOTAL_STEPS = 6;

export function planRegionsSmooth(context: SolverContext, options: RegionsSmoothOptions = {}): VolumeSolver {
  const { smoothing, limit, sweeps, tolerance, steps } = { ...REGIONS_SMOOTH_DEFAULTS, ...options };
  const { volumes, character, kernels, regions } = context;
  const { surface } = character;
  const count = surface.vertexCount;
  const K = volumes.regionCount;
  const bases = planBases(surface, volumes, softenThinParts(context), { smoothing: scaleSmoothing(smoothing, count) });
  const halo = planHalo(context);
  const blocks = groupByComponent(regions.component, K);

  const x = new Float64Array(3 * count);
  const fields = [new Float64Array(3 * count), new Float64Array(3 * count)] as const;
  const room = context.thickness.map((t) => limit * t);
  const fade = new Float64Array(count);
  const lambda = new Float64Array(K);
  const activity = new Float64Array(K);
  const floors = new Float64Array(K);
  const residual = new Float64Array(K);
  const matrix = new Float64Array((K + 1) * (K + 1));
  const rhs = new Float64Array(K + 1);
  const evaluator = createRegionEvaluator(context, bases);
  const { volumes: V, jacobian } = evaluator;
  scaleBases();

  /** Scales φ_s so that λ_s = 1 adds the region's own volume at rest, to first order. */
  function scaleBases(): void {
    const reach = evaluator.measureReach();
    for (let e = 0; e < bases.values.length; e++) {
      const s = bases.regions[e]!;
      if (reach[s]! > 0) bases.values[e]! *= Math.abs(V[s]!) / reach[s]!;
    }
  }

  function apply(frame: SolverFrame): void {
    const { positions, targets, report } = frame;
    report.fallback = '';
    report.limited = false;
    report.evaluations = 1;
    lambda.fill(0);
    evaluator.measureVolumes(positions);
    if (measureActivity(targets)) {
      x.set(positions.subarray(0, 3 * count));
      measureFade(fade, halo, activity);
      const directions = smoothDirections(frame.directions);
      const input = { positions: x, directions, ...bases, lambda, fade, room };
      for (let step = 0; step < steps; step++) {
        evaluate(frame, input);
        if (measureResidual(targets) < tolerance) break;
        for (const block of blocks) stepRegions(block, targets);
      }
      for (let step = 0; step < TOTAL_STEPS && stepTotals(targets); step++) evaluate(frame, input);
    }
    report.volumes.set(V);
    for (let s = 0; s < K; s++) {
      report.inexact[s] = Math.abs(V[s]! - targets[s]!) > 1e-6 * floors[s]! ? 1 : 0;
      if (report.inexact[s]) report.limited = true;
    }
  }

  /** y(λ) into frame.positions, V_s(y) and ∂V_s/∂λ_t. */
  function evaluate(frame: SolverFrame, input: Parameters<typeof kernels.displace>[2]): void {
    kernels.displace(frame.positions, evaluator.slopes, input, 0, count);
    evaluator.measureJacobian(frame.positions, input.directions);
    frame.report.evaluations++;
  }

  /** Activity of every region from its change; false when all are at rest. */
  function measureActivity(targets: Float64Array): boolean {
    let busy = false;
    for (let s = 0; s < K; s++) {
      const whole = Math.abs(surface.components[regions.component[s]!]!.volume);
      floors[s] = Math.max(Math.abs(targets[s]!), 1e-3 * whole);
      const change = Math.abs(V[s]! - targets[s]!) / floors[s]!;
      activity[s] = change < IDLE ? 0 : change / (change + ACTIVE);
      busy ||= activity[s]! > 0;
    }
    return busy;
  }

  function smoothDirections(turned: Float64Array): Float64Array {
    let from = turned;
    for (let n = 0; n < sweeps; n++) {
      applySweep(fields[n & 1]!, from, surface);
      from = fields[n & 1]!;
    }
    return from;
  }

  function measureResidual(targets: Float64Array): number {
    let worst = 0;
    for (let s = 0; s < K; s++) {
      residual[s] = (V[s]! - targets[s]!) / floors[s]!;
      worst = Math.max(worst, Math.abs(residual[s]!));
    }
    return worst;
  }

  /** One Gauss–Newton step of a component's λ under the exact row of its total. */
  function stepRegions(block: Uint32Array, targets: Float64Array): void {
    const n = block.length;
    const m = n + 1;
    let missing = 0;
    let scale = 0;
    let sigma = 0;
    for (const s of block) {
      missing += V[s]! - targets[s]!;
      scale += floors[s]!;
      sigma += (SOFTNESS * residual[s]! * residual[s]!) / n;
    }
    if (sigma === 0) return;
    matrix.fill(0, 0, m * m);
    for (let i = 0; i < n; i++) {
      let gradient = sigma * lambda[block[i]!]!;
      for (const s of block) {
        const slope = jacobian[s * K + block[i]!]!;
        if (slope === 0) continue;
        const scaled = slope / floors[s]!;
        gradient += scaled * residual[s]!;
        matrix[i * m + n]! += slope / scale;
        for (let c = 0; c < n; c++) matrix[i * m + c]! += (scaled * jacobian[s * K + block[c]!]!) / floors[s]!;
      }
      matrix[n * m + i] = matrix[i * m + n]!;
      matrix[i * m + i]! += sigma;
      rhs[i] = -gradient;
    }
    rhs[n] = -missing / scale;
    if (!solveDense(matrix, rhs, m)) return;
    let square = 0;
    for (let i = 0; i < n; i++) square += rhs[i]! * rhs[i]!;
    const shorten = 1 / Math.sqrt(1 + square / (LONGEST_STEP * LONGEST_STEP));
    for (let i = 0; i < n; i++) lambda[block[i]!]! += shorten * rhs[i]!;
  }

  /** Newton on the components' totals alone, along their gradient; false when all are exact. */
  function stepTotals(targets: Float64Array): boolean {
    let again = false;
    for (const block of blocks) {
      let missing = 0;
      let whole = 0;
      for (const s of block) {
        missing += V[s]! - targets[s]!;
        whole += Math.abs(targets[s]!);
      }
      if (Math.abs(missing) <= TOTAL_TOLERANCE * whole) continue;
      let square = 0;
      for (let i = 0; i < block.length; i++) {
        rhs[i] = 0;
        for (const s of block) rhs[i]! += jacobian[s * K + block[i]!]!;
        square += rhs[i]! * rhs[i]!;
      }
      if (!(square > 0)) continue;
      for (let i = 0; i < block.length; i++) lambda[block[i]!]! -= (missing * rhs[i]!) / square;
      again = true;
    }
    return again;
  }

  return { apply };
}

/** κ for `count` vertices: a bump of κ^¼ edges keeps its width on the body, up to 10 edges. */
function scaleSmoothing(smoothing: number, count: number): number {
  return Math.min(Math.max(smoothing, 1e4), smoothing * Math.max(1, (count / 2500) ** 2));
}

/** γ times the local thickness (up to its median): thin parts move little. */
function softenThinParts({ gamma, thickness }: SolverContext): Float64Array {
  const median = Float64Array.from(thickness).sort()[thickness.length >> 1]! || 1;
  return gamma.map((value, k) => value * Math.min(1, thickness[k]! / median));
}

function groupByComponent(component: Uint32Array, count: number): Uint32Array[] {
  const lists = new Map<number, number[]>();
  for (let s = 0; s < count; s++) {
    const list = lists.get(component[s]!) ?? [];
    list.push(s);
    lists.set(component[s]!, list);
  }
  return [...lists.values()].map((list) => Uint32Array.from(list));
}

/** ψ_s: 1 on region s, fading smoothly over a few rings around it. */
function planHalo({ volumes, character }: SolverContext): VertexValues {
  const list = listRegionVertices(volumes, character.surface, FADE_RINGS - 1);
  const table = createVertexTable(character.surface.vertexCount);
  for (let s = 0; s < volumes.regionCount; s++) {
    const { vertices, rings } = list(s);
    for (let i = 0; i < vertices.length; i++) {
      const z = rings[i]! / FADE_RINGS;
      table.add(vertices[i]!, s, 1 - z * z * (3 - 2 * z));
    }
  }
  return table.finish();
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
