/**
 * three.js: amounts for whatever moves the skeleton.
 *
 *   const player = driveThree(gltf);            // what GLTFLoader gives
 *   mixer.update(dt); head.rotateY(angle);
 *   player.update(); renderer.render(scene, camera);
 */
import { type PlayedNode, type Player, play, type Quaternion } from './play.js';

export type { Player } from './play.js';

interface Node3D {
  readonly quaternion: Quaternion;
  readonly children: readonly object[];
  readonly morphTargetInfluences?: number[] | undefined;
  readonly morphTargetDictionary?: Readonly<Record<string, number>> | undefined;
}

/** What a driver needs of GLTFLoader's answer. */
export interface LoadedGltf {
  readonly scene: object;
  readonly parser: {
    readonly json: { readonly extensions?: object | undefined };
    readonly associations: Iterable<readonly [object, { readonly nodes?: number | undefined } | undefined]>;
  };
}

/** @param root `gltf.scene`, or a copy of it (SkeletonUtils.clone) */
export function driveThree({ parser, scene }: LoadedGltf, root: object = scene): Player {
  const copies = new Map<object, object>();
  pairNodes(scene as Node3D, root as Node3D, copies);
  const nodes = new Map<number, Node3D>();
  for (const [object, reference] of parser.associations) {
    if (reference?.nodes !== undefined && copies.has(object)) nodes.set(reference.nodes, copies.get(object) as Node3D);
  }
  const owners = new Set<object>(nodes.values());
  return play(parser.json, (n) => {
    const node = nodes.get(n);
    return node && describe(node, owners);
  });
}

function pairNodes(node: Node3D, copy: Node3D | undefined, out: Map<object, object>): void {
  if (!copy) return;
  out.set(node, copy);
  node.children.forEach((child, i) => {
    pairNodes(child as Node3D, copy.children[i] as Node3D | undefined, out);
  });
}

/** A mesh of several primitives is a group of meshes. */
function describe(node: Node3D, owners: ReadonlySet<object>): PlayedNode {
  const parts = [node, ...(node.children as readonly Node3D[]).filter((child) => !owners.has(child))];
  const meshes = parts.filter(({ morphTargetInfluences }) => morphTargetInfluences);
  const targets: string[] = [];
  for (const [name, i] of Object.entries(meshes[0]?.morphTargetDictionary ?? {})) targets[i] = name;
  return {
    targets,
    rotation: () => node.quaternion,
    getWeight: (target) => meshes[0]!.morphTargetInfluences![target] ?? 0,
    setWeight(target, weight) {
      for (const mesh of meshes) mesh.morphTargetInfluences![target] = weight;
    },
  };
}
