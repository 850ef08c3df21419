/** Plain skinning above, the same mesh with its volume kept below. */
import { preserveVolume } from '@isoskin/three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { listSkinnedMeshes, loadDemo, play } from '../shared/load-demo.js';
import { measureDrawnVolume, publish, showChange } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const stage = createStage({ distance: 21, height: 0.1 });
const gltf = await loadDemo('tube', 1000);
const plain = clone(gltf.scene);
plain.position.y = 2;
gltf.scene.position.y = -1.8;
stage.scene.add(plain, gltf.scene);

preserveVolume(gltf.scene, { preset: 'organic' }); // that is all

const mixers = [plain, gltf.scene].map((root) => play(gltf, root));
const meshes = [plain, gltf.scene].map((root) => listSkinnedMeshes(root)[0]!);
const rest = measureDrawnVolume(meshes[0]!);
stage.run((dt) => {
  for (const mixer of mixers) mixer.update(dt);
  const [skinned, kept] = meshes.map((mesh) => measureDrawnVolume(mesh) / rest) as [number, number];
  showChange(document.querySelector('#skinned')!, skinned);
  showChange(document.querySelector('#kept')!, kept);
  publish({ skinned, kept });
});
