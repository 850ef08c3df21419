import type { Character } from '../character/character.js';

/** x̄ + Σ_m weight_m · delta_m. */
export function applyMorphs(out: Float64Array, character: Character, weights: Float64Array): void {
  out.set(character.surface.positions);
  character.morphs.forEach(({ vertices, deltas }, m) => {
    const weight = weights[m]!;
    if (weight === 0) return;
    for (let i = 0; i < vertices.length; i++) {
      const k = 3 * vertices[i]!;
      out[k]! += weight * deltas[3 * i]!;
      out[k + 1]! += weight * deltas[3 * i + 1]!;
      out[k + 2]! += weight * deltas[3 * i + 2]!;
    }
  });
}
