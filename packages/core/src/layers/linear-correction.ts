/**
 * Moving least squares: weights of points around a vertex, changed so that they carry linear fields.
 *
 *   w_p ← w_p (1 + ⟨M⁻¹ (x − c̄), c_p − c̄⟩),   c̄ = Σ w_p c_p,   M = Σ w_p (c_p − c̄)(c_p − c̄)ᵀ + ridge
 *
 * c  points;  x  the vertex;  the ridge, a share of the trace of M, leaves them as they are where the points are not spread.
 */
import { solveDense } from '../linear-algebra/solve-dense.js';

const RIDGE = 0.1;

/** The correction changes the weights from `from` on. */
export function createLinearCorrection(centres: Float64Array, x: Float64Array) {
  const mean = new Float64Array(3);
  const moments = new Float64Array(9);
  const slope = new Float64Array(3);
  const pivots = new Uint32Array(3);
  return (values: readonly number[], shares: number[], from: number, k: number): void => {
    mean.fill(0);
    moments.fill(0);
    for (let n = from; n < shares.length; n++) {
      for (let r = 0; r < 3; r++) mean[r]! += shares[n]! * centres[3 * values[n]! + r]!;
    }
    for (let n = from; n < shares.length; n++) {
      for (let i = 0; i < 9; i++) {
        const [r, c] = [(i / 3) | 0, i % 3];
        moments[i]! +=
          shares[n]! * (centres[3 * values[n]! + r]! - mean[r]!) * (centres[3 * values[n]! + c]! - mean[c]!);
      }
    }
    const ridge = RIDGE * (moments[0]! + moments[4]! + moments[8]!);
    for (let r = 0; r < 3; r++) {
      moments[4 * r]! += ridge;
      slope[r] = x[3 * k + r]! - mean[r]!;
    }
    if (!solveDense(moments, slope, 3, pivots)) return;
    for (let n = from; n < shares.length; n++) {
      let along = 0;
      for (let r = 0; r < 3; r++) along += slope[r]! * (centres[3 * values[n]! + r]! - mean[r]!);
      shares[n]! *= 1 + along;
    }
  };
}
