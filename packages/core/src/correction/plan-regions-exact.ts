/**
 * C11. All regions exact at once, along the normals, with the least displacement.
 *
 *   minimise Σ ρ_k²/γ_k  subject to  V_s(x + ρn) = V̄_s  ⇒  ρ_k = γ_k Σ_s λ_s g_sk,   g_sk = ⟨n_k, ∂V_s/∂x_k⟩
 *   Newton on λ:  J dλ = V̄ − V(y),   J_st = Σ_k ⟨n_k, ∂V_s/∂x_k(y)⟩ γ_k g_tk
 *
 * The field (γ, n, g) is that of the skinned surface; J mixes new gradients with it, so it is not symmetric after the first
 * step: LU, K×K per component. A step that makes things worse is halved. Vertices at their displacement limit stay there.
 * Where γ is 0 on all borders J is diagonal and every region is its own cubic (C6). O(#T + K³) per step, 4–5 steps.
 */
import { number } from '../check-json.js';
import { solveDense } from '../linear-algebra/solve-dense.js';
import { type Links, planLinks } from './plan-links.js';
import { planNormalExact } from './plan-normal-exact.js';
import { NORMAL_CHECKS, NORMAL_DEFAULTS, type NormalOptions } from './plan-normal-linear.js';
import {
  EMPTY_SHARE,
  finishReport,
  IDLE_CHANGE,
  measureFields,
  planRegionFields,
  type RegionFields,
  relativeError,
  startReport,
} from './plan-region-fields.js';
import type { SolverContext, SolverFrame, VolumeMethod, VolumeSolver } from './volume-solver.js';

export interface RegionsExactOptions extends NormalOptions {
  /** Largest relative error of a region that is good enough. */
  readonly tolerance?: number;
  readonly maxSteps?: number;
}

export const REGIONS_EXACT_DEFAULTS = { tolerance: 1e-13, maxSteps: 30 } as const satisfies RegionsExactOptions;

const HALVINGS = 8;

export const regionsExact: VolumeMethod = {
  plan: planRegionsExact,
  options: { ...NORMAL_CHECKS, tolerance: number(0, 1), maxSteps: number(1, 1000) },
};

export function planRegionsExact(context: SolverContext, options: RegionsExactOptions = {}): VolumeSolver {
  const links = planLinks(context.volumes);
  if (links.vertices.every((k) => context.gamma[k] === 0)) return planNormalExact(context, options);
  return new RegionsExact(context, links, options);
}

class RegionsExact implements VolumeSolver {
  private readonly options: Required<Pick<RegionsExactOptions, 'along' | 'tolerance' | 'maxSteps'>>;
  private readonly fields: RegionFields;
  /** Regions of each component that has any: a system each. */
  private readonly systems: readonly (readonly number[])[];
  /** Place of a region in its system. */
  private readonly row: Int32Array;
  private readonly matrix: Float64Array;
  private readonly rhs: Float64Array;
  private readonly pivots: Uint32Array<ArrayBuffer>;
  private readonly origins: Float64Array;
  private readonly directions: Float64Array;
  private readonly amounts: Float64Array;
  /** γ g at the vertices of one region, and at each pair of a shared vertex. */
  private readonly field: Float64Array;
  private readonly linkField: Float64Array;
  private readonly lambda: Float64Array;
  private readonly step: Float64Array;
  private readonly errors: Float64Array;
  private readonly settled: Uint8Array;

