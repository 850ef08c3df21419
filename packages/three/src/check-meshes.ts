import { IsoskinError } from '@isoskin/core/runtime';
import type { SkinnedMesh } from 'three';
import { describeMesh } from './describe-mesh.js';

/** Bound or built anew since it was planned. */
export function failSwapped(what: string, mesh: SkinnedMesh): never {
  const message = `The mesh has another ${what} than the one it was planned for: dispose this body and make a new one`;
  throw new IsoskinError(`${what.toUpperCase()}_SWAPPED`, message, describeMesh(mesh));
}

export function checkMeshes(meshes: readonly SkinnedMesh[]): void {
  if (meshes.length === 0) {
    throw new IsoskinError('NO_MESH', 'There is no mesh: give a SkinnedMesh, or those that share a skeleton');
  }
  for (const mesh of meshes) {
    if (mesh?.isSkinnedMesh) continue;
    throw new IsoskinError('NO_SKIN', 'Only a SkinnedMesh deforms; this is none', mesh ? describeMesh(mesh) : '');
  }
}
