import type { ImplicitSurface } from '../field/implicit-surface.js';

/**
 * Evens out a mesh on its surface: x ← x + λ(I − n nᵀ)(mean of the neighbours − x), then one Newton step
 * x ← x − (f − iso) ∇f/|∇f|², no longer than `limit` (half a grid step: the field may have creases). `normals` (#V×3) keeps the
 * last unit gradient of each vertex from sweep to sweep, so that a sweep costs one gradient per vertex.
 */
export function relaxOnSurface(
  positions: Float64Array,
  normals: Float64Array,
  triangles: Uint32Array,
  surface: ImplicitSurface,
  limit: number,
  sweeps: number,
): void {
  const sums = new Float64Array(positions.length);
  const valences = new Uint16Array(positions.length / 3);
  for (let h = 0; h < triangles.length; h++) valences[triangles[h]!]!++;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    sums.fill(0);
    // In a closed mesh each neighbour of a vertex follows it in exactly one triangle.
    for (let h = 0; h < triangles.length; h += 3) {
      const a = 3 * triangles[h]!;
      const b = 3 * triangles[h + 1]!;
      const c = 3 * triangles[h + 2]!;
      for (let axis = 0; axis < 3; axis++) {
        sums[a + axis]! += positions[b + axis]!;
        sums[b + axis]! += positions[c + axis]!;
        sums[c + axis]! += positions[a + axis]!;
      }
    }
    for (let v = 0; v < valences.length; v++) {
      const scale = 1 / valences[v]!;
      let along = 0;
      for (let at = 3 * v; at < 3 * v + 3; at++) {
        sums[at] = sums[at]! * scale - positions[at]!;
        along += sums[at]! * normals[at]!;
      }
      for (let at = 3 * v; at < 3 * v + 3; at++) positions[at]! += RELAXATION * (sums[at]! - along * normals[at]!);
    }
    projectOntoSurface(positions, normals, surface, limit, 1);
  }
}

/** λ of the tangential step. */
const RELAXATION = 0.6;

const gradient = new Float64Array(3);

/**
 * Newton's method along the gradient for every vertex, at most `steps`, stopping at |f − iso| ≤ tolerance. Writes the unit
 * gradients. Returns the largest |f − iso| met at the last evaluation (of the positions before their last step).
 */
export function projectOntoSurface(
  positions: Float64Array,
  normals: Float64Array,
  surface: ImplicitSurface,
  limit: number,
  steps: number,
  tolerance = 0,
): number {
  let worst = 0;
  for (let at = 0; at < positions.length; at += 3) {
    let error = 0;
    for (let n = 0; n < steps; n++) {
      error = surface.gradient(gradient, positions[at]!, positions[at + 1]!, positions[at + 2]!) - surface.iso;
      const length = Math.sqrt(gradient[0]! * gradient[0]! + gradient[1]! * gradient[1]! + gradient[2]! * gradient[2]!);
      if (length === 0) break;
      for (let axis = 0; axis < 3; axis++) normals[at + axis] = gradient[axis]! / length;
      if (Math.abs(error) <= tolerance) break;
      const move = -Math.max(-limit, Math.min(limit, error / length));
      for (let axis = 0; axis < 3; axis++) positions[at + axis]! += move * normals[at + axis]!;
    }
    worst = Math.max(worst, Math.abs(error));
  }
  return worst;
}
