/** The project's own characters as glTF, made in the page: nothing is downloaded. */

import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import * as THREE from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export async function loadDemo(name: string, vertices?: number, colour = 0xd9a066): Promise<GLTF> {
  const character = createDemo(name, vertices ? { vertices } : {});
  const { r, g, b } = new THREE.Color(colour);
  const bytes = await writeCharacter(character, { colours: [[r, g, b]] });
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer as ArrayBuffer, '');
  gltf.scene.traverse((object) => {
    object.castShadow = true;
    object.receiveShadow = true;
  });
  return gltf;
}

export function listSkinnedMeshes(root: THREE.Object3D): THREE.SkinnedMesh[] {
  const meshes: THREE.SkinnedMesh[] = [];
  root.traverse((object) => {
    if ((object as THREE.SkinnedMesh).skeleton) meshes.push(object as THREE.SkinnedMesh);
  });
  return meshes;
}

/** Plays a clip by name (or the first one) without end. */
export function play(
  gltf: { animations: THREE.AnimationClip[] },
  root: THREE.Object3D,
  name?: string,
): THREE.AnimationMixer {
  const mixer = new THREE.AnimationMixer(root);
  const clip = gltf.animations.find((each) => each.name === name) ?? gltf.animations[0];
  if (clip) mixer.clipAction(clip).play();
  return mixer;
}
