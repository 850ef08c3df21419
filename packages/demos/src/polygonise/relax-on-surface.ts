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
      const at = 3 * v;
      const scale = 1 / valences[v]!;
      const dx = sums[at]! * scale - positions[at]!;
      const dy = sums[at + 1]! * scale - positions[at + 1]!;
      const dz = sums[at + 2]! * scale - positions[at + 2]!;
      const along = dx * normals[at]! + dy * normals[at + 1]! + dz * normals[at + 2]!;
      positions[at]! += RELAXATION * (dx - along * normals[at]!);
      positions[at + 1]! += RELAXATION * (dy - along * normals[at + 1]!);
      positions[at + 2]! += RELAXATION * (dz - along * normals[at + 2]!);
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
      const x = positions[at]!;
      const y = positions[at + 1]!;
      const z = positions[at + 2]!;
      error = surface.gradient(gradient, x, y, z) - surface.iso;
      const gx = gradient[0]!;
      const gy = gradient[1]!;
      const gz = gradient[2]!;
      const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
      if (length === 0) break;
      normals[at] = gx / length;
      normals[at + 1] = gy / length;
      normals[at + 2] = gz / length;
      if (Math.abs(error) <= tolerance) break;
      const move = -Math.max(-limit, Math.min(limit, error / length));
      positions[at] = x + move * normals[at]!;
      positions[at + 1] = y + move * normals[at + 1]!;
      positions[at + 2] = z + move * normals[at + 2]!;
    }
    worst = Math.max(worst, Math.abs(error));
  }
  return worst;
}
