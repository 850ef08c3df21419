import type { GLTF } from '@gltf-transform/core';
import { IsoskinError, type Warning } from '@isoskin/core';

/** A mesh node that deforms: one group of the character. */
export interface Deforming {
  readonly node: number;
  readonly mesh: number;
  /** Undefined for a mesh that only morphs; it hangs on its own node. */
  readonly skin?: number;
  /** Morph targets: the most that any of its primitives has. */
  readonly targets: number;
}

/** Every skinned mesh node or, if there is none, every mesh node with morph targets. */
export function findDeforming(json: GLTF.IGLTF, warnings: Warning[]): Deforming[] {
  const skinned: Deforming[] = [];
  const morphing: Deforming[] = [];
  let rigid = 0;
  json.nodes?.forEach((entry, node) => {
    if (entry.mesh === undefined) return;
    const { mesh, skin } = entry;
    let targets = 0;
    for (const primitive of json.meshes![mesh]!.primitives) targets = Math.max(targets, primitive.targets?.length ?? 0);
    if (skin !== undefined) skinned.push({ node, mesh, skin, targets });
    else if (targets > 0) morphing.push({ node, mesh, targets });
    else rigid++;
  });
  const found = skinned.length > 0 ? skinned : morphing;
  if (found.length === 0) {
    const message = json.meshes?.length
      ? 'The model has neither a skin nor morph targets, so nothing deforms: bind it to a skeleton and export it again'
      : 'The model holds no mesh: export it with its skinned mesh';
    throw new IsoskinError('NOTHING_TO_DEFORM', message);
  }
  const beside = rigid + (skinned.length > 0 ? morphing.length : 0);
  if (beside > 0) {
    const message = `${beside} mesh nodes beside the ${skinned.length > 0 ? 'skinned' : 'morphing'} ones pass through untouched`;
    warnings.push({ code: 'RIGID_BESIDE', message, place: 'nodes' });
  }
  return found;
}

/** Every mesh node, as it stands in the scene: for a model without a skin that is to be bound to a skeleton. */
export function listMeshNodes(json: GLTF.IGLTF): Deforming[] {
  const found = (json.nodes ?? []).flatMap(({ mesh }, node) =>
    mesh === undefined ? [] : [{ node, mesh, targets: 0 }],
  );
  if (found.length > 0) return found;
  throw new IsoskinError('EMPTY_MESH', 'The model holds no mesh: export it with its mesh');
}
