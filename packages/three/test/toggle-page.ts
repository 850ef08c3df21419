/** Runs in the browser: one bent tube with a shadow, original, kept, original again, as pixels. */
import { preserveVolume } from '@isoskin/three';
import { createWasmKernels } from '@isoskin/three/wasm';
import { webgpu } from '@isoskin/three/webgpu';
import * as THREE from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { bend, createDemoMesh } from './create-skinned-mesh.js';

export interface Toggled {
  readonly path: string;
  /** Pixels that differ from the first picture; those of `again` from the one that was kept. */
  readonly kept: number;
  readonly off: number;
  readonly again: number;
  readonly disposed: number;
  /** Pixels of the first picture that the mesh or its shadow covers. */
  readonly covered: number;
  /** Nothing is drawn on a layer that the camera does not see. */
  readonly otherLayer: number;
  /** Distance between vertices read on the CPU (raycasts) and those in the buffers that are drawn. */
  readonly readError: number;
}

const SIZE = 128;

type Renderer = {
  shadowMap: { enabled: boolean };
  render(scene: THREE.Scene, camera: THREE.Camera): void;
  setRenderTarget(target: THREE.RenderTarget | null): void;
  readRenderTargetPixelsAsync(...values: unknown[]): Promise<ArrayLike<number>>;
};

export async function toggle(kind: 'webgl' | 'webgpu'): Promise<Toggled> {
  const { root, mesh } = createDemoMesh('tube', 600);
  mesh.castShadow = true;
  bend(mesh, 1.2);
  const scene = new THREE.Scene();
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(2, 8, 3);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -6, right: 6, top: 6, bottom: -6 });
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(30, 30), new THREE.MeshStandardMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -3;
  floor.receiveShadow = true;
  scene.add(root, sun, floor, new THREE.HemisphereLight(0xffffff, 0x667788, 1));
  const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
  camera.position.set(4, 5, 10);
  camera.lookAt(0, 0, 0);

  const isGpu = kind === 'webgpu';
  const renderer = isGpu ? new WebGPURenderer() : new THREE.WebGLRenderer();
  if (isGpu) await (renderer as WebGPURenderer).init();
  const any = renderer as unknown as Renderer;
  any.shadowMap.enabled = true;
  const target = isGpu ? new THREE.RenderTarget(SIZE, SIZE) : new THREE.WebGLRenderTarget(SIZE, SIZE);
  any.setRenderTarget(target);
  const take = async () => {
    // Shadows of a WebGPURenderer are drawn once in a frame of the page.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    any.render(scene, camera);
    const values = [target, 0, 0, SIZE, SIZE];
    if (isGpu) return Uint8Array.from(await any.readRenderTargetPixelsAsync(...values));
    return Uint8Array.from(await any.readRenderTargetPixelsAsync(...values, new Uint8Array(4 * SIZE * SIZE)));
  };
  const count = (a: Uint8Array, b: Uint8Array) => {
    let differ = 0;
    for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some((k) => a[i + k] !== b[i + k])) differ++;
    return differ;
  };

  const original = await take();
  root.visible = false;
  const empty = await take();
  root.visible = true;
  const body = preserveVolume(root, isGpu ? { webgpu } : { kernels: await createWasmKernels({ threads: 1 }) });
  await take(); // the first picture tells the body its renderer
  const kept = await take();
  const { path } = body.bodies[0]!;
  const readError = await compareReading(mesh, isGpu ? (renderer as WebGPURenderer) : undefined);
  body.enabled = false;
  const off = await take();
  body.enabled = true;
  const again = await take();
  mesh.layers.set(3);
  const otherLayer = await take();
  mesh.layers.set(0);
  body.dispose();
  const disposed = await take();
  return {
    path,
    kept: count(kept, original),
    off: count(off, original),
    again: count(again, kept),
    disposed: count(disposed, original),
    covered: count(original, empty),
    otherLayer: count(otherLayer, empty),
    readError,
  };
}

async function compareReading(mesh: THREE.SkinnedMesh, renderer: WebGPURenderer | undefined): Promise<number> {
  const attribute = mesh.geometry.attributes.position as THREE.BufferAttribute;
  const point = new THREE.Vector3();
  // A ray makes the CPU positions; without one nothing is computed there.
  new THREE.Raycaster(new THREE.Vector3(0, 9, 0), new THREE.Vector3(0, -1, 0)).intersectObject(mesh);
  const drawn = renderer
    ? new Float32Array((await renderer.getArrayBufferAsync(attribute)) as ArrayBuffer)
    : (attribute.array as Float32Array);
  const stride = drawn.length / attribute.count;
  let most = 0;
  for (let i = 0; i < attribute.count; i++) {
    most = Math.max(
      most,
      mesh.getVertexPosition(i, point).distanceTo(new THREE.Vector3().fromArray(drawn, stride * i)),
    );
  }
  return most;
}
