/** A driven file in three.js: clips are blended and a head is turned, and the flesh follows without a solver. */
import { driveThree } from '@isoskin/drive/three';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { listSkinnedMeshes } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const input = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)!;
const stage = createStage({ target: [0, 1, 0], distance: 5, floor: 0 });

// Made by `isoskin bake hero.glb -o driven.glb --drive`.
const gltf = await new GLTFLoader().loadAsync('driven.glb');
stage.scene.add(gltf.scene);
for (const mesh of listSkinnedMeshes(gltf.scene)) mesh.castShadow = mesh.receiveShadow = true;

const player = driveThree(gltf);
const mixer = new THREE.AnimationMixer(gltf.scene);
const [squat, punch] = ['squat', 'punch'].map((name) =>
  mixer.clipAction(gltf.animations.find((clip) => clip.name === name)!).play(),
);
const head = gltf.scene.getObjectByName('head')!;
const { worst, median, linear } = player.amounts.certificate;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
document.querySelector('#message')!.textContent =
  `Poses that were not taught: regions are off by ${percent(median)} (median), ${percent(worst)} at most; linear skinning ${percent(linear.median)}, ${percent(linear.worst)}.`;

stage.run((dt) => {
  squat!.setEffectiveWeight(1 - Number(input('blend').value));
  punch!.setEffectiveWeight(Number(input('blend').value));
  mixer.update(dt);
  head.rotateY(Number(input('head').value));
  player.update();
  if (!input('on').checked) for (const mesh of listSkinnedMeshes(gltf.scene)) mesh.morphTargetInfluences!.fill(0);
});
publish({ player, meshes: listSkinnedMeshes(gltf.scene) });
