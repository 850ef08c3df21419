/** Runs in the browser: what a stock mesh can do, it can still do. */
import { type Form, preserveVolume, recordClip } from '@isoskin/three';
import { sparseNodes } from '@isoskin/three/webgpu';
import * as THREE from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { WebGPURenderer } from 'three/webgpu';
import { createNodeProbe } from './create-node-probe.js';
import { bend, createDemoMesh, distance, measureMeshVolume } from './create-skinned-mesh.js';
import { readMesh } from './plain-page.js';
import { type AnyRenderer, createProbeMaterial, readDrawnPositions } from './read-drawn-positions.js';

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

async function open(kind: 'webgl' | 'webgpu') {
  const renderer = kind === 'webgl' ? new THREE.WebGLRenderer() : new WebGPURenderer();
  renderer.setSize(64, 64);
  if (kind === 'webgpu') await (renderer as WebGPURenderer).init();
  const probe = kind === 'webgl' ? createProbeMaterial() : createNodeProbe();
  return { renderer: renderer as unknown as AnyRenderer & { dispose(): void }, probe };
}

function createScene() {
  const { root, mesh } = createDemoMesh('tube', 600);
  const scene = new THREE.Scene();
  scene.add(root, new THREE.HemisphereLight());
  const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
  camera.position.z = 12;
  return { scene, camera, root, mesh };
}

const findMesh = (root: THREE.Object3D) => {
  let found: THREE.SkinnedMesh | undefined;
  root.traverse((object) => {
    if ((object as THREE.SkinnedMesh).isSkinnedMesh) found = object as THREE.SkinnedMesh;
  });
  return found!;
};

/** Two clones of one geometry and material, each in its own pose: largest distance of what is drawn to what three.js says on the CPU, and volumes. */
export async function drawClones(kind: 'webgl' | 'webgpu', form: Form) {
  const { renderer, probe } = await open(kind);
  const { scene, camera, root, mesh } = createScene();
  const rest = measureMeshVolume(readMesh(mesh), mesh.geometry.index!.array);
  const options = { form, ...(kind === 'webgpu' && { nodes: sparseNodes }) };
  const kept = preserveVolume(root, options);
  await kept.ready;
  bend(mesh, 0.9);
  renderer.render(scene, camera);
  const twin = clone(root); // of a mesh that draws shapes
  scene.add(twin);
  const other = preserveVolume(twin, options);
  await other.ready;
  bend(findMesh(twin), -0.5);
  const plain = clone(root); // and one that nobody updates
  scene.add(plain);
  await nextFrame();
  renderer.render(scene, camera);
  let [error, volume] = [0, 0];
  for (const [each, body] of [[mesh, kept] as const, [findMesh(twin), other] as const]) {
    const drawn = await readDrawnPositions(renderer, each, probe, () => body.update());
    error = Math.max(error, distance(drawn, readMesh(each)));
    volume = Math.max(volume, Math.abs(measureMeshVolume(drawn, each.geometry.index!.array) / rest - 1));
  }
  const shared = findMesh(twin).geometry === mesh.geometry;
  const still = await readDrawnPositions(renderer, findMesh(plain), probe);
  renderer.dispose();
  if (form === 'sparse') kept.enabled = false; // a clone of that form is one of the original
  return { error, volume, shared, plain: distance(still, readMesh(mesh)) };
}

/** A scene with a recorded clip as .glb and as JSON, and where its vertices are at some times. */
export async function exportScene(form: Form) {
  const { root, mesh } = createDemoMesh('tube', 600);
  const times = [0, 0.25, 0.5, 1];
  const bones = mesh.skeleton.bones.slice(1);
  const tracks = bones.map((bone) => {
    const turn = (angle: number) =>
      new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), angle).toArray();
    const values = [0, 0.6, 1.1].flatMap(turn);
    return new THREE.QuaternionKeyframeTrack(`${bone.name}.quaternion`, [0, 0.5, 1], values);
  });
  const clip = new THREE.AnimationClip('bend', 1, tracks);
  const kept = preserveVolume(root, { auto: false, form });
  await kept.ready;
  kept.update();
  const recorded = recordClip(root, kept, clip, 60);
  const mixer = new THREE.AnimationMixer(root);
  const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const frames = times.map((time) => {
    mixer.setTime(time);
    kept.update();
    return Array.from(readMesh(mesh));
  });
  root.animations = [recorded];
  const json = JSON.stringify(root.toJSON());
  const bytes = (await new GLTFExporter().parseAsync(root, { binary: true, animations: [recorded] })) as ArrayBuffer;
  return { times, frames, json, glb: Array.from(new Uint8Array(bytes)) };
}

/** Two renderers draw the same scene; the context of one is lost and comes back. Pixels that differ. */
export async function loseContext(form: Form) {
  const { scene, camera, root, mesh } = createScene();
  await preserveVolume(root, { form }).ready;
  bend(mesh, 0.9);
  const renderers = [0, 1].map(() => {
    const renderer = new THREE.WebGLRenderer();
    renderer.setSize(96, 96);
    document.body.append(renderer.domElement);
    return renderer;
  });
  const [first, second] = renderers as [THREE.WebGLRenderer, THREE.WebGLRenderer];
  const take = (renderer: THREE.WebGLRenderer) => {
    renderer.render(scene, camera);
    const gl = renderer.getContext();
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const differ = (a: Uint8Array, b: Uint8Array) => a.reduce((sum, value, i) => sum + (value === b[i] ? 0 : 1), 0);
  const before = take(first);
  const other = differ(before, take(second));
  const [lost, back] = ['webglcontextlost', 'webglcontextrestored'].map(
    (name) => new Promise((resolve) => first.domElement.addEventListener(name, resolve, { once: true })),
  );
  first.forceContextLoss();
  await lost;
  first.render(scene, camera); // as a page that draws all the time does
  await new Promise((resolve) => setTimeout(resolve, 200));
  first.forceContextRestore();
  await back;
  bend(mesh, 0.2);
  const after = take(first);
  return {
    other,
    lit: differ(before, new Uint8Array(before.length)),
    moved: differ(after, before),
    both: differ(after, take(second)),
  };
}

/** Bodies made and given back: what renderer.info counts, and the heap after the first ones and after all. */
export async function repeat(cycles: number, form: Form) {
  const { scene, camera, root, mesh } = createScene();
  const renderer = new THREE.WebGLRenderer();
  renderer.setSize(32, 32);
  const measure = async () => {
    for (let n = 0; n < 3; n++) {
      (globalThis as unknown as { gc(): void }).gc();
      await new Promise((resolve) => setTimeout(resolve, 200)); // buffers are swept beside
    }
    const { memory } = performance as unknown as { memory: { usedJSHeapSize: number } };
    return { ...renderer.info.memory, programs: renderer.info.programs!.length, heap: memory.usedJSHeapSize };
  };
  const run = () => {
    const kept = preserveVolume(root, { form });
    bend(mesh, 0.01);
    renderer.render(scene, camera);
    kept.dispose();
    renderer.render(scene, camera);
  };
  const first = preserveVolume(root);
  await first.ready; // planned: from now on it is known
  first.dispose();
  for (let n = 0; n < 20; n++) run();
  const before = await measure();
  for (let n = 0; n < cycles; n++) {
    run();
    if (n % 50 === 0) await nextFrame();
  }
  return { before, after: await measure() };
}
