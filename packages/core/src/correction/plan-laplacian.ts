/**
 * C8. Correction along the normals with a smooth field: the energy also counts how rough the displacement is.
 *
 *   minimise  Σ_i ρ_i²/γ_i + κ Σ_i 1/γ_i |L(ρn)_i|²   subject to  ⟨K, ρ⟩ = ΔV;    L(v)_i = v_i − mean of its neighbours' v
 *   ⇒  A q = K,  ρ = ΔV q / ⟨q,K⟩,   A_jk = δ_jk/γ_j + κ Σ_i 1/γ_i L_ij L_ik ⟨n_j,n_k⟩,   K_i = ⟨n_i, ∇V_i⟩
 *
 * Unknowns and terms with γ = 0 are left out. With ρ = √γ r the system is I + κ √γ Lᵀ γ⁻¹ L √γ: never singular. Solved
 * matrix-free by conjugate gradients; the factor of the rest pose's matrix preconditions (normals turn with the flesh, so
 * ⟨n_j,n_k⟩ changes little). The field is then made exact by C6. O(steps · #E) per frame.
 *
 * Based on: Rohmer, "Animation de personnage par skinning à volume constant", 2007, § 4.8 and annex F, derived anew from the energy.
 */
import { number } from '../check-json.js';
import { planSparseCholesky } from '../linear-algebra/plan-sparse-cholesky.js';
import { createPcgScratch, solvePcg } from '../linear-algebra/solve-pcg.js';
import type { SparseMatrix } from '../linear-algebra/sparse-matrix.js';
import { createExtendedPositions } from '../volume/measure-region-volumes.js';
import { planAlongField } from './plan-along-field.js';
import {
  FIELD_CHECKS,
  type FieldOptions,
  measureFields,
  planRegionFields,
  type RegionFields,
  startReport,
  volumeGap,
} from './plan-region-fields.js';
import type { SolverContext, SolverFrame, VolumeMethod, VolumeSolver } from './volume-solver.js';

export interface LaplacianOptions extends FieldOptions {
  /** κ: weight of the roughness. */
  readonly smoothing?: number;
  /** Residual at which the linear solve stops; the volume is exact whatever it is. */
  readonly tolerance?: number;
}

export const LAPLACIAN_DEFAULTS = { smoothing: 30, tolerance: 1e-6 } as const satisfies LaplacianOptions;

/** γ below this share of the largest counts as 0: 1/γ would only make the system stiff. */
const GAMMA_LEAST = 1e-6;
const MAX_STEPS = 200;

export const laplacian: VolumeMethod = {
  plan: planLaplacian,
  options: { ...FIELD_CHECKS, smoothing: number(0), tolerance: number(0, 1) },
};