  constructor(
    private readonly context: SolverContext,
    private readonly links: Links,
    options: RegionsExactOptions,
  ) {
    const { regions, character } = context;
    const count = character.surface.vertexCount;
    this.options = { ...NORMAL_DEFAULTS, ...REGIONS_EXACT_DEFAULTS, ...options };
    this.fields = planRegionFields(context, options);
    const systems: number[][] = character.surface.components.map(() => []);
    for (const [s, c] of regions.component.entries()) systems[c]!.push(s);
    this.systems = systems.filter((system) => system.length > 0);
    this.row = new Int32Array(regions.count);
    for (const system of this.systems) for (const [i, s] of system.entries()) this.row[s] = i;
    const size = Math.max(1, ...this.systems.map((system) => system.length));
    this.matrix = new Float64Array(size * size);
    this.rhs = new Float64Array(size);
    this.pivots = new Uint32Array(size);
    this.origins = new Float64Array(3 * count);
    this.directions = new Float64Array(3 * count);
    this.amounts = new Float64Array(count);
    this.field = new Float64Array(count);
    this.linkField = new Float64Array(links.pairs.length);
    this.lambda = new Float64Array(regions.count);
    this.step = new Float64Array(regions.count);
    this.errors = new Float64Array(this.systems.length);
    this.settled = new Uint8Array(this.systems.length);
  }

  apply(frame: SolverFrame): void {
    const { fields, step, settled, matrix, rhs } = this;
    const { positions, targets, report } = frame;
    startReport(frame);
    measureFields(fields, positions);
    report.evaluations = 1;
    this.start(frame);
    let busy = false;
    for (const [b, system] of this.systems.entries()) {
      this.errors[b] = this.measureError(system, targets);
      settled[b] = this.errors[b]! > IDLE_CHANGE ? 0 : 1;
      busy ||= settled[b] === 0;
    }
    for (let n = 0; busy && n < this.options.maxSteps; n++) {
      busy = false;
      step.fill(0);
      for (const [b, system] of this.systems.entries()) {
        if (settled[b]) continue;
        this.fillSystem(system, targets);
        if (!solveDense(matrix, rhs, system.length, this.pivots)) {
          settled[b] = 1;
          continue;
        }
        for (const s of system) step[s] = rhs[this.row[s]!]!;
      }
      busy = this.advance(frame);
    }
    finishReport(fields, frame);
  }

  /** The field (γ, n, g) of the skinned surface. */
  private start(frame: SolverFrame): void {
    const { fields, field, linkField, links, directions } = this;
    const { movable, weights, gradients, normals } = fields;
    this.origins.set(frame.positions.subarray(0, this.origins.length));
    directions.set((this.options.along === 'field' ? frame.directions : normals).subarray(0, directions.length));
    for (const k of movable.values) field[k] = weights[k]! * this.dotAt(gradients.areas, k, k);
    for (let n = 0; n < links.pairs.length; n++) {
      const k = this.context.volumes.pairVertex[links.pairs[n]!]!;
      linkField[n] = weights[k]! * this.dotAt(gradients.pairs, links.pairs[n]!, k);
    }
    this.lambda.fill(0);
    this.step.fill(0);
    this.amounts.fill(0);
  }

  /** Takes `step`, halved for the systems that it makes worse; false when every system has settled. */
  private advance({ positions, targets, report }: SolverFrame): boolean {
    const { systems, step, settled, errors, lambda } = this;
    for (let halving = 0; ; halving++) {
      report.limited = this.place(positions);
      measureFields(this.fields, positions, true);
      report.evaluations++;
      let worse = false;
      for (const [b, system] of systems.entries()) {
        if (settled[b] || this.measureError(system, targets) < errors[b]!) continue;
        worse = true;
        // No further progress: back to where this system was.
        const share = halving === HALVINGS || errors[b]! < 1e-10 ? 0 : 0.5;
        for (const s of system) step[s]! *= share;
        if (share === 0) settled[b] = 1;
      }
      if (!worse) break;
    }
    let busy = false;
    for (let s = 0; s < lambda.length; s++) lambda[s]! += step[s]!;
    for (const [b, system] of systems.entries()) {
      if (settled[b]) continue;
      errors[b] = this.measureError(system, targets);
      if (errors[b]! <= this.options.tolerance) settled[b] = 1;
      busy ||= !settled[b];
    }
    return busy;
  }

