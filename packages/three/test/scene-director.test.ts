import { preserveVolume, type VolumeOptions, VolumeSkinnedMesh } from '@isoskin/three';
import { planner } from '@isoskin/three/planner';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bend, createDemoMesh } from './create-skinned-mesh.js';

/** What every renderer of three.js does before it draws. */
function render(scene: THREE.Scene, camera: THREE.Camera): void {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  (scene.onBeforeRender as (...values: unknown[]) => void)({}, scene, camera, null);
}

let scene: THREE.Scene;
let camera: THREE.PerspectiveCamera;
let root: THREE.Group;
let mesh: THREE.SkinnedMesh;

beforeEach(() => {
  scene = new THREE.Scene();
  camera = new THREE.PerspectiveCamera();
  ({ root, mesh } = createDemoMesh('tube', 300));
  scene.add(root);
  camera.position.z = 10;
});

/** How often a body has been solved, and whether its shapes are drawn. */
const solved = (body: VolumeSkinnedMesh) => {
  let count = 0;
  Object.defineProperty(body.report, 'evaluations', { get: () => 0, set: (value) => (count += value === 0 ? 1 : 0) });
  return () => count;
};
const isKept = () => mesh.morphTargetInfluences !== undefined;

describe('automatic updates', () => {
  test('come before every render, after what the user does there, and end with the body', () => {
    const calls: number[] = [];
    let count = () => 0;
    const own = () => calls.push(count());
    scene.onBeforeRender = own;
    const { bodies, dispose } = preserveVolume(scene, { planner });
    count = solved(bodies[0]!);
    expect(isKept()).toBe(false); // nothing is drawn before the first pose
    render(scene, camera);
    expect(isKept()).toBe(true);
    expect(count()).toBe(1);
    bend(mesh, 0.4);
    render(scene, camera);
    render(scene, camera); // a second camera: the pose is the same
    expect(count()).toBe(2);
    expect(calls).toEqual([0, 1, 2]);
    expect(bodies[0]!.cost).toBeGreaterThan(0);
    dispose();
    expect(scene.onBeforeRender).toBe(own);
  });

  test('follow a mesh that is added to its scene later', () => {
    root.removeFromParent();
    const body = new VolumeSkinnedMesh(mesh, { planner });
    scene.add(root);
    expect(Object.hasOwn(scene, 'onBeforeRender')).toBe(false);
    mesh.onBeforeRender({} as never, scene, camera, mesh.geometry, mesh.material as THREE.Material, null as never);
    render(scene, camera);
    expect(isKept()).toBe(true);
    body.dispose();
    expect(Object.hasOwn(scene, 'onBeforeRender')).toBe(false);
    expect(Object.hasOwn(mesh, 'onBeforeRender')).toBe(false);
  });

  test('leave out what is not seen', () => {
    new VolumeSkinnedMesh(mesh, { planner });
    root.visible = false;
    render(scene, camera);
    expect(isKept()).toBe(false);
    root.visible = true;
    render(scene, camera);
    expect(isKept()).toBe(true);
  });

  test('tell a fault once and draw the original from then on', () => {
    const body = new VolumeSkinnedMesh(mesh, { planner });
    render(scene, camera);
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    mesh.bind(mesh.skeleton.clone(), mesh.bindMatrix);
    render(scene, camera);
    render(scene, camera);
    expect(told).toHaveBeenCalledTimes(1);
    told.mockRestore();
    expect(body.enabled).toBe(false);
    expect(isKept()).toBe(false);
  });

  test('begin on TypeScript, and go on with the kernels when they are there', async () => {
    const body = new VolumeSkinnedMesh(mesh, { planner });
    bend(mesh, 0.5);
    render(scene, camera);
    expect(body.path).toBe('typescript');
    const amounts = mesh.morphTargetInfluences!.slice();
    expect(amounts.some((amount) => amount !== 0)).toBe(true);
    await body.ready;
    expect(body.path).toBe('wasm');
    render(scene, camera); // the same pose: nothing to solve
    expect(mesh.morphTargetInfluences).toEqual(amounts);
    bend(mesh, 1e-4);
    render(scene, camera);
    expect(mesh.morphTargetInfluences!.every((amount, t) => Math.abs(amount - amounts[t]!) < 1e-3)).toBe(true);
  });

  test('do without kernels that never come', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const body = new VolumeSkinnedMesh(mesh, { planner, kernels: Promise.reject(new Error('no SIMD')) });
    await body.ready;
    render(scene, camera);
    expect(body.path).toBe('typescript');
    expect(isKept()).toBe(true);
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });
});

describe('detail', () => {
  const keep = (detail: VolumeOptions['detail']) => preserveVolume(scene, { planner, detail: detail! }).bodies;

  test('far away the original is drawn, without flicker at the border', () => {
    keep({ far: 20 });
    render(scene, camera);
    expect(isKept()).toBe(true);
    camera.position.z = 30;
    render(scene, camera);
    expect(isKept()).toBe(false);
    camera.position.z = 19.5;
    render(scene, camera);
    expect(isKept()).toBe(false);
    camera.position.z = 10;
    render(scene, camera);
    expect(isKept()).toBe(true);
  });

  test('the rate falls with the distance', () => {
    const clock = vi.spyOn(performance, 'now');
    const count = solved(keep({ rate: 60, near: 10 })[0]!);
    for (const [z, expected] of [
      [9, 60],
      [40, 15],
    ] as const) {
      camera.position.z = z;
      const before = count();
      for (let frame = 0; frame < 60; frame++) {
        clock.mockReturnValue(1e4 * z + (1000 * frame) / 60);
        bend(mesh, 0.001);
        render(scene, camera);
      }
      expect(Math.abs(count() - before - expected)).toBeLessThanOrEqual(2);
    }
    clock.mockRestore();
  });

  test('a budget is shared, and every body gets its turn', () => {
    const twins = Array.from({ length: 9 }, () => clone(root));
    for (const [i, twin] of twins.entries()) twin.position.x = i;
    scene.add(...twins);
    scene.updateMatrixWorld(true);
    const bodies = keep({ budget: 0.001 }); // one body a frame
    expect(new Set(bodies.map((body) => body.plan)).size).toBe(1);
    expect(bodies).toHaveLength(10);
    for (let frame = 0; frame < 30; frame++) {
      for (const body of bodies) bend(body.meshes[0]!, 0.001);
      render(scene, camera);
      if (frame === 0) expect(bodies.filter((body) => Number.isFinite(body.drawnAt))).toHaveLength(1);
    }
    expect(bodies.every((body) => Number.isFinite(body.drawnAt))).toBe(true);
  });
});
