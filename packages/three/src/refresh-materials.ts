import type { Mesh } from 'three';

/** With other targets, or without skinning, a material is another program: tells renderers that look at the material alone. */
export function refreshMaterials({ material }: Mesh): void {
  for (const each of [material].flat()) each.needsUpdate = true;
}