  /** y = x + clamp(ρ) n with ρ = Σ_s (λ + step)_s γ g_s; true when a limit was met. */
  private place(y: Float64Array): boolean {
    const { links, lambda, step, field, linkField } = this;
    const { movable } = this.fields;
    let limited = false;
    for (let s = 0; s < lambda.length; s++) {
      const factor = lambda[s]! + step[s]!;
      for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
        if (this.put(y, movable.values[n]!, factor * field[movable.values[n]!]!)) limited = true;
      }
    }
    for (let v = 0; v < links.vertices.length; v++) {
      let wish = 0;
      for (let n = links.offsets[v]!; n < links.offsets[v + 1]!; n++) {
        const s = this.context.volumes.pairRegion[links.pairs[n]!]!;
        wish += (lambda[s]! + step[s]!) * linkField[n]!;
      }
      if (this.put(y, links.vertices[v]!, wish)) limited = true;
    }
    return limited;
  }

  /** Moves one vertex by at most its limit; true when the limit was met. */
  private put(y: Float64Array, k: number, wish: number): boolean {
    const { limits } = this.fields;
    const amount = Math.max(-limits[k]!, Math.min(limits[k]!, wish));
    this.amounts[k] = wish;
    for (let i = 3 * k; i < 3 * k + 3; i++) y[i] = this.origins[i]! + amount * this.directions[i]!;
    return amount !== wish;
  }

  /** J of one system at the measured surface; a region that cannot change its volume gets an empty row and dλ = 0. */
  private fillSystem(system: readonly number[], targets: Float64Array): void {
    const { matrix, rhs, row, field, amounts } = this;
    const { movable, limits, gradients, componentVolumes } = this.fields;
    const n = system.length;
    matrix.fill(0, 0, n * n);
    for (const s of system) {
      let sum = 0;
      for (let m = movable.offsets[s]!; m < movable.offsets[s + 1]!; m++) {
        const k = movable.values[m]!;
        if (Math.abs(amounts[k]!) <= limits[k]!) sum += field[k]! * this.dotAt(gradients.areas, k, k);
      }
      matrix[row[s]! * n + row[s]!] = sum;
      rhs[row[s]!] = targets[s]! - gradients.volumes[s]!;
    }
    this.addLinks(this.context.regions.component[system[0]!]!, n);
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(matrix[i * n + i]!));
    for (const s of system) {
      const i = row[s]!;
      const dead = !(Math.abs(matrix[i * n + i]!) > 1e-12 * largest);
      if (!dead && Math.abs(targets[s]!) > EMPTY_SHARE * componentVolumes[s]!) continue;
      for (let j = 0; j < n; j++) matrix[i * n + j] = matrix[j * n + i] = 0;
      matrix[i * n + i] = 1;
      rhs[i] = 0;
    }
  }

  /** What vertices in several regions add to J. */
  private addLinks(component: number, n: number): void {
    const { links, row, matrix, linkField, fields } = this;
    const { character, volumes } = this.context;
    for (let v = 0; v < links.vertices.length; v++) {
      const k = links.vertices[v]!;
      const isHeld = Math.abs(this.amounts[k]!) > fields.limits[k]!;
      if (isHeld || character.surface.vertexComponent[k] !== component) continue;
      for (let a = links.offsets[v]!; a < links.offsets[v + 1]!; a++) {
        const slope = this.dotAt(fields.gradients.pairs, links.pairs[a]!, k);
        const i = row[volumes.pairRegion[links.pairs[a]!]!]! * n;
        for (let b = links.offsets[v]!; b < links.offsets[v + 1]!; b++) {
          matrix[i + row[volumes.pairRegion[links.pairs[b]!]!]!]! += slope * linkField[b]!;
        }
      }
    }
  }

  /** Largest relative error of a system's regions. */
  private measureError(system: readonly number[], targets: Float64Array): number {
    let worst = 0;
    for (const s of system) {
      if (!(Math.abs(targets[s]!) > EMPTY_SHARE * this.fields.componentVolumes[s]!)) continue;
      worst = Math.max(worst, relativeError(this.fields, targets, s));
    }
    return worst;
  }

  private dotAt(g: Float64Array, at: number, k: number): number {
    const { directions: n } = this;
    return g[3 * at]! * n[3 * k]! + g[3 * at + 1]! * n[3 * k + 1]! + g[3 * at + 2]! * n[3 * k + 2]!;
  }
}
