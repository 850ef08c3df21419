import type { Object3D, SkinnedMesh } from 'three';

/** The bones of all meshes and whatever stands between them, parents first; −1 for roots. The same order for every clone. */
export function listSkeletonNodes(meshes: readonly SkinnedMesh[]): { nodes: Object3D[]; parents: number[] } {
  const bones = new Set<Object3D>(meshes.flatMap((mesh) => mesh.skeleton.bones));
  const nodes: Object3D[] = [];
  const parents: number[] = [];
  const numbers = new Map<Object3D, number>();

  function add(node: Object3D): number {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    const parent = node.parent && hasBoneAbove(node) ? add(node.parent) : -1;
    parents.push(parent);
    numbers.set(node, nodes.push(node) - 1);
    return nodes.length - 1;
  }
  function hasBoneAbove(node: Object3D): boolean {
    for (let above = node.parent; above; above = above.parent) if (bones.has(above)) return true;
    return false;
  }
  for (const bone of bones) add(bone);
  return { nodes, parents };
}
