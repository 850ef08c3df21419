/**
 * The Gauss–Newton step of C11 for one component: residuals of its regions, under the exact row of their sum.
 *
 *   ⎡ JᵀW²J + σ   c ⎤ ⎡ Δλ ⎤     ⎡ JᵀW r + σλ ⎤
 *   ⎣ cᵀ          0 ⎦ ⎣ μ  ⎦ = − ⎣ Σ w_s r_s/W̄ ⎦
 *
 * r_s = (V_s − V̄_s)/w_s;  w_s  floors, W = 1/w;  W̄ = Σ w_s;  c = JᵀI/W̄;  σ = SOFTNESS · mean r².  O(K³), K regions, and far less where
 * J is sparse (bases reach few regions): A = JᵀW²J + σ is factored inside its envelope, and x = A⁻¹(−g) − μ A⁻¹c. Where A is singular
 * to rounding the whole system is factored with pivots. The factors are kept: `stepAgain` costs O(K²).
 */
import { factorEnvelope, solveEnvelope } from '../linear-algebra/factor-envelope.js';
import { factorDense, solveFactored } from '../linear-algebra/solve-dense.js';

/** σ = SOFTNESS · mean square of the relative volume errors. */
export const SOFTNESS = 0.01;
/** Longest step of λ (λ_s = 1 adds a region's own volume): longer ones are shortened, smoothly. */
export const LONGEST_STEP = 0.5;

/** Square of ∂V_s/∂λ_s, relative to V̄_s, below which a region's amount is too loose to be guessed: it would take up rounding. */
const LOOSE = 0.01;

export interface RegionSystem {
  /** Moves the component's λ by one step. */
  step(lambda: Float64Array, residual: Float64Array, floors: Float64Array, jacobian: Float64Array): void;
  /** The same with the factors of the last step, as a guess: amounts that hardly move their own region stay where they are. */
  stepAgain(lambda: Float64Array, residual: Float64Array, floors: Float64Array): void;
}

/**
 * @param block regions of the component. @param K all regions: J is K×K. @param canMove whether J_st can differ from 0.
 */
