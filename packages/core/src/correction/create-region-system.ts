/**
 * The Gauss–Newton step of C11 for one component: residuals of its regions, under the exact row of their sum.
 *
 *   ⎡ JᵀW²J + σ   c ⎤ ⎡ Δλ ⎤     ⎡ JᵀW r + σλ ⎤
 *   ⎣ cᵀ          0 ⎦ ⎣ μ  ⎦ = − ⎣ Σ w_s r_s/W̄ ⎦
 *
 * r_s = (V_s − V̄_s)/w_s;  w_s  floors, W = 1/w;  W̄ = Σ w_s;  c = JᵀI/W̄;  σ = SOFTNESS · mean r².  O(K³), K regions; J is sparse, as
 * bases reach few regions. The factors are kept: `stepAgain` costs O(K²).
 */
import { factorDense, solveFactored } from '../linear-algebra/solve-dense.js';

/** σ = SOFTNESS · mean square of the relative volume errors. */
const SOFTNESS = 0.01;
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

/** @param block regions of the component. @param K all regions: J is K×K. */
export function createRegionSystem(block: Uint32Array, K: number): RegionSystem {
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
  let scale = 0; // W̄
  let isFactored = false;

  function gatherSlopes(floors: Float64Array, jacobian: Float64Array): void {
    let count = 0;
    for (let r = 0; r < n; r++) {
      const row = block[r]! * K;
      const weight = 1 / floors[block[r]!]!;
      for (let i = 0; i < n; i++) {
        const slope = jacobian[row + block[i]!]!;
        if (slope === 0) continue;
        columns[count] = i;
        slopes[count++] = slope * weight;
      }
      starts[r + 1] = count;
    }
  }

  function fillMatrix(floors: Float64Array, sigma: number): void {
    matrix.fill(0);
    for (let r = 0; r < n; r++) {
      const share = floors[block[r]!]! / scale;
      for (let a = starts[r]!; a < starts[r + 1]!; a++) {
        const slope = slopes[a]!;
        const row = columns[a]! * m;
        matrix[n * m + columns[a]!]! += slope * share;
        for (let b = starts[r]!; b <= a; b++) matrix[row + columns[b]!]! += slope * slopes[b]!;
      }
    }
    // Scales the unknowns so that the diagonal is 1: regions of very different size then share one system.
    for (let i = 0; i < n; i++) scaling[i] = 1 / Math.sqrt(matrix[i * m + i]! + sigma);
    scaling[n] = 1;
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j < i; j++) {
        const value = matrix[i * m + j]! * scaling[i]! * scaling[j]!;
        matrix[i * m + j] = value;
        matrix[j * m + i] = value;
      }
      matrix[i * m + i] = i < n ? 1 : 0;
    }
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
    solveFactored(matrix, pivots, rhs, m);
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
      fillMatrix(floors, sigma);
      isFactored = factorDense(matrix, pivots, m);
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
