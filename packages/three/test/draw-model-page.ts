/** Runs in the browser: draws a glTF model with its volume kept and reads back what the GPU holds. */
import { type FrameKernels, presetStack } from '@isoskin/core';
import { preserveVolume, type VolumeOptions, type VolumeSkinnedMesh } from '@isoskin/three';
import { createWasmKernels } from '@isoskin/three/wasm';
import { webgpu } from '@isoskin/three/webgpu';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { WebGPURenderer } from 'three/webgpu';

export interface DrawnMesh {
  readonly name: string;
  /** #×3, in the space of the model's scene. */
  readonly positions: number[];
}

export interface DrawnFrame {
  readonly meshes: DrawnMesh[];
  readonly path: string;
  readonly regions: readonly string[];
}

export type PathName = 'typescript' | 'wasm' | 'webgpu';

type ReadBack = (attribute: THREE.BufferAttribute) => Promise<Float32Array>;

/** Draws `times` of a clip one after the other; what the last one left in the vertex buffers comes back. */
export async function drawModel(
  url: string,
  path: PathName,
  clip: number,
  times: readonly number[],
): Promise<DrawnFrame[]> {
  const gltf = await new GLTFLoader().loadAsync(url);
  const scene = new THREE.Scene();
  const holder = new THREE.Group(); // somewhere in the world: the pose must not depend on it
  holder.position.set(3, -2, 1);
  holder.rotation.set(0.3, 1, -0.2);
  holder.add(gltf.scene);
  scene.add(holder, new THREE.HemisphereLight(0xffffff, 0x445566, 3));
  const camera = new THREE.PerspectiveCamera(40, 4 / 3, 0.01, 1e5);
  const { renderer, readBack } = await (path === 'webgpu' ? openWebgpu() : openWebgl());
  let kernels: FrameKernels | undefined;
  if (path === 'wasm') kernels = await createWasmKernels({ threads: 1 });
  const options: VolumeOptions = {
    stack: presetStack('organic'),
    ...(kernels && { kernels }),
    ...(path === 'webgpu' && { webgpu }),
  };
  const { bodies, ready } = preserveVolume(gltf.scene, options);
  await ready;
  // A clip may leave the picture; what is not seen is not uploaded.
  for (const mesh of bodies.flatMap((body) => body.meshes)) mesh.frustumCulled = false;
  const mixer = new THREE.AnimationMixer(gltf.scene);
  if (gltf.animations[clip]) mixer.clipAction(gltf.animations[clip]!).play();
  aim(camera, gltf.scene);
  const frames: DrawnFrame[] = [];
  for (const time of times) {
    mixer.setTime(time);
    renderer.render(scene, camera);
    if (path === 'webgpu') renderer.render(scene, camera); // the first one chooses the path
    frames.push(await readFrame(bodies, gltf.scene, readBack));
  }
  return frames;
}

async function readFrame(
  bodies: readonly VolumeSkinnedMesh[],
  root: THREE.Object3D,
  readBack: ReadBack,
): Promise<DrawnFrame> {
  const meshes: DrawnMesh[] = [];
  const point = new THREE.Vector3();
  const toRoot = root.matrixWorld.clone().invert();
  for (const mesh of bodies.flatMap((body) => body.meshes)) {
    const attribute = mesh.geometry.attributes.position as THREE.BufferAttribute;
    const array = await readBack(attribute);
    const stride = array.length / attribute.count;
    const positions: number[] = [];
    for (let i = 0; i < attribute.count; i++) {
      point
        .fromArray(array, stride * i)
        .applyMatrix4(mesh.matrixWorld)
        .applyMatrix4(toRoot);
      positions.push(point.x, point.y, point.z);
    }
    meshes.push({ name: mesh.name, positions });
  }
  return { meshes, path: bodies[0]!.path, regions: bodies.flatMap((body) => body.report.names) };
}

function aim(camera: THREE.PerspectiveCamera, object: THREE.Object3D): void {
  object.updateWorldMatrix(true, true);
  const sphere = new THREE.Box3().setFromObject(object).getBoundingSphere(new THREE.Sphere());
  camera.position.copy(sphere.center).add(new THREE.Vector3(1, 0.6, 2).setLength(3 * sphere.radius));
  camera.lookAt(sphere.center);
}

function addCanvas(canvas: HTMLCanvasElement): void {
  document.body.append(canvas);
}

/** WebGL: notes which buffer every array was uploaded to, and reads that buffer. */
async function openWebgl() {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setSize(640, 480);
  addCanvas(renderer.domElement);
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const buffers = new Map<ArrayBufferLike, WebGLBuffer>();
  for (const name of ['bufferData', 'bufferSubData'] as const) {
    const upload = gl[name].bind(gl) as (...values: unknown[]) => void;
    (gl as unknown as Record<string, unknown>)[name] = (...values: unknown[]) => {
      const array = values.find((value) => ArrayBuffer.isView(value)) as ArrayBufferView | undefined;
      if (array) buffers.set(array.buffer, gl.getParameter(gl.ARRAY_BUFFER_BINDING));
      upload(...values);
    };
  }
  const readBack: ReadBack = async (attribute) => {
    const out = new Float32Array(attribute.array.length);
    gl.bindBuffer(gl.COPY_READ_BUFFER, buffers.get(attribute.array.buffer) ?? null);
    gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, out);
    return out;
  };
  return { renderer: renderer as { render(scene: THREE.Scene, camera: THREE.Camera): void }, readBack };
}

async function openWebgpu() {
  const renderer = new WebGPURenderer({ antialias: true });
  renderer.setSize(640, 480);
  await renderer.init();
  addCanvas(renderer.domElement);
  if (!(renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend) throw new Error('no WebGPU here');
  const readBack: ReadBack = async (attribute) =>
    new Float32Array((await renderer.getArrayBufferAsync(attribute)) as ArrayBuffer);
  return { renderer: renderer as { render(scene: THREE.Scene, camera: THREE.Camera): void }, readBack };
}
