/** Twenty characters at 60 updates per second, beside three.js's own skinning on the CPU in the same run. */
import { VolumeSkinnedMesh } from '@isoskin/three';
import { planner } from '@isoskin/three/planner';
import { createWasmKernels } from '@isoskin/wasm';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { expect, test } from 'vitest';
import { createDemoMesh } from './create-skinned-mesh.js';

const CHARACTERS = 20;
const FRAMES = 20;

test('20 characters of 5 720 vertices: under half of what plain skinning costs in three.js', async () => {
  const { root } = createDemoMesh('hero', 5720);
  const kernels = await createWasmKernels({ threads: 1 });
  const meshes = Array.from({ length: CHARACTERS }, () => {
    let mesh: THREE.SkinnedMesh | undefined;
    clone(root).traverse((object) => {
      if ((object as THREE.SkinnedMesh).isSkinnedMesh) mesh = object as THREE.SkinnedMesh;
    });
    return mesh!;
  });
  const count = meshes[0]!.geometry.attributes.position!.count;
  const point = new THREE.Vector3();
  const out = new Float32Array(3 * count);
  const skin = (mesh: THREE.SkinnedMesh) => {
    for (let i = 0; i < count; i++) mesh.getVertexPosition(i, point).toArray(out, 3 * i);
  };
  const pose = (mesh: THREE.SkinnedMesh, c: number, time: number) => {
    for (const [b, bone] of mesh.skeleton.bones.entries()) bone.rotation.x = 0.3 * Math.sin(3 * time + c + b);
  };
  const time = (run: () => void) => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  const plain: number[] = [];
  for (let n = 0; n < 6; n++) plain.push(time(() => skin(meshes[n]!)));
  const bodies = meshes.map((mesh) => new VolumeSkinnedMesh(mesh, { planner, kernels, auto: false }));
  const kept: number[] = [];
  for (let f = 0; f < FRAMES; f++) {
    for (const [c, body] of bodies.entries()) {
      pose(meshes[c]!, c, f / 60);
      const cost = time(() => body.update(1 / 60));
      if (f > FRAMES / 2) kept.push(cost);
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const ratio = median(kept) / median(plain);
  const share = (CHARACTERS * 60 * median(kept)) / 1000;
  console.log(
    `update ${median(kept).toFixed(3)} ms, three.js skinning ${median(plain).toFixed(2)} ms: ratio ${ratio.toFixed(2)}; ` +
      `${CHARACTERS} at 60 per second: ${(100 * share).toFixed(0)} % of a core`,
  );
  expect(new Set(bodies.map((body) => body.plan)).size).toBe(1);
  expect(bodies[0]!.path).toBe('wasm');
  expect(ratio).toBeLessThan(0.5);
});
