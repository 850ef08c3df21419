/** A file with a driver, played without any solver. */
import { createDemo } from '@isoskin/demos';
import { driveThree } from '@isoskin/drive/three';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { driveVolume } from '@isoskin/three/drive';
import * as THREE from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { beforeAll, describe, expect, test } from 'vitest';

/** Milliseconds of one update of a driven character. */
const MOST = 0.02;

describe('a driven file', () => {
  let gltf: GLTF;
  let mesh: THREE.SkinnedMesh;
  beforeAll(async () => {
    const read = await readCharacterFromBytes(await writeCharacter(createDemo('hero', { vertices: 1500 })));
    const { glb } = await bakeCharacter(read, { drive: true, fps: 10 });
    gltf = await new GLTFLoader().parseAsync(Uint8Array.from(glb).buffer, '');
    gltf.scene.traverse((object) => {
      if ((object as THREE.SkinnedMesh).isSkinnedMesh) mesh = object as THREE.SkinnedMesh;
    });
  }, 120_000);

  const pose = (time: number) => {
    for (const [b, bone] of mesh.skeleton.bones.entries()) bone.rotation.x = 0.3 * Math.sin(3 * time + b);
  };

  test('moves its shapes before every render, and is the plain skin when off', () => {
    const scene = new THREE.Scene();
    scene.add(gltf.scene);
    const { geometry, material } = mesh;
    const kept = driveVolume(gltf);
    pose(1);
    scene.onBeforeRender(undefined!, scene, new THREE.PerspectiveCamera(), undefined!, undefined!, undefined!);
    const moved = [...mesh.morphTargetInfluences!];
    const player = driveThree(gltf);
    player.update();
    expect(moved).toEqual(mesh.morphTargetInfluences);
    expect(Math.max(...moved.map(Math.abs))).toBeGreaterThan(0.01);
    expect(mesh.geometry).toBe(geometry);
    expect(mesh.material).toBe(material);
    kept.enabled = false;
    expect(Math.max(...mesh.morphTargetInfluences!.map(Math.abs))).toBe(0);
    kept.update();
    expect(Math.max(...mesh.morphTargetInfluences!.map(Math.abs))).toBe(0);
    kept.enabled = true;
    kept.update();
    expect(mesh.morphTargetInfluences).toEqual(moved);
    kept.dispose();
    expect(Object.hasOwn(scene, 'onBeforeRender')).toBe(false);
  });

  test(`costs at most ${MOST} ms`, () => {
    const kept = driveVolume(gltf, { auto: false });
    let least = Infinity;
    for (let round = 0; round < 40; round++) {
      const start = performance.now();
      for (let n = 0; n < 50; n++) kept.update();
      least = Math.min(least, (performance.now() - start) / 50);
    }
    kept.dispose();
    console.log(`a driven character: ${least.toFixed(4)} ms per update`);
    expect(least).toBeLessThan(MOST);
  });

  test('drives a copy by itself', () => {
    const root = clone(gltf.scene);
    const copy = driveVolume(gltf, { root, auto: false });
    let other: THREE.SkinnedMesh | undefined;
    root.traverse((object) => {
      if ((object as THREE.SkinnedMesh).isSkinnedMesh) other = object as THREE.SkinnedMesh;
    });
    for (const bone of other!.skeleton.bones) bone.rotation.x += 0.2;
    copy.update();
    expect(other!.morphTargetInfluences).not.toEqual(mesh.morphTargetInfluences);
    copy.dispose();
  });

  test('says where the driver is not', () => {
    expect(() => driveVolume(gltf.scene as never)).toThrow(/give all that GLTFLoader gives/);
    const other = { scene: clone(gltf.scene), parser: { json: {}, associations: new Map() } };
    expect(() => driveVolume(other)).toThrow(/bake it with isoskin bake --drive/);
  });
});
