/** The kernels run on the renderer's own device and write the buffers that it draws from. */
import { preserveVolume } from '@isoskin/three';
import { webgpu } from '@isoskin/three/webgpu';
import { WebGPURenderer } from 'three/webgpu';
import { loadDemo, play } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';
import { type AnyRenderer, createStage } from '../shared/stage.js';

const renderer = new WebGPURenderer({ antialias: true });
await renderer.init();
const stage = createStage({
  target: [0, 2, 0.3],
  distance: 12,
  floor: 0,
  renderer: renderer as unknown as AnyRenderer,
});
const gltf = await loadDemo('giraffe', 3000, 0xd8b26e);
stage.scene.add(gltf.scene);

const kept = preserveVolume(gltf.scene, { preset: 'organic', webgpu });

const message = document.querySelector<HTMLElement>('#message')!;
const on = document.querySelector<HTMLInputElement>('#on')!;
on.onchange = () => {
  kept.enabled = on.checked;
};
const mixer = play(gltf, gltf.scene, 'neck');
stage.run((dt) => {
  mixer.update(dt);
  const path = kept.bodies[0]!.path;
  message.textContent = path === 'webgpu' ? '' : 'No WebGPU here: the same kernels run on the CPU.';
  publish({ path, kept });
});
