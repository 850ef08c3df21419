/** Runs in the browser: one scene in which characters come, play and go. Models are loaded once, as a game does. */
import { typescriptAmountKernels } from '@isoskin/core/kernels';
import { preserveVolume } from '@isoskin/three';
import { fullStack } from '@isoskin/three/full-stack';
import { createWasmKernels } from '@isoskin/wasm';
import * as THREE from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 3));
const camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1e5);
const renderer = new THREE.WebGLRenderer();
renderer.setSize(128, 128);
const loaded = new Map<string, GLTF>();
const kernels = await createWasmKernels({ threads: 1 });

/** Comes, keeps the volume, plays some frames, switches off and on, disposes; a number for where the vertices were last. */
async function live(url: string, isWasm: boolean, preset: string, share: number): Promise<string> {
  if (!loaded.has(url)) loaded.set(url, await new GLTFLoader().loadAsync(url));
  const { scene: original, animations } = loaded.get(url)!;
  const character = clone(original);
  scene.add(character);
  const box = new THREE.Box3().setFromObject(character);
  const size = box.getSize(new THREE.Vector3()).length();
  box.getCenter(camera.position).z += size;
  const kept = preserveVolume(character, {
    preset: preset as 'organic',
    fullStack,
    kernels: isWasm ? kernels : typescriptAmountKernels,
  });
  await kept.ready;
  const meshes = kept.bodies.flatMap((body) => body.meshes);
  for (const mesh of meshes) mesh.frustumCulled = false;
  const mixer = new THREE.AnimationMixer(character);
  const clip = animations[0];
  if (clip) mixer.clipAction(clip).play();
  const draw = (at: number): void => {
    mixer.setTime(clip ? at * clip.duration : 0);
    renderer.render(scene, camera);
  };
  for (let n = 0; n < 4; n++) draw(Math.random());
  kept.enabled = false;
  draw(0.3);
  kept.enabled = true;
  draw(share);
  let sum = 0;
  const point = new THREE.Vector3();
  for (const mesh of meshes) {
    for (let v = 0; v < mesh.geometry.attributes.position!.count; v += 7) {
      mesh.getVertexPosition(v, point);
      sum += point.x + 2 * point.y + 3 * point.z;
    }
  }
  if (!Number.isFinite(sum)) throw new Error(`${url}: a vertex is nowhere`);
  kept.dispose();
  draw(share); // the original again
  scene.remove(character);
  mixer.uncacheRoot(character);
  character.traverse((object) => (object as THREE.SkinnedMesh).skeleton?.dispose());
  renderer.render(scene, camera);
  return (sum / size).toPrecision(4);
}

const measure = () => ({
  ...renderer.info.memory,
  programs: renderer.info.programs!.length,
  wasm: kernels.byteLength,
});

Object.assign(window, { soak: { live, measure } });
