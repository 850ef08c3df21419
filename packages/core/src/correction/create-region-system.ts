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
  stepAgain(lambda: Float64Array, residual: Float64Array, floors: Float64Array, jacobian: Float64Array): void;
}

/** @param block regions of the component. @param K all regions: J is K×K. */
export function createRegionSystem(block: Uint32Array, K: number): RegionSystem {
  const n = block.length;
  const m = n + 1;
  const matrix = new Float64Array(m * m);
  const pivots = new Uint32Array(m);
  const rhs = new Float64Array(m);
  const scaling = new Float64Array(m);
  const touched = new Uint32Array(n);
  let scale = 0; // W̄
  let isFactored = false;

  function fillMatrix(floors: Float64Array, jacobian: Float64Array, sigma: number): void {
    matrix.fill(0);
    for (let r = 0; r < n; r++) {
      const row = block[r]! * K;
      const weight = 1 / (floors[block[r]!]! * floors[block[r]!]!);
      let count = 0;
      for (let i = 0; i < n; i++) if (jacobian[row + block[i]!] !== 0) touched[count++] = i;
      for (let a = 0; a < count; a++) {
        const i = touched[a]! * m;
        const slope = jacobian[row + block[touched[a]!]!]!;
        matrix[i + n]! += slope / scale;
        for (let b = 0; b < count; b++)
          matrix[i + touched[b]!]! += slope * weight * jacobian[row + block[touched[b]!]!]!;
      }
    }
    for (let i = 0; i < n; i++) {
      matrix[n * m + i] = matrix[i * m + n]!;
      matrix[i * m + i]! += sigma;
    }
    equilibrate();
  }

  /** Scales the unknowns so that the diagonal is 1: regions of very different size then share one system. */
  function equilibrate(): void {
    for (let i = 0; i < n; i++) scaling[i] = 1 / Math.sqrt(matrix[i * m + i]!);
    scaling[n] = 1;
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) matrix[i * m + j]! *= scaling[i]! * scaling[j]!;
  }

  function fillRhs(
    lambda: Float64Array,
    residual: Float64Array,
    floors: Float64Array,
    jacobian: Float64Array,
    sigma: number,
  ): void {
    for (let i = 0; i < n; i++) rhs[i] = -sigma * lambda[block[i]!]!;
    rhs[n] = 0;
    for (let r = 0; r < n; r++) {
      const s = block[r]!;
      const pull = residual[s]! / floors[s]!;
      rhs[n]! -= (residual[s]! * floors[s]!) / scale;
      for (let i = 0; i < n; i++) rhs[i]! -= pull * jacobian[s * K + block[i]!]!;
    }
    for (let i = 0; i < n; i++) rhs[i]! *= scaling[i]!;
  }

  function solve(): void {
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
      scale = 0;
      for (let i = 0; i < n; i++) {
        scale += floors[block[i]!]!;
        sigma += (SOFTNESS * residual[block[i]!]! * residual[block[i]!]!) / n;
      }
      if (sigma === 0) return;
      fillMatrix(floors, jacobian, sigma);
      fillRhs(lambda, residual, floors, jacobian, sigma);
      isFactored = factorDense(matrix, pivots, m);
      if (!isFactored) return;
      solve();
      move(lambda);
    },
    stepAgain(lambda, residual, floors, jacobian) {
      if (!isFactored) return;
      fillRhs(lambda, residual, floors, jacobian, 0);
      solve();
      for (let i = 0; i < n; i++) {
        const hold = (jacobian[block[i]! * (K + 1)]! / floors[block[i]!]!) ** 2;
        rhs[i]! *= hold / (hold + LOOSE);
      }
      move(lambda);
    },
  };
}
