/** Runs in the browser: a driven file in Babylon.js, under a blend of two clips and a joint that is turned by code. */
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import type { AssetContainer } from '@babylonjs/core/assetContainer.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import { driveBabylon, type Player } from '@isoskin/drive/babylon';
import { placeVertices } from '../../../babylon/test/place-vertices.js';
import type { DriveViewer } from './drive-viewer.js';

export function createBabylonDrive(): DriveViewer {
  const engine = new Engine(document.createElement('canvas'));
  const scene = new Scene(engine);
  new FreeCamera('camera', new Vector3(0, 0, -10), scene);
  let json: { nodes: readonly { _babylonTransformNode?: TransformNode }[] };
  let container: AssetContainer;
  let player: Player;
  const listNodes = () =>
    json.nodes.flatMap((node, n) => (node._babylonTransformNode ? [[n, node._babylonTransformNode] as const] : []));
  const rest = new Map<TransformNode, readonly [Vector3, Quaternion, Vector3]>();
  return {
    async open(url) {
      const onParsed = (data: { json: unknown }) => {
        json = data.json as typeof json;
      };
      container = await LoadAssetContainerAsync(url, scene, { pluginOptions: { gltf: { onParsed } } });
      container.addAllToScene();
      player = driveBabylon(json);
      for (const group of container.animationGroups) group.stop();
      rest.clear();
      for (const [, node] of listNodes())
        rest.set(node, [node.position.clone(), turnOf(node).clone(), node.scaling.clone()]);
    },
    async pose({ clips, share, time, joint, turn }) {
      const [first, second] = clips.map((name) => {
        for (const [node, [position, rotation, scaling]] of rest) place(node, position, rotation, scaling);
        const group = container.animationGroups.find((one) => one.name === name);
        group?.start(true);
        group?.goToFrame(time * group.targetedAnimations[0]!.animation.framePerSecond);
        group?.stop();
        return new Map(
          listNodes().map(([, node]) => [
            node,
            [node.position.clone(), turnOf(node).clone(), node.scaling.clone()] as const,
          ]),
        );
      });
      for (const [, node] of listNodes()) {
        const [a, b] = [first!.get(node)!, second!.get(node)!];
        place(
          node,
          Vector3.Lerp(a[0], b[0], share),
          Quaternion.Slerp(a[1], b[1], share),
          Vector3.Lerp(a[2], b[2], share),
        );
        if (node.name === joint) node.rotationQuaternion!.multiplyInPlace(new Quaternion(...turn));
      }
      player.update();
      scene.render();
      const locals = listNodes().map(([n, node]) => [
        n,
        ...node.position.asArray(),
        ...turnOf(node).asArray(),
        ...node.scaling.asArray(),
      ]);
      const meshes = container.meshes.filter(({ skeleton }) => skeleton).map(placeVertices);
      return { locals, meshes, amounts: [...player.driver.values] };
    },
  };
}

function turnOf(node: TransformNode): Quaternion {
  return node.rotationQuaternion ?? node.rotation.toQuaternion();
}

function place(node: TransformNode, position: Vector3, rotation: Quaternion, scaling: Vector3): void {
  node.position.copyFrom(position);
  node.rotationQuaternion = rotation.clone();
  node.scaling.copyFrom(scaling);
}
