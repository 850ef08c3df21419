/** Runs in the browser: a tube that bends all the time, its amounts solved in a worker. */
import { preserveVolume } from '@isoskin/three';
import { amountsWorker } from '@isoskin/three/worker';
import * as THREE from 'three';
import { createDemoMesh, distance, measureMeshVolume } from './create-skinned-mesh.js';
import { readMesh } from './plain-page.js';
import { type AnyRenderer, createProbeMaterial, readDrawnPositions } from './read-drawn-positions.js';

export interface Delayed {
  readonly path: string;
  /** Largest error of the volume that was drawn, and of what rays hit. */
  readonly volume: number;
  readonly rays: number;
  /** The same of the pose of the moment with the amounts that were drawn: what a pair that is none would be. */
  readonly mixed: number;
  /** Frames whose drawn pose was not that of the moment, and poses that were drawn. */
  readonly late: number;
  readonly poses: number;
  /** After switching off: distance to the plain skin in the pose of the moment. */
  readonly off: number;
}

export async function bendInWorker(frames: number): Promise<Delayed> {
  const renderer = new THREE.WebGLRenderer();
  const any = renderer as AnyRenderer;
  const probe = createProbeMaterial();
  const { root, mesh } = createDemoMesh('tube', 600);
  const scene = new THREE.Scene();
  scene.add(root);
  const camera = new THREE.PerspectiveCamera();
  camera.position.z = 12;
  mesh.frustumCulled = false;
  const index = mesh.geometry.index!.array;
  const rest = measureMeshVolume(readMesh(mesh), index);
  const kept = preserveVolume(root, { worker: amountsWorker, form: 'morph' });
  await kept.ready;
  const bone = mesh.skeleton.bones[1]!;
  const seen = new Set<string>();
  let [volume, rays, mixed, late] = [0, 0, 0, 0];
  // The worker answers when it can: on a busy machine some frames more.
  for (let n = 0; n < frames || (n < 20 * frames && seen.size <= 10); n++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    bone.rotation.z = 1.2 * Math.sin(0.21 * n);
    root.position.x = 0.01 * n;
    renderer.render(scene, camera);
    if (!Object.hasOwn(mesh.skeleton, 'update')) continue; // nothing has arrived yet
    const drawn = await readDrawnPositions(any, mesh, probe);
    volume = Math.max(volume, Math.abs(measureMeshVolume(drawn, index) / rest - 1));
    rays = Math.max(rays, distance(drawn, readMesh(mesh)));
    const { applyBoneTransform } = mesh;
    Reflect.deleteProperty(mesh, 'applyBoneTransform');
    const now = readMesh(mesh);
    mesh.applyBoneTransform = applyBoneTransform;
    mixed = Math.max(mixed, Math.abs(measureMeshVolume(now, index) / rest - 1));
    if (distance(now, drawn) > 1e-3) late++;
    seen.add(drawn.slice(-9).join());
  }
  const { path } = kept.bodies[0]!;
  kept.enabled = false;
  const plain = await readDrawnPositions(any, mesh, probe);
  const off = distance(plain, readMesh(mesh));
  kept.dispose();
  renderer.dispose();
  return { path, volume, rays, mixed, late, poses: seen.size, off };
}
