import type { PartInput } from './character.js';

/**
 * Prepares the question whether every morph target moves two source vertices of one group alike, to a tolerance in world
 * units. Vertices are numbered through all parts; `vertexParts` tells the part of each.
 */
export function compareMorphs(
  parts: readonly PartInput[],
  vertexParts: Uint32Array,
  tolerance: number,
): (a: number, b: number) => boolean {
  if (!parts.some((part) => part.morphs)) return () => true;
  const bases: number[] = [];
  let base = 0;
  for (const part of parts) {
    bases.push(base);
    base += part.positions.length / 3;
  }
  const readDelta = (vertex: number, target: number, axis: number): number => {
    const p = vertexParts[vertex]!;
    const deltas = parts[p]!.morphs?.deltas[target];
    return deltas ? deltas[3 * (vertex - bases[p]!) + axis]! * (parts[p]!.scale ?? 1) : 0;
  };
  return (a, b) => {
    const left = parts[vertexParts[a]!]!.morphs?.deltas.length ?? 0;
    const right = parts[vertexParts[b]!]!.morphs?.deltas.length ?? 0;
    for (let target = Math.max(left, right) - 1; target >= 0; target--) {
      for (let k = 0; k < 3; k++) {
        if (Math.abs(readDelta(a, target, k) - readDelta(b, target, k)) > tolerance) return false;
      }
    }
    return true;
  };
}
