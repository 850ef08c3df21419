/** Runs in the browser: a driven file in three.js, under a blend of two clips and a joint that is turned by code. */
import { driveThree, type Player } from '@isoskin/drive/three';
import * as THREE from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { DriveViewer, Played } from './drive-viewer.js';

export function createThreeDrive(): DriveViewer {
  let gltf: GLTF;
  let player: Player;
  return {
    async open(url) {
      gltf = await new GLTFLoader().loadAsync(url);
      player = driveThree(gltf);
    },
    async pose({ clips: [first, second], share, time, joint, turn }) {
      const mixer = new THREE.AnimationMixer(gltf.scene);
      for (const [name, weight] of [
        [first, 1 - share],
        [second, share],
      ] as const) {
        const clip = gltf.animations.find((one) => one.name === name);
        if (clip) mixer.clipAction(clip).play().setEffectiveWeight(weight);
      }
      mixer.setTime(time);
      gltf.scene.getObjectByName(joint)?.quaternion.multiply(new THREE.Quaternion(...turn));
      player.update();
      gltf.scene.updateMatrixWorld(true);
      const played: Played = { locals: [], meshes: [], amounts: [...player.driver.values] };
      for (const [object, reference] of gltf.parser.associations) {
        const nodes = (reference as typeof reference | undefined)?.nodes;
        if (nodes === undefined || !(object instanceof THREE.Object3D)) continue;
        const { position, quaternion, scale } = object;
        played.locals.push([nodes, ...position.toArray(), ...quaternion.toArray(), ...scale.toArray()]);
      }
      gltf.scene.traverse((object) => {
        if (object instanceof THREE.SkinnedMesh) played.meshes.push(placeVertices(object));
      });
      mixer.stopAllAction();
      return played;
    },
  };
}

function placeVertices(mesh: THREE.SkinnedMesh): number[] {
  const point = new THREE.Vector3();
  mesh.skeleton.update();
  return Array.from({ length: mesh.geometry.attributes.position!.count }, (_, i) =>
    mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).toArray(),
  ).flat();
}
