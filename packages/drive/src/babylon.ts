/**
 * Babylon.js: amounts for whatever moves the skeleton.
 *
 *   let json;
 *   await AppendSceneAsync(url, scene, { pluginOptions: { gltf: { onParsed: (data) => (json = data.json) } } });
 *   const player = driveBabylon(json);
 *   scene.onAfterAnimationsObservable.add(() => player.update());
 */
import { type PlayedNode, type Player, play, type Quaternion } from './play.js';

export type { Player } from './play.js';

interface BabylonNode {
  readonly rotationQuaternion?: Quaternion | null;
  readonly rotation?: { toQuaternion(): Quaternion };
}

interface BabylonMesh {
  readonly morphTargetManager?: {
    readonly numTargets: number;
    getTarget(i: number): { readonly name: string; influence: number };
  } | null;
}

/** A node of the parsed file, where Babylon's loader leaves what it made of it. */
interface ParsedNode {
  readonly _babylonTransformNode?: BabylonNode;
  readonly _primitiveBabylonMeshes?: readonly BabylonMesh[];
}

/** @param json what the loader's `onParsed` gave, after it has loaded */
export function driveBabylon(json: object): Player {
  const { nodes } = json as { nodes?: readonly ParsedNode[] };
  return play(json, (n) => {
    const node = nodes?.[n]?._babylonTransformNode;
    return node && describe(node, nodes[n]!._primitiveBabylonMeshes ?? []);
  });
}

function describe(node: BabylonNode, meshes: readonly BabylonMesh[]): PlayedNode {
  const managers = meshes.flatMap(({ morphTargetManager }) => morphTargetManager ?? []);
  const [first] = managers;
  return {
    targets: Array.from({ length: first?.numTargets ?? 0 }, (_, i) => first!.getTarget(i).name),
    rotation: () => node.rotationQuaternion ?? node.rotation!.toQuaternion(),
    getWeight: (target) => first!.getTarget(target).influence,
    setWeight(target, weight) {
      for (const manager of managers) manager.getTarget(target).influence = weight;
    },
  };
}
