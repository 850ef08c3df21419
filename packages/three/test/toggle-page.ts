/** Runs in the browser: one bent tube with a shadow, original, kept, original again, as pixels. */
import { preserveVolume } from '@isoskin/three';
import { sparseNodes } from '@isoskin/three/webgpu';
import * as THREE from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { bend, createDemoMesh } from './create-skinned-mesh.js';

export interface Toggled {
  readonly path: string;
  readonly form: string;
  /** Pixels that the other form draws in a colour that is seen to be another. */
  readonly otherForm: number;
  /** Pixels that differ from the first picture; those of `again` from the one that was kept. */
  readonly kept: number;
  readonly off: number;
  readonly again: number;
  readonly disposed: number;
  /** Pixels of the first picture that the mesh or its shadow covers. */
  readonly covered: number;
  /** Nothing is drawn on a layer that the camera does not see. */
  readonly otherLayer: number;
  /** Pixels where a ray through them hits the mesh and nothing is drawn, or the other way round. */
  readonly missed: number;
}

const SIZE = 128;

type Renderer = {
  shadowMap: { enabled: boolean };
  render(scene: THREE.Scene, camera: THREE.Camera): void;
  setRenderTarget(target: THREE.RenderTarget | null): void;
  readRenderTargetPixels(...values: unknown[]): void;
  readRenderTargetPixelsAsync(...values: unknown[]): Promise<ArrayLike<number>>;
};

export async function toggle(kind: 'webgl' | 'webgpu', form: 'morph' | 'sparse'): Promise<Toggled> {
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
    const pixels = new Uint8Array(4 * SIZE * SIZE);
    any.readRenderTargetPixels(...values, pixels);
    return pixels;
  };
  const count = (a: Uint8Array, b: Uint8Array, least = 0) => {
    let differ = 0;
    for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some((k) => Math.abs(a[i + k]! - b[i + k]!) > least)) differ++;
    return differ;
  };

  const original = await take();
  root.visible = false;
  const empty = await take();
  root.visible = true;
  const options = isGpu ? { nodes: sparseNodes } : {};
  const other = preserveVolume(root, { form: form === 'morph' ? 'sparse' : 'morph', ...options });
  await other.ready;
  const otherForm = await take();
  const body = preserveVolume(root, { form, ...options }); // takes the place of the other
  await body.ready;
  const kept = await take();
  const { path, form: used } = body.bodies[0]!;
  floor.visible = false;
  const alone = await take();
  root.visible = false;
  const missed = comparePicking(mesh, camera, alone, await take(), isGpu);
  floor.visible = root.visible = true;
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
    form: used,
    otherForm: count(kept, otherForm, 8),
    kept: count(kept, original),
    off: count(off, original),
    again: count(again, kept),
    disposed: count(disposed, original),
    covered: count(original, empty),
    otherLayer: count(otherLayer, empty),
    missed,
  };
}

/** Casts a ray through the middle of every pixel. */
function comparePicking(
  mesh: THREE.SkinnedMesh,
  camera: THREE.Camera,
  drawn: Uint8Array,
  empty: Uint8Array,
  rowsFromTop: boolean,
): number {
  const ray = new THREE.Raycaster();
  const point = new THREE.Vector2();
  const isDrawn = (x: number, y: number) => {
    const i = 4 * (SIZE * y + x);
    return [0, 1, 2].some((k) => drawn[i + k] !== empty[i + k]);
  };
  let missed = 0;
  for (let y = 1; y < SIZE - 1; y++) {
    for (let x = 1; x < SIZE - 1; x++) {
      // Pixels on the outline may go either way.
      const around = [isDrawn(x - 1, y), isDrawn(x + 1, y), isDrawn(x, y - 1), isDrawn(x, y + 1)];
      if (around.some((one) => one !== isDrawn(x, y))) continue;
      const up = rowsFromTop ? -1 : 1;
      ray.setFromCamera(point.set((2 * x + 1) / SIZE - 1, up * ((2 * y + 1) / SIZE - 1)), camera);
      if (ray.intersectObject(mesh).length > 0 !== isDrawn(x, y)) missed++;
    }
  }
  return missed;
}
