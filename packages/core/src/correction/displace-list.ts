import type { DisplaceInput } from '../kernels/reference-kernels.js';

/** y_k = x_k + (Σ_s λ_s φ_sk) n_k of the listed vertices: what `displace` does to all. */
export function displaceList(
  out: Float64Array,
  { positions, directions, offsets, shapes, values, amounts }: DisplaceInput,
  vertices: Uint32Array,
): void {
  for (let i = 0; i < vertices.length; i++) {
    const k = vertices[i]!;
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += amounts[shapes[e]!]! * values[e]!;
    for (let q = 3 * k; q < 3 * k + 3; q++) out[q] = positions[q]! + sum * directions[q]!;
  }
}
