import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';

/** Where Babylon has the vertices, in the space of the file: the loader turns its right-handed world into a left-handed one; here back again. */
export function placeVertices(mesh: AbstractMesh): number[] {
  mesh.skeleton?.prepare();
  const matrix = mesh.computeWorldMatrix(true);
  const positions = mesh.getPositionData(true, true)!;
  const placed: number[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    const { x, y, z } = Vector3.TransformCoordinates(Vector3.FromArray(positions, i), matrix);
    placed.push(-x, y, z);
  }
  return placed;
}
