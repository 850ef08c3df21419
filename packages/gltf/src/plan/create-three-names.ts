/** The names that GLTFLoader gives to nodes and skinned meshes: without what its animations cannot name, each once. */
import type { GLTF } from '@gltf-transform/core';

export interface ThreeNames {
  readonly nodes: ReadonlyMap<number, string>;
  /** Node → the names of its mesh's primitives. */
  readonly meshes: ReadonlyMap<number, readonly string[]>;
}

export function createThreeNames(
  json: GLTF.IGLTF,
  skinned: readonly { readonly node: number; readonly mesh: number }[],
): ThreeNames {
  const used = new Map<string, number>();
  const unique = (name: string): string => {
    const plain = name.replace(/\s/g, '_').replace(/[[\].:/]/g, '');
    const times = used.get(plain);
    used.set(plain, times === undefined ? 0 : times + 1);
    return times === undefined ? plain : `${plain}_${times + 1}`;
  };
  const nodes = new Map<number, string>();
  const reserve = (node: number): void => {
    if (nodes.has(node)) return;
    const { name } = json.nodes![node]!;
    nodes.set(node, name ? unique(name) : '');
  };
  // A node before its children, and these before the joints of its skin.
  const visit = (node: number): void => {
    reserve(node);
    const { children = [], skin } = json.nodes![node]!;
    children.forEach(visit);
    if (skin !== undefined) json.skins![skin]!.joints.forEach(reserve);
  };
  for (const scene of json.scenes ?? []) {
    if (scene.name) unique(scene.name);
    scene.nodes?.forEach(visit);
  }
  // Meshes come later, as their data has to be loaded first.
  const meshes = new Map(
    skinned.map(({ node, mesh }, m) => {
      const { name, primitives } = json.meshes![mesh]!;
      const own = primitives.map(() => unique(name || `mesh_${mesh}`));
      return [
        node,
        own.length === 1 && nodes.get(node) ? [nodes.get(node)!] : own.map((one) => one || `mesh ${m + 1}`),
      ];
    }),
  );
  return { nodes, meshes };
}
