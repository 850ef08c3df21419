/** Many characters, one plan. */
import { VolumeSkinnedMesh } from '@isoskin/three';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { listSkinnedMeshes, loadDemo } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const COUNT = Number(new URLSearchParams(location.search).get('count') ?? 100);
const stage = createStage({ target: [0, 0.9, 0], distance: 14, height: 0.3, floor: 0 });
const gltf = await loadDemo('hero', 1500);
const random = mulberry(7);

const people = Array.from({ length: COUNT }, (_, i) => {
  const root = clone(gltf.scene);
  const side = Math.ceil(Math.sqrt(COUNT));
  root.position.set((i % side) - (side - 1) / 2, 0, 1.5 - Math.trunc(i / side)).multiplyScalar(1.6);
  root.rotation.y = 0.6 * (random() - 0.5);
  stage.scene.add(root);
  const mesh = listSkinnedMeshes(root)[0]!;
  const material = (mesh.material as THREE.MeshStandardMaterial).clone();
  material.color.setHSL(random(), 0.35, 0.62);
  mesh.material = material;
  const mixer = new THREE.AnimationMixer(root);
  const clip = gltf.animations[i % gltf.animations.length]!;
  mixer.clipAction(clip).play();
  mixer.setTime(clip.duration * random());
  mixer.timeScale = 0.8 + 0.4 * random();
  // Full rate up to 12 units, less beyond; from 60 on the original; never more than 6 ms a frame for all of them.
  const body = new VolumeSkinnedMesh(mesh, { detail: { near: 12, far: 60, budget: 6 } });
  return { mixer, body };
});

await Promise.all(people.map(({ body }) => body.ready));

const cells = ['count', 'updates', 'cost'].map((id) => document.querySelector<HTMLElement>(`#${id}`)!);
let smooth = 0;
stage.run((dt) => {
  for (const { mixer } of people) mixer.update(dt);
  // What the last frame did: bodies drawn in it, and their time.
  const newest = Math.max(...people.map(({ body }) => body.drawnAt));
  const drawn = people.filter(({ body }) => newest - body.drawnAt < 12);
  const cost = drawn.reduce((sum, { body }) => sum + body.cost, 0);
  smooth += 0.1 * (cost - smooth);
  [String(COUNT), String(drawn.length), smooth.toFixed(1)].forEach((text, i) => {
    cells[i]!.textContent = text;
  });
  publish({ plans: new Set(people.map(({ body }) => body.plan)).size, bodies: people.map(({ body }) => body), cost });
});

/** Random numbers that are the same every time. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
