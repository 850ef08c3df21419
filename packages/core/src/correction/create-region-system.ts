/**
 * The Levenberg–Marquardt step of C15 for one component: residuals of its regions, under the exact row of their sum.
 *
 *   ⎡ JᵀW²J + σ   c ⎤ ⎡ Δλ ⎤     ⎡ JᵀW r      ⎤
 *   ⎣ cᵀ          0 ⎦ ⎣ ν  ⎦ = − ⎣ Σ w_s r_s/W̄ ⎦
 *
 * r_s = (V_s − V̄_s)/w_s;  w_s  scales, W = 1/w;  W̄ = Σ w_s;  J_st = ∂V_s/∂λ_t;  c = JᵀI/W̄;  σ = SOFTNESS · mean r² (+ rounding).
 * O(K³), K regions, and far less where J is sparse (shapes reach few regions): A = JᵀW²J + σ is factored inside its envelope, and
 * Δλ = A⁻¹(−g) − ν A⁻¹c. Where A is singular to rounding the whole system is factored with pivots.
 */
import { factorEnvelope, solveEnvelope } from '../linear-algebra/factor-envelope.js';
import { factorDense, solveFactored } from '../linear-algebra/solve-dense.js';

/** σ = SOFTNESS · mean square of the relative volume errors: it vanishes quadratically where the regions can be met. */
export const SOFTNESS = 0.01;
/** Least σ: what is left of it when all regions are met keeps the system regular, and is far below what a step needs. */
export const LEAST_SOFTNESS = 1e-10;

export interface RegionSystem {
  /** ν of the last step: what the total costs the regions. */
  readonly multiplier: number;
  /** Δλ of the component's regions into `delta` (of all regions); false: there is no step. */
  solve(delta: Float64Array, residual: Float64Array, scales: Float64Array, jacobian: Float64Array): boolean;
}

/** @param block regions of the component. @param reach its cells of J. @param free which of all regions take part (1) or stay where they are (0). */
export function createRegionSystem(block: Uint32Array, reach: RegionCells, free: Float64Array): RegionSystem {
  const n = block.length;
  const m = n + 1;
  const matrix = new Float64Array(m * m);
  const pivots = new Uint32Array(m);
  const rhs = new Float64Array(m);
  const scaling = new Float64Array(m);
  // Rows of W J without their zeroes.
  const starts = new Uint32Array(m);
  const columns = new Uint32Array(n * n);
  const entries = new Float64Array(n * n);
  const { cells, columns: cellColumns, starts: cellStarts } = reach;
  const firsts = new Uint32Array(m); // envelope of A
  const border = new Float64Array(m); // c
  const response = new Float64Array(m); // A⁻¹c
  let stiffness = 0; // cᵀA⁻¹c, or 0 where the system was factored with pivots
  let scale = 0; // W̄
  let multiplier = 0; // ν

  function gatherRows(scales: Float64Array, jacobian: Float64Array): void {
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

  /** The lower triangle of the system. */
  function fillMatrix(scales: Float64Array, sigma: number): void {
    matrix.fill(0);
    for (let i = 0; i < n; i++) firsts[i] = i;
    for (let r = 0; r < n; r++) {
      const share = scales[block[r]!]! / scale;
      const from = starts[r]!;
      for (let a = from; a < starts[r + 1]!; a++) {
        const entry = entries[a]!;
        const i = columns[a]!;
        const row = i * m;
        firsts[i] = Math.min(firsts[i]!, columns[from]!);
        matrix[n * m + i]! += entry * share;
        for (let b = from; b <= a; b++) matrix[row + columns[b]!]! += entry * entries[b]!;
      }
    }
    equilibrate(matrix, scaling, firsts, n, sigma);
  }

  function factor(scales: Float64Array, sigma: number): boolean {
    fillMatrix(scales, sigma);
    for (let i = 0; i < n; i++) border[i] = response[i] = matrix[n * m + i]!;
    if (factorEnvelope(matrix, firsts, n, m)) {
      solveEnvelope(matrix, firsts, response, n, m);
      stiffness = 0;
      for (let i = 0; i < n; i++) stiffness += border[i]! * response[i]!;
      if (stiffness > 0) return true;
    }
    stiffness = 0;
    fillMatrix(scales, sigma);
    for (let i = 0; i <= n; i++) for (let j = 0; j < i; j++) matrix[j * m + i] = matrix[i * m + j]!;
    return factorDense(matrix, pivots, m);
  }

  /** The system for `rhs`, in place. */
  function solveSystem(): void {
    if (stiffness === 0) {
      solveFactored(matrix, pivots, rhs, m);
      multiplier = rhs[n]!;
      return;
    }
    const wanted = rhs[n]!;
    solveEnvelope(matrix, firsts, rhs, n, m);
    let found = 0;
    for (let i = 0; i < n; i++) found += border[i]! * rhs[i]!;
    multiplier = (found - wanted) / stiffness;
    for (let i = 0; i < n; i++) rhs[i]! -= multiplier * response[i]!;
  }

  return {
    get multiplier() {
      return multiplier;
    },
    solve(delta, residual, scales, jacobian) {
      let sigma = LEAST_SOFTNESS;
      let missing = 0;
      scale = 0;
      for (let i = 0; i < n; i++) {
        const r = residual[block[i]!]!;
        scale += scales[block[i]!]!;
        missing += r * scales[block[i]!]!;
        sigma += (SOFTNESS * r * r) / n;
      }
      gatherRows(scales, jacobian);
      if (!factor(scales, sigma)) return false;
      rhs.fill(0);
      for (let r = 0; r < n; r++) {
        const pull = residual[block[r]!]!;
        for (let a = starts[r]!; a < starts[r + 1]!; a++) rhs[columns[a]!]! -= pull * entries[a]!;
      }
      for (let i = 0; i < n; i++) rhs[i]! *= scaling[i]!;
      rhs[n] = -missing / scale;
      solveSystem();
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
  const m = n + 1;
  for (let i = 0; i < n; i++) scaling[i] = 1 / Math.sqrt(matrix[i * m + i]! + sigma);
  for (let i = 0; i < n; i++) {
    for (let j = firsts[i]!; j < i; j++) matrix[i * m + j]! *= scaling[i]! * scaling[j]!;
    matrix[i * m + i] = 1;
    matrix[n * m + i]! *= scaling[i]!;
  }
}
