/** The same two lines with a WebGPURenderer: it morphs and skins the mesh, as it does any other. */
import { preserveVolume } from '@isoskin/three';
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

const kept = preserveVolume(gltf);

const on = document.querySelector<HTMLInputElement>('#on')!;
on.onchange = () => {
  kept.enabled = on.checked;
};
const mixer = play(gltf, gltf.scene, 'neck');
stage.run((dt) => {
  mixer.update(dt);
  const { isWebGPUBackend = false } = renderer.backend as { isWebGPUBackend?: boolean };
  publish({ isWebGPUBackend, kept });
});
