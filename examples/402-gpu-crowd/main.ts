/** A crowd on the GPU: two lines, one draw. */
import { VolumeCrowd } from '@isoskin/three/webgpu';
import * as THREE from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { loadDemo } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';
import { type AnyRenderer, createStage } from '../shared/stage.js';

const COUNT = Number(new URLSearchParams(location.search).get('count') ?? 500);
const renderer = new WebGPURenderer({ antialias: true });
await renderer.init();
const stage = createStage({
  target: [0, 0.9, 0],
  distance: 14,
  height: 0.3,
  floor: 0,
  renderer: renderer as unknown as AnyRenderer,
});
const gltf = await loadDemo('hero', 1500);

const crowd = new VolumeCrowd(gltf, COUNT);
stage.scene.add(crowd);

await crowd.ready;
const side = Math.ceil(Math.sqrt(COUNT));
for (let i = 0; i < COUNT; i++) {
  const place = new THREE.Vector3((i % side) - (side - 1) / 2, 0, 1.5 - Math.trunc(i / side)).multiplyScalar(1.6);
  crowd.setMatrixAt(i, new THREE.Matrix4().setPosition(place));
  const clip = gltf.animations[i % gltf.animations.length]!;
  crowd.play(i, clip.name, clip.duration * ((0.618 * i) % 1), 0.8 + 0.4 * ((0.37 * i) % 1));
}

const cells = ['count', 'path', 'memory'].map((id) => document.querySelector<HTMLElement>(`#${id}`)!);
stage.run((dt) => {
  crowd.update(dt);
  [String(COUNT), crowd.path, (crowd.bytes / 1e6).toFixed(1)].forEach((text, i) => {
    cells[i]!.textContent = text;
  });
  publish({ crowd });
});
