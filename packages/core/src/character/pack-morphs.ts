/** A3. Morph targets as sparse displacements of the welded vertices, x̄ += weight · delta, in world units. */
import type { CharacterInput, MorphTarget } from './character.js';

/** Names of targets that repair: isoskin's own, and those that are called so. */
const BAKED = /^isoskin\b/i;
const CORRECTIVE = /corrective/i;

/** `welded` and `leaders` as `weldVertices` gives them; the leader's delta stands for the welded vertex. */
export function packMorphs(input: CharacterInput, welded: Uint32Array, leaders: Uint32Array): MorphTarget[] {
  const vertices: number[][] = [];
  const deltas: number[][] = [];
  for (const _ of input.morphs ?? []) {
    vertices.push([]);
    deltas.push([]);
  }
  let base = 0;
  for (const part of input.parts) {
    const count = part.positions.length / 3;
    const scale = part.scale ?? 1;
    for (const [k, source] of (part.morphs?.deltas ?? []).entries()) {
      const target = part.morphs!.first + k;
      for (let v = 0; source !== null && v < count; v++) {
        const vertex = welded[base + v]!;
        if (leaders[vertex] !== base + v) continue;
        const x = source[3 * v]! * scale;
        const y = source[3 * v + 1]! * scale;
        const z = source[3 * v + 2]! * scale;
        if (x === 0 && y === 0 && z === 0) continue;
        vertices[target]!.push(vertex);
        deltas[target]!.push(x, y, z);
      }
    }
    base += count;
  }
  return (input.morphs ?? []).map(({ name, group }, t) => ({
    name,
    ...(BAKED.test(name) ? { corrects: 'bake' as const } : CORRECTIVE.test(name) && { corrects: 'shape' as const }),
    group,
    vertices: Uint32Array.from(vertices[t]!),
    deltas: Float64Array.from(deltas[t]!),
  }));
}
