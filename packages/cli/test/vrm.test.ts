/** Avatars: our own hero as VRM 1.0 and 0.x, loaded by @pixiv/three-vrm before and after `isoskin bake`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MToonMaterial, type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { AnimationMixer, type Object3D, type SkinnedMesh } from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, runJson } from './run-isoskin.js';

const script = fileURLToPath(new URL('../../../scripts/make-vrm.mjs', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-vrm-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Avatar {
  readonly gltf: GLTF;
  readonly vrm: VRM;
  readonly mesh: SkinnedMesh;
}

async function loadAvatar(path: string): Promise<Avatar> {
  const bytes = await readFile(path);
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.parseAsync(new Uint8Array(bytes).buffer, '');
  const vrm = gltf.userData.vrm as VRM;
  const meshes: SkinnedMesh[] = [];
  vrm.scene.traverse((object: Object3D) => {
    if ((object as SkinnedMesh).isSkinnedMesh) meshes.push(object as SkinnedMesh);
  });
  return { gltf, vrm, mesh: meshes[0]! };
}

/** Every joint of the humanoid by name, and where springs have swung it after the body has moved for a while. */
function swing({ vrm }: Avatar): number[] {
  vrm.springBoneManager!.reset();
  for (let frame = 0; frame < 30; frame++) {
    vrm.scene.position.x = Math.sin(frame / 3);
    vrm.scene.updateMatrixWorld(true);
    vrm.update(1 / 60);
  }
  return [...vrm.springBoneManager!.joints].flatMap(({ bone }) => bone.quaternion.toArray());
}

describe.each(['1.0', '0.x'])('VRM %s', (version) => {
  let before: Avatar;
  let after: Avatar;
  let [input, output] = ['', ''];
  beforeAll(async () => {
    [input, output] = [join(folder, `hero-${version}.vrm`), join(folder, `kept-${version}.vrm`)];
    const { makeVrm } = await import(script);
    await writeFile(input, await makeVrm(version, { vertices: 1500 }));
    const { status, stderr } = runIsoskin('bake', input, '-o', output, '--fps', '15');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    [before, after] = [await loadAvatar(input), await loadAvatar(output)];
  }, 180_000);

  it('is baked: it keeps its volume, with targets behind the two of the avatar', () => {
    const worst = (path: string) =>
      Math.max(
        ...runJson('check', path, '--max-loss', '50%').models[0].clips.map((clip: { worst: { change: number } }) =>
          Math.abs(clip.worst.change),
        ),
      );
    const plain = worst(input);
    expect(plain).toBeGreaterThan(0.05);
    expect(worst(output)).toBeLessThan(0.25 * plain); // limits hold some of it back
    expect(before.mesh.morphTargetInfluences).toHaveLength(2);
    expect(after.mesh.morphTargetInfluences!.length).toBeGreaterThan(10);
    expect(Object.keys(after.mesh.morphTargetDictionary!).slice(0, 2)).toEqual(['smile', 'blink']);
  });

  it('has the same bones, meta, first person and MToon', () => {
    expect(after.vrm.meta).toEqual(before.vrm.meta);
    const bones = ({ vrm }: Avatar) =>
      Object.entries<{ node: Object3D }>(vrm.humanoid.humanBones).map(([bone, { node }]) => [bone, node.name]);
    expect(bones(after)).toEqual(bones(before));
    expect(bones(after)).toHaveLength(22);
    expect(after.vrm.firstPerson!.meshAnnotations).toHaveLength(1);
    expect(after.vrm.lookAt!.offsetFromHeadBone).toEqual(before.vrm.lookAt!.offsetFromHeadBone);
    const toon = ({ vrm }: Avatar) => (vrm.materials as MToonMaterial[]).filter((material) => material.isMToonMaterial);
    expect(toon(after)).toHaveLength(toon(before).length);
    expect(toon(after)[0]!.shadeColorFactor.toArray()).toEqual(toon(before)[0]!.shadeColorFactor.toArray());
    expect(toon(after)[0]!.shadeColorFactor.r).toBeGreaterThan(toon(after)[0]!.shadeColorFactor.g);
  });

  it('expressions move the same vertices, also while a clip plays', () => {
    const names = ({ vrm }: Avatar) =>
      vrm.expressionManager!.expressions.map((one: { expressionName: string }) => one.expressionName);
    expect(names(after)).toEqual(names(before));
    expect(names(after)).toEqual(expect.arrayContaining(['happy', 'blink']));
    for (const [name, index] of [
      ['happy', 0],
      ['blink', 1],
    ] as const) {
      const [a, b] = [before, after].map(({ mesh }) => mesh.geometry.morphAttributes.position![index]!.array);
      expect(Array.from(b!)).toEqual(Array.from(a!));
      expect(Math.max(...a!)).toBeGreaterThan(0.002);
      const mixer = new AnimationMixer(after.gltf.scene);
      mixer.clipAction(after.gltf.animations[0]!).play();
      after.vrm.expressionManager!.setValue(name, 0.7);
      mixer.setTime(after.gltf.animations[0]!.duration / 2);
      after.vrm.update(1 / 60);
      const influences = after.mesh.morphTargetInfluences!;
      expect(influences[index]).toBeCloseTo(0.7, 6);
      expect(influences[1 - index]).toBe(0);
      expect(Math.max(...influences.slice(2).map(Math.abs))).toBeGreaterThan(0.001);
      after.vrm.expressionManager!.setValue(name, 0);
      mixer.stopAllAction();
    }
  });

  it('springs swing as before', () => {
    const settings = ({ vrm }: Avatar) => [...vrm.springBoneManager!.joints].map((joint) => joint.settings);
    expect(settings(after)).toEqual(settings(before));
    expect(after.vrm.springBoneManager!.colliders).toHaveLength(before.vrm.springBoneManager!.colliders.length);
    expect(before.vrm.springBoneManager!.colliders.length).toBeGreaterThan(0);
    const [still, moved] = [swing(before), swing(after)];
    expect(still.length).toBeGreaterThanOrEqual(8);
    moved.forEach((x, i) => {
      expect(x).toBeCloseTo(still[i]!, 6);
    });
    expect(Math.max(...still.filter((_, i) => i % 4 !== 3).map(Math.abs))).toBeGreaterThan(0.01);
  });
});
