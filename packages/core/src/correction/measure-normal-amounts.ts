/**
 * C5, C10. Amounts along unit directions that restore ΔV to first order.
 *
 *   ρ_k = ΔV γ_k ⟨n_k, ∇V_k⟩ / Σ_j γ_j ⟨n_j, ∇V_j⟩²
 *
 * Writes the amounts of region s's movable vertices into `out`; false (and zeros) when nothing there can change the volume.
 * `fields.gradients` holds the gradient at the surface in question. O(#vertices of s).
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008, eq. 4–5.
 */
import type { RegionFields } from './plan-region-fields.js';

export function measureNormalAmounts(
  out: Float64Array,
  fields: RegionFields,
  directions: Float64Array,
  s: number,
  gap: number,
): boolean {
  const { movable, weights, gradients } = fields;
  const g = gradients.areas;
  const from = movable.offsets[s]!;
  const to = movable.offsets[s + 1]!;
  let norm = 0;
  for (let n = from; n < to; n++) {
    const k = movable.values[n]!;
    const slope =
      directions[3 * k]! * g[3 * k]! + directions[3 * k + 1]! * g[3 * k + 1]! + directions[3 * k + 2]! * g[3 * k + 2]!;
    out[k] = weights[k]! * slope;
    norm += weights[k]! * slope * slope;
  }
  const scale = gap / norm;
  const possible = norm > 0 && Number.isFinite(scale);
  for (let n = from; n < to; n++) {
    const k = movable.values[n]!;
    out[k] = possible ? scale * out[k]! : 0;
  }
  return possible;
}

/** Cuts the amounts of region s to their limits; true when one was cut. */
export function limitAmounts(amounts: Float64Array, fields: RegionFields, s: number): boolean {
  const { movable, limits } = fields;
  let cut = false;
  for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
    const k = movable.values[n]!;
    if (Math.abs(amounts[k]!) <= limits[k]!) continue;
    amounts[k] = Math.sign(amounts[k]!) * limits[k]!;
    cut = true;
  }
  return cut;
}

/** y_k = x_k + ρ_k n_k for the movable vertices of region s, in place. */
export function applyAmounts(
  positions: Float64Array,
  fields: RegionFields,
  directions: Float64Array,
  amounts: Float64Array,
  s: number,
): void {
  const { movable } = fields;
  for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
    const k = movable.values[n]!;
    for (let i = 3 * k; i < 3 * k + 3; i++) positions[i]! += amounts[k]! * directions[i]!;
  }
}
