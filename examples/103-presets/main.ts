/** The same bend under every preset. */
import { PRESET_NAMES } from '@isoskin/core';
import { preserveVolume } from '@isoskin/three';
import { fullStack } from '@isoskin/three/full-stack';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { listSkinnedMeshes, loadDemo, play } from '../shared/load-demo.js';
import { measureDrawnVolume, publish } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const COLOURS = [0xd9a066, 0x6aa9c9, 0xc9705f, 0x8cb369, 0xd98ba8, 0xa58bc4, 0xc7c25a, 0x7fb8a4];
const stage = createStage({ target: [0, 2, 0], distance: 61, height: 0.15, floor: -4 });
const gltf = await loadDemo('finger', 900);
const rest = measureDrawnVolume(listSkinnedMeshes(gltf.scene)[0]!);

const fingers = PRESET_NAMES.map((preset, i) => {
  const root = clone(gltf.scene);
  const mesh = listSkinnedMeshes(root)[0]!;
  const material = (mesh.material as THREE.MeshStandardMaterial).clone();
  material.color.set(COLOURS[i]!);
  mesh.material = material;
  root.position.x = 5.2 * (i - (PRESET_NAMES.length - 1) / 2);
  stage.scene.add(root);
  // `flesh` and `global` are more than the small runtime holds: fullStack brings all layers and methods.
  preserveVolume(root, { preset, fullStack });
  stage.tag(preset, new THREE.Vector3(root.position.x, -4.6, 0));
  return { preset, mesh, mixer: play(gltf, root, 'curl') };
});

let speed = 1;
const pause = document.querySelector<HTMLButtonElement>('#pause')!;
pause.onclick = () => {
  speed = 1 - speed;
  pause.textContent = speed ? 'Pause' : 'Play';
};
stage.run((dt) => {
  for (const { mixer } of fingers) mixer.update(speed * dt);
  publish({
    volumes: Object.fromEntries(fingers.map(({ preset, mesh }) => [preset, measureDrawnVolume(mesh) / rest])),
  });
});
