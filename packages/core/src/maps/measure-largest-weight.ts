import type { Binding } from '../character/character.js';

/**
 * ω_k^max, #V, or its C¹ replacement (D5): the p-norm (Σ_i ω_ki^p)^(1/p), between max_i ω_ki and 1, and exactly 1 where one
 * bone holds the whole weight. A plain max has a crease wherever the strongest bone changes.
 *
 * @param smooth p ≥ 2 of the norm, or false for the plain max
 */
export function measureLargestWeight(out: Float64Array, binding: Binding, smooth: number | false): void {
  const { offsets, weights } = binding;
  for (let k = 0; k < out.length; k++) {
    const largest = weights[offsets[k]!] ?? 1; // strongest first
    let sum = offsets[k]! < offsets[k + 1]! ? 1 : 0;
    // Relative to the largest, so that no power underflows.
    if (smooth) for (let n = offsets[k]! + 1; n < offsets[k + 1]!; n++) sum += (weights[n]! / largest) ** smooth;
    out[k] = smooth && largest > 0 ? Math.min(1, largest * sum ** (1 / smooth)) : largest;
  }
}