export function planLaplacian(context: SolverContext, options: LaplacianOptions = {}): VolumeSolver {
  const { smoothing, tolerance } = { ...LAPLACIAN_DEFAULTS, ...options };
  const { character, volumes, regions } = context;
  const count = character.surface.vertexCount;
  const all = planRegionFields(context, options);
  const largest = all.weights.reduce((a, b) => Math.max(a, b), 0);
  const fields = keepMovable(all, (k) => all.weights[k]! > GAMMA_LEAST * largest);
  const { movable, weights, gradients, normals } = fields;
  const { areas } = gradients;
  const exact = planAlongField(fields);

  // Unknown n is vertex free[n].
  const free = movable.values;
  const size = free.length;
  const index = new Int32Array(count).fill(-1);
  for (let n = 0; n < size; n++) index[free[n]!] = n;
  const roots = Float64Array.from(free, (k) => Math.sqrt(weights[k]! / largest));

  const v = new Float64Array(3 * count);
  const w = new Float64Array(3 * count);
  const { offsets, values } = character.surface.neighbours;
  const multiply = (out: Float64Array, r: Float64Array): void => {
    for (let n = 0; n < size; n++) {
      const amount = roots[n]! * r[n]!;
      for (let c = 3 * free[n]!, e = c + 3; c < e; c++) v[c] = amount * normals[c]!;
    }
    for (let n = 0; n < size; n++) {
      const k = free[n]!;
      const valence = offsets[k + 1]! - offsets[k]!;
      const scale = smoothing / (roots[n]! * roots[n]!);
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += v[3 * values[e]! + c]!;
        w[3 * k + c] = scale * (v[3 * k + c]! - (valence > 0 ? sum / valence : 0));
      }
    }
    for (let n = 0; n < size; n++) {
      const k = free[n]!;
      let sum = 0;
      for (let c = 0; c < 3; c++) {
        let back = w[3 * k + c]!;
        for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
          const i = values[e]!;
          if (index[i]! >= 0) back -= w[3 * i + c]! / (offsets[i + 1]! - offsets[i]!);
        }
        sum += back * normals[3 * k + c]!;
      }
      out[n] = r[n]! + roots[n]! * sum;
    }
  };

  const rest = createExtendedPositions(volumes);
  rest.set(character.surface.positions);
  measureFields(fields, rest);
  const matrix = assemble(fields, index, roots, smoothing);
  const places = new Float64Array(3 * size);
  for (let n = 0; n < size; n++) for (let c = 0; c < 3; c++) places[3 * n + c] = rest[3 * free[n]! + c]!;
  const factor = planSparseCholesky(matrix, places);
  const scratch = createPcgScratch(size);
  const rhs = new Float64Array(size);
  const q = new Float64Array(size);
  const amounts = new Float64Array(count);

  /** K_k = ⟨n_k, ∇V_k⟩. */
  const slopeAt = (k: number): number =>
    normals[3 * k]! * areas[3 * k]! + normals[3 * k + 1]! * areas[3 * k + 1]! + normals[3 * k + 2]! * areas[3 * k + 2]!;

  const apply = (frame: SolverFrame): void => {
    const { positions, targets } = frame;
    startReport(frame);
    measureFields(fields, positions);
    frame.report.evaluations = 1;
    let busy = false;
    rhs.fill(0);
    for (let s = 0; s < regions.count; s++) {
      if (volumeGap(fields, targets, s) === 0) continue;
      busy = true;
      for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) rhs[n] = roots[n]! * slopeAt(free[n]!);
    }
    q.fill(0);
    if (busy) solvePcg(q, multiply, factor.solve, rhs, scratch, tolerance, MAX_STEPS);
    for (let s = 0; s < regions.count; s++) {
      const gap = volumeGap(fields, targets, s);
      let norm = 0;
      for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) norm += q[n]! * rhs[n]!;
      const scale = gap !== 0 && norm > 0 && Number.isFinite(gap / norm) ? gap / norm : 0;
      for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) amounts[free[n]!] = scale * roots[n]! * q[n]!;
    }
    exact.apply(frame, amounts, normals);
  };

  return { apply };
}

/** The same fields with fewer movable vertices. */
function keepMovable(fields: RegionFields, keep: (k: number) => boolean): RegionFields {
  const { offsets, values } = fields.movable;
  const kept = offsets.slice();
  const list: number[] = [];
  for (let s = 0; s + 1 < offsets.length; s++) {
    for (let n = offsets[s]!; n < offsets[s + 1]!; n++) if (keep(values[n]!)) list.push(values[n]!);
    kept[s + 1] = list.length;
  }
  return { ...fields, movable: { offsets: kept, values: Uint32Array.from(list) } };
}

/** I + κ √γ Lᵀ γ⁻¹ L √γ with the normals in `fields`, lower triangle. */
function assemble(fields: RegionFields, index: Int32Array, roots: Float64Array, smoothing: number): SparseMatrix {
  const { offsets, values } = fields.context.character.surface.neighbours;
  const { normals, movable } = fields;
  const free = movable.values;
  const size = free.length;
  const rows: Map<number, number>[] = Array.from({ length: size }, (_, n) => new Map([[n, 1]]));
  const ring: number[] = [];
  for (let n = 0; n < size; n++) {
    const k = free[n]!;
    const valence = offsets[k + 1]! - offsets[k]!;
    const scale = smoothing / (roots[n]! * roots[n]!);
    ring.length = 0;
    ring.push(n);
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (index[values[e]!]! >= 0) ring.push(index[values[e]!]!);
    for (const [a, i] of ring.entries()) {
      for (const [b, j] of ring.entries()) {
        if (j > i) continue;
        const [p, q] = [3 * free[i]!, 3 * free[j]!];
        const dot = normals[p]! * normals[q]! + normals[p + 1]! * normals[q + 1]! + normals[p + 2]! * normals[q + 2]!;
        const entry = scale * roots[i]! * roots[j]! * dot * (a === 0 ? 1 : -1 / valence) * (b === 0 ? 1 : -1 / valence);
        rows[i]!.set(j, (rows[i]!.get(j) ?? 0) + entry);
      }
    }
  }
  const starts = new Uint32Array(size + 1);
  for (let n = 0; n < size; n++) starts[n + 1] = starts[n]! + rows[n]!.size;
  const columns = new Uint32Array(starts[size]!);
  const entries = new Float64Array(starts[size]!);
  for (let n = 0, to = 0; n < size; n++) {
    for (const [j, value] of rows[n]!) {
      columns[to] = j;
      entries[to++] = value;
    }
  }
  return { size, offsets: starts, columns, values: entries };
}
