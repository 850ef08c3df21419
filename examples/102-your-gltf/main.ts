/** Any glTF character: dropped, read by GLTFLoader, kept. */
import { type PreservedVolume, preserveVolume } from '@isoskin/three';
import * as THREE from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { loadDemo, play } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const stage = createStage({ target: [0, 1, 0], distance: 6, floor: 0 });
const on = document.querySelector<HTMLInputElement>('#on')!;
const clips = document.querySelector<HTMLSelectElement>('#clip')!;
const message = document.querySelector<HTMLElement>('#message')!;
let kept: PreservedVolume | undefined;
let model: THREE.Object3D | undefined;
let mixer: THREE.AnimationMixer | undefined;

async function show(gltf: GLTF, name: string): Promise<void> {
  kept?.dispose();
  model?.removeFromParent();
  model = gltf.scene;
  standOnFloor(model);
  stage.scene.add(model);
  clips.replaceChildren(...gltf.animations.map((clip) => new Option(clip.name || 'clip', clip.name)));
  clips.onchange = () => {
    mixer = play(gltf, gltf.scene, clips.value);
  };
  mixer = play(gltf, gltf.scene);
  try {
    kept = preserveVolume(gltf);
    kept.enabled = on.checked;
    await kept.ready;
    const vertices = kept.bodies.reduce((sum, body) => sum + body.character.surface.vertexCount, 0);
    message.textContent = `${name}: ${vertices} vertices, ${kept.bodies.length === 1 ? 'one body' : `${kept.bodies.length} bodies`}`;
    publish({ kept, vertices });
  } catch (error) {
    message.textContent = (error as Error).message;
  }
}

/** Two units high, standing on the floor. */
function standOnFloor(object: THREE.Object3D): void {
  const box = new THREE.Box3().setFromObject(object, true);
  const scale = 2 / box.getSize(new THREE.Vector3()).y;
  object.scale.multiplyScalar(scale);
  const centre = box.getCenter(new THREE.Vector3()).multiplyScalar(scale);
  object.position.set(-centre.x, -box.min.y * scale, -centre.z);
}

on.onchange = () => {
  if (kept) kept.enabled = on.checked;
};
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  try {
    await show(await loader.parseAsync(await file.arrayBuffer(), ''), file.name);
  } catch (error) {
    message.textContent = `${file.name} cannot be read: ${(error as Error).message}`;
  }
});

await show(await loadDemo('elephant', 3500, 0x9aa3ad), 'elephant');
stage.run((dt) => mixer?.update(dt));
