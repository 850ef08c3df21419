/** L1 distance Σ_i |ω_ai − ω_bi| between the weights of two vertices: 0 = the same, 2 = no bone in common. */
import type { Binding } from './character.js';

export function compareInfluences({ offsets, bones, weights }: Binding, a: number, b: number): number {
  let distance = 0;
  for (let i = offsets[a]!; i < offsets[a + 1]!; i++) {
    let other = 0;
    for (let j = offsets[b]!; j < offsets[b + 1]!; j++) if (bones[j] === bones[i]) other = weights[j]!;
    distance += Math.abs(weights[i]! - other);
  }
  for (let j = offsets[b]!; j < offsets[b + 1]!; j++) {
    let isShared = false;
    for (let i = offsets[a]!; i < offsets[a + 1]! && !isShared; i++) isShared = bones[i] === bones[j];
    if (!isShared) distance += weights[j]!;
  }
  return distance;
}
