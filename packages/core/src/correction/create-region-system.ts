/**
 * The step of C17 for one component while V is linear in λ: semismooth Newton on E (amount-energy.ts), damped after Levenberg and Marquardt.
 *
 *   (Gᵀ Q G + D + σ) Δλ = −(Gᵀ p + d)
 *
 *   G = W J,  W = 1/w,  J_st = ∂V_s/∂λ_t         p_s = q_s r_s + a_s P_s (a_s r_s − b_s),   Q_s = q_s + |a_s| P_s
 *   a_s = sgn r_s where |r_s| > b_s, else 0: which bounds push (create-step-model.ts)
 *   d_s = ½ C_s β′(λ_s),  D_s = ½ C_s β″(λ_s)     σ = SOFTNESS · mean r² (+ rounding)
 *
 * The matrix is symmetric and positive; it is factored inside its envelope, as shapes reach few regions. O(K³) at most.
 */
import { factorEnvelope, solveEnvelope } from '../linear-algebra/factor-envelope.js';
import { type AmountState, asks, measureCurvature, measureSlope } from './amount-energy.js';

/** σ = SOFTNESS · mean square of the relative volume errors: it vanishes quadratically where the regions can be met. */
export const SOFTNESS = 0.01;
/** Least σ: what is left of it when all regions are met keeps the system regular, and is far below what a step needs. */
export const LEAST_SOFTNESS = 1e-10;

/** Added to the unit diagonal: shapes that do the same to every region share a step. */
const DAMPING = 1e-8;

export interface RegionSystem {
  /** Δλ of the component's regions into `delta` (of all regions) from errors and amounts of all regions; false: there is no step. */
  solve(delta: Float64Array, residual: Float64Array, lambda: Float64Array, jacobian: Float64Array): boolean;
}

/** @param block regions of the component. @param reach its cells of J. @param free which of all regions take part (1) or stay where they are (0). */
export function createRegionSystem(
  block: Uint32Array,
  reach: RegionCells,
  free: Float64Array,
  state: AmountState,
  active: Int8Array,
): RegionSystem {
  const n = block.length;
  const matrix = new Float64Array(n * n);
  const rhs = new Float64Array(n);
  const scaling = new Float64Array(n);
  // Rows of G without their zeroes.
  const starts = new Uint32Array(n + 1);
  const columns = new Uint32Array(n * n);
  const entries = new Float64Array(n * n);
  const { cells, columns: cellColumns, starts: cellStarts } = reach;
  const firsts = new Uint32Array(n); // envelope of the matrix
  const { scales, bounds, penalties } = state;

  function gatherRows(jacobian: Float64Array): void {
    let count = 0;
    for (let r = 0; r < n; r++) {
      const weight = 1 / scales[block[r]!]!;
      for (let c = cellStarts[r]!; c < cellStarts[r + 1]!; c++) {
        const entry = jacobian[cells[c]!]! * free[block[cellColumns[c]!]!]!;
        if (entry === 0) continue;
        columns[count] = cellColumns[c]!;
        entries[count++] = entry * weight;
      }
      starts[r + 1] = count;
    }
  }

  /** Adds Gᵀ Q G to the lower triangle and −Gᵀ p to the right side. */
  function addErrors(residual: Float64Array): void {
    for (let r = 0; r < n; r++) {
      const s = block[r]!;
      const a = active[s]!;
      const asked = asks(state, s);
      const weight = a === 0 ? asked : asked + penalties[s]!;
      const own = asked * residual[s]!;
      const pull = a === 0 ? own : own + a * penalties[s]! * (a * residual[s]! - bounds[s]!);
      const from = starts[r]!;
      for (let c = from; c < starts[r + 1]!; c++) {
        const i = columns[c]!;
        const entry = weight * entries[c]!;
        firsts[i] = Math.min(firsts[i]!, columns[from]!);
        rhs[i]! -= pull * entries[c]!;
        for (let d = from; d <= c; d++) matrix[i * n + columns[d]!]! += entry * entries[d]!;
      }
    }
  }

  /** Adds D and −d. */
  function addPrices(lambda: Float64Array): void {
    for (let i = 0; i < n; i++) {
      const s = block[i]!;
      if (free[s] === 0) continue;
      rhs[i]! -= measureSlope(state, s, lambda[s]!);
      matrix[i * n + i]! += measureCurvature(state, s, lambda[s]!);
    }
  }

  return {
    solve(delta, residual, lambda, jacobian) {
      let sigma = LEAST_SOFTNESS;
      for (let i = 0; i < n; i++) {
        sigma += (SOFTNESS * asks(state, block[i]!) * residual[block[i]!]! ** 2) / n;
        firsts[i] = i;
      }
      matrix.fill(0);
      rhs.fill(0);
      gatherRows(jacobian);
      addErrors(residual);
      addPrices(lambda);
      equilibrate(matrix, scaling, firsts, n, sigma);
      if (!factorEnvelope(matrix, firsts, n, n)) return false;
      for (let i = 0; i < n; i++) rhs[i]! *= scaling[i]!;
      solveEnvelope(matrix, firsts, rhs, n, n);
      let isUsable = true;
      for (let i = 0; i < n; i++) {
        delta[block[i]!] = rhs[i]! * scaling[i]!;
        isUsable &&= Number.isFinite(rhs[i]!);
      }
      return isUsable;
    },
  };
}

/** Cells of J (K×K) that can differ from 0 in the rows and columns of a component, row by row, and their columns in the system. */
export interface RegionCells {
  readonly cells: Uint32Array;
  readonly columns: Uint32Array;
  readonly starts: Uint32Array;
}

export function listCells(
  block: Uint32Array,
  K: number,
  canMove: (s: number, t: number) => boolean = () => true,
): RegionCells {
  const cells: number[] = [];
  const columns: number[] = [];
  const starts = new Uint32Array(block.length + 1);
  for (const [r, s] of block.entries()) {
    for (const [i, t] of block.entries()) {
      if (!canMove(s, t)) continue;
      cells.push(s * K + t);
      columns.push(i);
    }
    starts[r + 1] = cells.length;
  }
  return { cells: Uint32Array.from(cells), columns: Uint32Array.from(columns), starts };
}

/** Adds σ and scales the unknowns so that the diagonal is 1: regions of very different size then share one system. */
function equilibrate(matrix: Float64Array, scaling: Float64Array, firsts: Uint32Array, n: number, sigma: number): void {
  for (let i = 0; i < n; i++) scaling[i] = 1 / Math.sqrt(matrix[i * n + i]! + sigma);
  for (let i = 0; i < n; i++) {
    for (let j = firsts[i]!; j < i; j++) matrix[i * n + j]! *= scaling[i]! * scaling[j]!;
    matrix[i * n + i] = 1 + DAMPING;
  }
}