export function createRegionSystem(
  block: Uint32Array,
  K: number,
  canMove: (s: number, t: number) => boolean = () => true,
): RegionSystem {
  const n = block.length;
  const m = n + 1;
  const matrix = new Float64Array(m * m);
  const pivots = new Uint32Array(m);
  const rhs = new Float64Array(m);
  const scaling = new Float64Array(m);
  // Rows of W J without their zeroes.
  const starts = new Uint32Array(m);
  const columns = new Uint32Array(n * n);
  const slopes = new Float64Array(n * n);
  // Cells of J that are looked at, row by row, and their columns.
  const cells: number[] = [];
  const cellColumns: number[] = [];
  const cellStarts = new Uint32Array(m);
  for (let r = 0; r < n; r++) {
    for (let i = 0; i < n; i++) {
      if (!canMove(block[r]!, block[i]!)) continue;
      cells.push(block[r]! * K + block[i]!);
      cellColumns.push(i);
    }
    cellStarts[r + 1] = cells.length;
  }
  const cellList = Uint32Array.from(cells);
  const columnList = Uint32Array.from(cellColumns);
  const firsts = new Uint32Array(m); // envelope of A
  const border = new Float64Array(m); // c
  const response = new Float64Array(m); // A⁻¹c, then cᵀA⁻¹c, or 0 where the system was factored with pivots
  let scale = 0; // W̄
  let isFactored = false;

  function gatherSlopes(floors: Float64Array, jacobian: Float64Array): void {
    let count = 0;
    for (let r = 0; r < n; r++) {
      const weight = 1 / floors[block[r]!]!;
      for (let c = cellStarts[r]!; c < cellStarts[r + 1]!; c++) {
        const slope = jacobian[cellList[c]!]!;
        if (slope === 0) continue;
        columns[count] = columnList[c]!;
        slopes[count++] = slope * weight;
      }
      starts[r + 1] = count;
    }
  }

  /** The lower triangle of the system. */
  function fillMatrix(floors: Float64Array, sigma: number): void {
    matrix.fill(0);
    for (let i = 0; i < n; i++) firsts[i] = i;
    for (let r = 0; r < n; r++) {
      const share = floors[block[r]!]! / scale;
      const from = starts[r]!;
      for (let a = from; a < starts[r + 1]!; a++) {
        const slope = slopes[a]!;
        const i = columns[a]!;
        const row = i * m;
        firsts[i] = Math.min(firsts[i]!, columns[from]!);
        matrix[n * m + i]! += slope * share;
        for (let b = from; b <= a; b++) matrix[row + columns[b]!]! += slope * slopes[b]!;
      }
    }
    // Scales the unknowns so that the diagonal is 1: regions of very different size then share one system.
    for (let i = 0; i < n; i++) scaling[i] = 1 / Math.sqrt(matrix[i * m + i]! + sigma);
    for (let i = 0; i < n; i++) {
      for (let j = firsts[i]!; j < i; j++) matrix[i * m + j]! *= scaling[i]! * scaling[j]!;
      matrix[i * m + i] = 1;
      matrix[n * m + i]! *= scaling[i]!;
    }
  }

  function factor(floors: Float64Array, sigma: number): boolean {
    fillMatrix(floors, sigma);
    for (let i = 0; i < n; i++) border[i] = response[i] = matrix[n * m + i]!;
    if (factorEnvelope(matrix, firsts, n, m)) {
      solveEnvelope(matrix, firsts, response, n, m);
      let stiffness = 0;
      for (let i = 0; i < n; i++) stiffness += border[i]! * response[i]!;
      response[n] = stiffness;
      if (stiffness > 0) return true;
    }
    response[n] = 0;
    fillMatrix(floors, sigma);
    for (let i = 0; i <= n; i++) for (let j = 0; j < i; j++) matrix[j * m + i] = matrix[i * m + j]!;
    return factorDense(matrix, pivots, m);
  }

  /** The system for `rhs`, in place. */
  function solveSystem(): void {
    const stiffness = response[n]!;
    if (stiffness === 0) return solveFactored(matrix, pivots, rhs, m);
    const wanted = rhs[n]!;
    solveEnvelope(matrix, firsts, rhs, n, m);
    let found = 0;
    for (let i = 0; i < n; i++) found += border[i]! * rhs[i]!;
    const mu = (found - wanted) / stiffness;
    for (let i = 0; i < n; i++) rhs[i]! -= mu * response[i]!;
  }

  /** The change of λ for these residuals into `rhs`. */
  function solve(lambda: Float64Array, residual: Float64Array, floors: Float64Array, sigma: number): void {
    for (let i = 0; i < n; i++) rhs[i] = -sigma * lambda[block[i]!]!;
    let missing = 0;
    for (let r = 0; r < n; r++) {
      const pull = residual[block[r]!]!;
      missing += pull * floors[block[r]!]!;
      for (let a = starts[r]!; a < starts[r + 1]!; a++) rhs[columns[a]!]! -= pull * slopes[a]!;
    }
    rhs[n] = -missing / scale;
    for (let i = 0; i < n; i++) rhs[i]! *= scaling[i]!;
    solveSystem();
    for (let i = 0; i < n; i++) rhs[i]! *= scaling[i]!;
  }

  function move(lambda: Float64Array): void {
    let square = 0;
    for (let i = 0; i < n; i++) square += rhs[i]! * rhs[i]!;
    const shorten = 1 / Math.sqrt(1 + square / (LONGEST_STEP * LONGEST_STEP));
    for (let i = 0; i < n; i++) lambda[block[i]!]! += shorten * rhs[i]!;
  }

  return {
    step(lambda, residual, floors, jacobian) {
      let sigma = 0;
      let sum = 0;
      for (let i = 0; i < n; i++) {
        sum += floors[block[i]!]!;
        sigma += (SOFTNESS * residual[block[i]!]! * residual[block[i]!]!) / n;
      }
      if (sigma === 0) return;
      scale = sum;
      gatherSlopes(floors, jacobian);
      isFactored = factor(floors, sigma);
      if (!isFactored) return;
      solve(lambda, residual, floors, sigma);
      move(lambda);
    },
    stepAgain(lambda, residual, floors) {
      if (!isFactored) return;
      solve(lambda, residual, floors, 0);
      for (let r = 0; r < n; r++) {
        let own = 0;
        for (let a = starts[r]!; a < starts[r + 1]!; a++) if (columns[a] === r) own = slopes[a]!;
        rhs[r]! *= (own * own) / (own * own + LOOSE);
      }
      move(lambda);
    },
  };
}
