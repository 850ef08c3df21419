import type { Object3D, SkinnedMesh } from 'three';

/** World matrices of the meshes and their bones, as a render would update them. */
export function updateBodyMatrices(meshes: readonly SkinnedMesh[]): void {
  const roots = new Set<Object3D>();
  for (const mesh of meshes) {
    mesh.updateWorldMatrix(true, false);
    // What SkinnedMesh.updateMatrixWorld does; updateWorldMatrix leaves it out.
    mesh.bindMatrixInverse.copy(mesh.bindMode === 'detached' ? mesh.bindMatrix : mesh.matrixWorld).invert();
    for (const bone of mesh.skeleton?.bones ?? []) {
      if (bone && !(bone.parent as { isBone?: boolean } | null)?.isBone) roots.add(bone);
    }
  }
  for (const root of roots) root.updateWorldMatrix(true, true);
}
