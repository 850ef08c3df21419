import type { Object3D } from 'three';

/** The place of an error: the name that the user sees in the scene. */
export function describeMesh(mesh: Object3D): string {
  return mesh.name ? `mesh "${mesh.name}"` : `mesh ${mesh.id}`;
}
