/** Runs in the browser: draws a glTF model with its volume kept and reads back where the GPU has put its vertices. */
import { presetStack } from '@isoskin/core';
import { typescriptAmountKernels } from '@isoskin/core/kernels';
import { type Form, preserveVolume, type VolumeSkinnedMesh } from '@isoskin/three';
import { sparseNodes } from '@isoskin/three/webgpu';
import { createWasmKernels } from '@isoskin/wasm';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { WebGPURenderer } from 'three/webgpu';
import { createNodeProbe } from './create-node-probe.js';
import { type AnyRenderer, createProbeMaterial, readDrawnPositions } from './read-drawn-positions.js';

export interface DrawnMesh {
  readonly name: string;
  /** #×3, in the space of the model's scene. */
  readonly positions: number[];
  /** The same as `getVertexPosition` has them. */
  readonly read: number[];
  /** What the shapes take on the GPU per vertex; 0 where a WebGPURenderer has them sparse, in the same arrays. */
  readonly bytes: number;
}

export interface DrawnFrame {
  readonly meshes: DrawnMesh[];
  readonly path: string;
  readonly regions: readonly string[];
}

export type PathName = 'typescript' | 'wasm';
export type RendererName = 'webgl' | 'webgpu';

/** Draws `times` of a clip one after the other. */
export async function drawModel(
  url: string,
  kind: RendererName,
  path: PathName,
  clip: number,
  times: readonly number[],
  form: Form,
): Promise<DrawnFrame[]> {
  const gltf = await new GLTFLoader().loadAsync(url);
  const scene = new THREE.Scene();
  const holder = new THREE.Group(); // somewhere in the world: the pose must not depend on it
  holder.position.set(3, -2, 1);
  holder.rotation.set(0.3, 1, -0.2);
  holder.add(gltf.scene);
  scene.add(holder, new THREE.HemisphereLight(0xffffff, 0x445566, 3));
  const camera = new THREE.PerspectiveCamera(40, 4 / 3, 0.01, 1e5);
  const { renderer, probe } = await (kind === 'webgpu' ? openWebgpu() : openWebgl());
  const kernels = path === 'wasm' ? await createWasmKernels({ threads: 1 }) : typescriptAmountKernels;
  const nodes = kind === 'webgpu' ? { nodes: sparseNodes } : {};
  const { bodies, ready } = preserveVolume(gltf, { stack: presetStack('organic'), kernels, form, ...nodes });
  await ready;
  // A clip may leave the picture.
  for (const mesh of bodies.flatMap((body) => body.meshes)) mesh.frustumCulled = false;
  const mixer = new THREE.AnimationMixer(gltf.scene);
  if (gltf.animations[clip]) mixer.clipAction(gltf.animations[clip]!).play();
  aim(camera, gltf.scene);
  const frames: DrawnFrame[] = [];
  for (const time of times) {
    // A WebGPURenderer takes the bones once in a frame of the page.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    mixer.setTime(time);
    renderer.render(scene, camera);
    frames.push(await readFrame(bodies, gltf.scene, renderer, probe));
  }
  renderer.dispose();
  return frames;
}

async function readFrame(
  bodies: readonly VolumeSkinnedMesh[],
  root: THREE.Object3D,
  renderer: AnyRenderer,
  probe: THREE.Material,
): Promise<DrawnFrame> {
  const meshes: DrawnMesh[] = [];
  const point = new THREE.Vector3();
  const toRoot = root.matrixWorld.clone().invert();
  for (const [body, mesh] of bodies.flatMap((each) => each.meshes.map((mesh) => [each, mesh] as const))) {
    const drawn = await readDrawnPositions(renderer, mesh, probe, () => body.update());
    const place = (p: THREE.Vector3) => p.applyMatrix4(mesh.matrixWorld).applyMatrix4(toRoot).toArray();
    const positions: number[] = [];
    const read: number[] = [];
    for (let i = 0; 3 * i < drawn.length; i++) {
      positions.push(...place(point.fromArray(drawn, 3 * i)));
      read.push(...place(mesh.getVertexPosition(i, point)));
    }
    meshes.push({ name: mesh.name, positions, read, bytes: measureBytes(mesh) });
  }
  return { meshes, path: bodies[0]!.path, regions: bodies.flatMap((body) => body.report.names) };
}

function measureBytes({ geometry, material }: THREE.SkinnedMesh): number {
  const { position, normal } = geometry.morphAttributes;
  const { isoskin } = geometry.attributes;
  const count = geometry.attributes.position!.count;
  if (!isoskin) return 16 * ((position?.length ?? 0) + (normal?.length ?? 0));
  const shader = { uniforms: {} as Record<string, { value: THREE.DataTexture }>, vertexShader: '', fragmentShader: '' };
  (material as THREE.Material).onBeforeCompile(shader as never, undefined as never);
  const pairs = shader.uniforms.isoskinPairs?.value.image.data as Int32Array | undefined;
  return pairs ? ((isoskin.array as Float32Array).byteLength + pairs.byteLength) / count : 0;
}

function aim(camera: THREE.PerspectiveCamera, object: THREE.Object3D): void {
  object.updateWorldMatrix(true, true);
  const sphere = new THREE.Box3().setFromObject(object).getBoundingSphere(new THREE.Sphere());
  camera.position.copy(sphere.center).add(new THREE.Vector3(1, 0.6, 2).setLength(3 * sphere.radius));
  camera.lookAt(sphere.center);
}

async function openWebgl() {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setSize(640, 480);
  document.body.append(renderer.domElement);
  return { renderer: renderer as AnyRenderer & { dispose(): void }, probe: createProbeMaterial() };
}

async function openWebgpu() {
  const renderer = new WebGPURenderer({ antialias: true });
  renderer.setSize(640, 480);
  await renderer.init();
  document.body.append(renderer.domElement);
  if (!(renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend) throw new Error('no WebGPU here');
  return { renderer: renderer as unknown as AnyRenderer & { dispose(): void }, probe: createNodeProbe() };
}
