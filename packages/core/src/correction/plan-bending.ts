/**
 * v → (M/γ + κ LᵀML)⁻¹ M v on a graph, 0 where γ = 0: what a bending energy leaves of v.
 *
 * M  masses;  L(v)_k = v_k − mean of the neighbours;  κ  stiffness. The order of elimination is planned once; every γ costs a factorisation,
 * every v a pass over the factor. O(n^1.5).
 */
import { planSparseCholesky } from '../linear-algebra/plan-sparse-cholesky.js';
import type { SparseMatrix } from '../linear-algebra/sparse-matrix.js';
import type { Csr } from '../mesh/surface.js';

export interface Bending {
  /** Valid until the next γ; without one: γ = 1. */
  solveWith(gamma?: Float64Array): (v: Float64Array) => Float64Array;
}

/** @param places #×3 */
export function planBending(neighbours: Csr, masses: Float64Array, places: Float64Array, kappa: number): Bending {
  const count = masses.length;
  const even = new Float64Array(count).fill(1);
  const factor = planSparseCholesky(assemble(neighbours, masses, even, kappa), places);
  const right = new Float64Array(count);
  let factored: Float64Array = even;
  return {
    solveWith(gamma = even) {
      if (gamma !== factored) factor.refactor(assemble(neighbours, masses, gamma, kappa).values);
      factored = gamma;
      return (v) => {
        for (let k = 0; k < count; k++) right[k] = gamma[k]! > 0 ? masses[k]! * v[k]! : 0;
        const out = new Float64Array(count);
        factor.solve(out, right);
        return out;
      };
    },
  };
}

/** Lower triangle of M/γ + κ LᵀML; a row of the unit matrix where γ = 0. The pattern does not depend on γ. */
function assemble({ offsets, values }: Csr, masses: Float64Array, gamma: Float64Array, kappa: number): SparseMatrix {
  const count = masses.length;
  const starts = new Uint32Array(count + 1);
  const columns: number[] = [];
  const entries: number[] = [];
  const row = new Float64Array(count);
  const touched: number[] = [];
  const rowOf = new Int32Array(count).fill(-1); // the row that an entry was last touched in
  const add = (j: number, amount: number, own: number): void => {
    if (j > own) return;
    if (rowOf[j] !== own) {
      rowOf[j] = own;
      touched.push(j);
    }
    if (gamma[j]! > 0) row[j]! += amount;
  };
  /** Row i of L times `factor`. */
  const addRow = (i: number, factor: number, own: number): void => {
    add(i, factor, own);
    const share = factor / (offsets[i + 1]! - offsets[i]!);
    for (let e = offsets[i]!; e < offsets[i + 1]!; e++) add(values[e]!, -share, own);
  };
  for (let k = 0; k < count; k++) {
    addRow(k, kappa * masses[k]!, k);
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const i = values[e]!;
      addRow(i, (-kappa * masses[i]!) / (offsets[i + 1]! - offsets[i]!), k);
    }
    row[k] = gamma[k]! > 0 ? row[k]! + masses[k]! / gamma[k]! : 1;
    for (let n = 0; n < touched.length; n++) {
      const j = touched[n]!;
      columns.push(j);
      entries.push(gamma[k]! > 0 || j === k ? row[j]! : 0);
      row[j] = 0;
    }
    touched.length = 0;
    starts[k + 1] = columns.length;
  }
  return { size: count, offsets: starts, columns: Uint32Array.from(columns), values: Float64Array.from(entries) };
}
