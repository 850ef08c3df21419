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
import { planLinks } from './plan-links.js';
import { planNormalExact } from './plan-normal-exact.js';
import { NORMAL_CHECKS, NORMAL_DEFAULTS, type NormalOptions } from './plan-normal-linear.js';
import {
  EMPTY_SHARE,
  finishReport,
  IDLE_CHANGE,
  measureFields,
  planRegionFields,
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
  const { volumes, regions, gamma, character } = context;
  const links = planLinks(volumes);
  if (links.vertices.every((k) => gamma[k] === 0)) return planNormalExact(context, options);

  const { along, tolerance, maxSteps } = { ...NORMAL_DEFAULTS, ...REGIONS_EXACT_DEFAULTS, ...options };
  const fields = planRegionFields(context, options);
  const { movable, weights, limits, gradients, componentVolumes } = fields;
  const count = character.surface.vertexCount;
  const blocks = listBlocks(regions.component, character.surface.components.length);
  const size = Math.max(1, ...blocks.map((block) => block.length));
  const matrix = new Float64Array(size * size);
  const rhs = new Float64Array(size);
  const pivots = new Uint32Array(size);
  const row = new Int32Array(regions.count); // place of a region in its block
  for (const block of blocks) {
    for (const [i, s] of block.entries()) row[s] = i;
  }

  const origins = new Float64Array(3 * count);
  const directions = new Float64Array(3 * count);
  const amounts = new Float64Array(count);
  const field = new Float64Array(count); // γ g at the vertices of one region
  const linkField = new Float64Array(links.pairs.length); // γ g at each pair of a shared vertex
  const lambda = new Float64Array(regions.count);
  const step = new Float64Array(regions.count);
  const errors = new Float64Array(blocks.length);
  const settled = new Uint8Array(blocks.length);

  const dotAt = (g: Float64Array, at: number, k: number): number =>
    g[3 * at]! * directions[3 * k]! + g[3 * at + 1]! * directions[3 * k + 1]! + g[3 * at + 2]! * directions[3 * k + 2]!;

  const measureField = (): void => {
    for (const k of movable.values) field[k] = weights[k]! * dotAt(gradients.areas, k, k);
    for (let n = 0; n < links.pairs.length; n++) {
      const p = links.pairs[n]!;
      const k = volumes.pairVertex[p]!;
      linkField[n] = weights[k]! * dotAt(gradients.pairs, p, k);
    }
  };

  /** Moves one vertex by at most its limit; true when the limit was met. */
  const put = (y: Float64Array, k: number, wish: number): boolean => {
    const amount = Math.max(-limits[k]!, Math.min(limits[k]!, wish));
    amounts[k] = wish;
    for (let i = 3 * k; i < 3 * k + 3; i++) y[i] = origins[i]! + amount * directions[i]!;
    return amount !== wish;
  };

  /** y = x + clamp(ρ) n with ρ = Σ_s (λ + share · step)_s γ g_s; true when a limit was met. */
  const place = (y: Float64Array, share: number): boolean => {
    let limited = false;
    for (let s = 0; s < regions.count; s++) {
      const factor = lambda[s]! + share * step[s]!;
      for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
        if (put(y, movable.values[n]!, factor * field[movable.values[n]!]!)) limited = true;
      }
    }
    for (let v = 0; v < links.vertices.length; v++) {
      let wish = 0;
      for (let n = links.offsets[v]!; n < links.offsets[v + 1]!; n++) {
        const s = volumes.pairRegion[links.pairs[n]!]!;
        wish += (lambda[s]! + share * step[s]!) * linkField[n]!;
      }
      if (put(y, links.vertices[v]!, wish)) limited = true;
    }
    return limited;
  };

  /** J of one block at the measured surface; a region that cannot change its volume gets an empty row and dλ = 0. */
  const fillBlock = (block: readonly number[], targets: Float64Array): void => {
    const n = block.length;
    matrix.fill(0, 0, n * n);
    for (const s of block) {
      let sum = 0;
      for (let m = movable.offsets[s]!; m < movable.offsets[s + 1]!; m++) {
        const k = movable.values[m]!;
        if (Math.abs(amounts[k]!) <= limits[k]!) sum += field[k]! * dotAt(gradients.areas, k, k);
      }
      matrix[row[s]! * n + row[s]!] = sum;
      rhs[row[s]!] = targets[s]! - gradients.volumes[s]!;
    }
    const component = regions.component[block[0]!]!;
    for (let v = 0; v < links.vertices.length; v++) {
      const k = links.vertices[v]!;
      if (character.surface.vertexComponent[k] !== component || Math.abs(amounts[k]!) > limits[k]!) continue;
      for (let a = links.offsets[v]!; a < links.offsets[v + 1]!; a++) {
        const slope = dotAt(gradients.pairs, links.pairs[a]!, k);
        const i = row[volumes.pairRegion[links.pairs[a]!]!]! * n;
        for (let b = links.offsets[v]!; b < links.offsets[v + 1]!; b++) {
          matrix[i + row[volumes.pairRegion[links.pairs[b]!]!]!]! += slope * linkField[b]!;
        }
      }
    }
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(matrix[i * n + i]!));
    for (const s of block) {
      const i = row[s]!;
      const dead = !(Math.abs(matrix[i * n + i]!) > 1e-12 * largest);
      if (!dead && Math.abs(targets[s]!) > EMPTY_SHARE * componentVolumes[s]!) continue;
      for (let j = 0; j < n; j++) matrix[i * n + j] = matrix[j * n + i] = 0;
      matrix[i * n + i] = 1;
      rhs[i] = 0;
    }
  };

  const blockError = (block: readonly number[], targets: Float64Array): number => {
    let worst = 0;
    for (const s of block) {
      if (Math.abs(targets[s]!) > EMPTY_SHARE * componentVolumes[s]!)
        worst = Math.max(worst, relativeError(fields, targets, s));
    }
    return worst;
  };

  const apply = (frame: SolverFrame): void => {
    const { positions, targets, report } = frame;
    startReport(frame);
    measureFields(fields, positions);
    report.evaluations = 1;
    origins.set(positions.subarray(0, 3 * count));
    directions.set((along === 'field' ? frame.directions : fields.normals).subarray(0, 3 * count));
    measureField();
    lambda.fill(0);
    step.fill(0);
    amounts.fill(0);
    let busy = false;
    for (const [b, block] of blocks.entries()) {
      errors[b] = blockError(block, targets);
      settled[b] = errors[b]! > IDLE_CHANGE ? 0 : 1;
      busy ||= settled[b] === 0;
    }
    for (let n = 0; busy && n < maxSteps; n++) {
      busy = false;
      step.fill(0);
      for (const [b, block] of blocks.entries()) {
        if (settled[b]) continue;
        fillBlock(block, targets);
        if (!solveDense(matrix, rhs, block.length, pivots)) {
          settled[b] = 1;
          continue;
        }
        for (const s of block) step[s] = rhs[row[s]!]!;
      }
      busy = advance(frame, tolerance);
    }
    finishReport(fields, frame);
  };

  /** Takes `step`, halved for the blocks that it makes worse; false when every block has settled. */
  const advance = (frame: SolverFrame, enough: number): boolean => {
    const { positions, targets, report } = frame;
    for (let halving = 0; ; halving++) {
      report.limited = place(positions, 1);
      measureFields(fields, positions, true);
      report.evaluations++;
      let worse = false;
      for (const [b, block] of blocks.entries()) {
        if (settled[b] || blockError(block, targets) < errors[b]!) continue;
        worse = true;
        // No further progress: back to where this block was.
        const share = halving === HALVINGS || errors[b]! < 1e-10 ? 0 : 0.5;
        for (const s of block) step[s]! *= share;
        if (share === 0) settled[b] = 1;
      }
      if (!worse) break;
    }
    let busy = false;
    for (let s = 0; s < regions.count; s++) lambda[s]! += step[s]!;
    for (const [b, block] of blocks.entries()) {
      if (settled[b]) continue;
      errors[b] = blockError(block, targets);
      if (errors[b]! <= enough) settled[b] = 1;
      busy ||= !settled[b];
    }
    return busy;
  };
  return { apply };
}

/** Regions of each component that has any. */
function listBlocks(component: Uint32Array, count: number): number[][] {
  const blocks: number[][] = Array.from({ length: count }, () => []);
  for (const [s, c] of component.entries()) blocks[c]!.push(s);
  return blocks.filter((block) => block.length > 0);
}
