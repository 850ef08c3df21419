/** Runs in the browser: one character after the other, plain, with its shapes as morph targets, and in the sparse form. */
import type { PresetName } from '@isoskin/core';
import { createDemoInput } from '@isoskin/demos';
import { preserveVolume } from '@isoskin/three';
import * as THREE from 'three';
import { createMesh } from '../../packages/three/test/create-skinned-mesh.js';

const FORMS = ['off', 'morph', 'sparse'] as const;
const COPIES = 8;
const ROUNDS = 12;

/** Kilobytes, and milliseconds of a frame of `COPIES` characters with nothing but vertices: every triangle is behind the camera. */
export async function measureForms(name: string, preset: PresetName, vertices: number) {
  const { root, mesh } = createMesh(createDemoInput(name, { vertices }));
  const renderer = new THREE.WebGLRenderer();
  renderer.setSize(16, 16);
  const scene = new THREE.Scene();
  scene.add(root, new THREE.HemisphereLight());
  for (const [b, bone] of mesh.skeleton.bones.entries()) bone.rotation.z = 0.3 * Math.sin(b + 1);
  const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 1000);
  camera.position.z = -10; // looks away
  mesh.frustumCulled = false;
  const gl = renderer.getContext();
  const pixel = new Uint8Array(4);
  const draw = () => {
    const start = performance.now();
    for (let n = 0; n < COPIES; n++) renderer.render(scene, camera);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits
    return (performance.now() - start) / COPIES;
  };
  const times: Record<string, number[]> = { off: [], morph: [], sparse: [] };
  const bytes: Record<string, number> = {};
  let shapes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const form of FORMS) {
      const kept = form === 'off' ? undefined : preserveVolume(root, { preset, form, auto: false });
      await kept?.ready;
      kept?.update();
      draw();
      times[form]!.push(draw(), draw());
      if (form === 'morph') shapes = mesh.morphTargetInfluences!.length;
      bytes[form] = measureBytes(mesh);
      kept?.dispose();
    }
  }
  renderer.dispose();
  const median = (form: string) => times[form]!.sort((a, b) => a - b)[ROUNDS]!;
  return {
    count: mesh.geometry.attributes.position!.count,
    shapes,
    bytes: { morph: bytes.morph!, sparse: bytes.sparse! },
    off: median('off'),
    morph: median('morph'),
    sparse: median('sparse'),
  };
}

/** What the shapes take on the GPU per drawn vertex. */
export function measureBytes({ geometry, material }: THREE.SkinnedMesh): number {
  const { position, normal } = geometry.morphAttributes;
  const { isoskin } = geometry.attributes;
  if (!isoskin) return 16 * ((position?.length ?? 0) + (normal?.length ?? 0));
  const shader = { uniforms: {} as Record<string, { value: THREE.DataTexture }>, vertexShader: '', fragmentShader: '' };
  (material as THREE.Material).onBeforeCompile(shader as never, undefined as never);
  const pairs = shader.uniforms.isoskinPairs!.value.image.data as Int32Array;
  return ((isoskin.array as Float32Array).byteLength + pairs.byteLength) / isoskin.count;
}

Object.assign(window, { measureForms });
