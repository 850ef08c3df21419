import { IsoskinError } from '@isoskin/core';
import { preserveVolume, VolumeSkinnedMesh } from '@isoskin/three';
import { planner } from '@isoskin/three/planner';
import * as THREE from 'three';
import { clone as cloneSkinned } from 'three/addons/utils/SkeletonUtils.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { bend, createDemoMesh, distance, measureMeshVolume, readDrawn } from './create-skinned-mesh.js';

const VERTICES = 400;
let root: THREE.Group;
let mesh: THREE.SkinnedMesh;
let rest: number;

beforeEach(() => {
  ({ root, mesh } = createDemoMesh('tube', VERTICES));
  rest = measureMeshVolume(readDrawn(mesh), mesh.geometry.index!.array);
});

const volume = () => measureMeshVolume(readDrawn(mesh), mesh.geometry.index!.array) / rest;

describe('update', () => {
  test('keeps the volume of what is drawn', () => {
    bend(mesh, 1.2);
    expect(volume()).toBeLessThan(0.97);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    expect(volume()).toBeCloseTo(1, 6);
    expect(body.path).toBe('typescript');
    expect(body.report.volumes.reduce((a, b) => a + b) / rest).toBeCloseTo(1, 6);
  });

  test('a body may stand anywhere, turned and scaled', () => {
    bend(mesh, 1);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    const here = readDrawn(mesh);
    const amounts = [...mesh.morphTargetInfluences!];
    const place = new THREE.Matrix4().compose(
      new THREE.Vector3(1e4, -50, 7),
      new THREE.Quaternion().setFromEuler(new THREE.Euler(1, 2, 3)),
      new THREE.Vector3(0.01, 0.01, 0.01),
    );
    root.applyMatrix4(place);
    root.updateMatrixWorld(true);
    body.update();
    // The amounts are those of before wherever the body stands; what three.js draws there has its own rounding: 1e4 · 2⁻²⁴.
    expect(distance(mesh.morphTargetInfluences!, amounts)).toBeLessThan(1e-6);
    const there = readDrawn(mesh);
    const point = new THREE.Vector3();
    for (let i = 0; i < here.length; i += 3) {
      point.fromArray(here, i).applyMatrix4(place);
      expect(point.distanceTo(new THREE.Vector3().fromArray(there, i))).toBeLessThan(6e-4);
    }
  });

  test('a pose that has not changed costs nothing', () => {
    bend(mesh, 1);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    const amounts = [...mesh.morphTargetInfluences!];
    body.report.evaluations = -1; // told by every solve
    root.position.x += 1;
    mesh.morphTargetInfluences!.fill(0.5); // whoever writes there is corrected all the same
    body.update();
    expect(body.report.evaluations).toBe(-1);
    expect(mesh.morphTargetInfluences).toEqual(amounts);
    bend(mesh, 0.1);
    body.update();
    expect(body.report.evaluations).toBeGreaterThan(0);
    expect(mesh.morphTargetInfluences).not.toEqual(amounts);
  });

  test('detached binding draws where three.js would', () => {
    const { root: other, mesh: detached } = createDemoMesh('tube', VERTICES);
    detached.bindMode = THREE.DetachedBindMode;
    detached.bind(detached.skeleton, new THREE.Matrix4().makeTranslation(0, 0, 0));
    detached.position.set(1, 2, 3);
    for (const each of [other, root]) each.updateMatrixWorld(true);
    bend(detached, 1);
    bend(mesh, 1);
    for (const each of [detached, mesh]) new VolumeSkinnedMesh(each, { planner, auto: false }).update();
    const [a, b] = [readDrawn(detached), readDrawn(mesh)];
    expect(
      distance(
        a,
        b.map((x, i) => x + [1, 2, 3][i % 3]!),
      ),
    ).toBeLessThan(1e-5);
  });

  test('morph influences move the flesh and its volume stays that of the bind shape', () => {
    const { position } = mesh.geometry.attributes as { position: THREE.BufferAttribute };
    const target = new Float32Array(position.array.length);
    for (let i = 0; i < target.length; i += 3) target[i + 1] = 0.05 * Math.sin(20 * position.array[i]!);
    mesh.geometry.morphAttributes.position = [new THREE.BufferAttribute(target, 3)];
    mesh.geometry.morphTargetsRelative = true;
    mesh.updateMorphTargets();
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    const before = readDrawn(mesh);
    mesh.morphTargetInfluences![0] = 1;
    bend(mesh, 0.5);
    body.update();
    expect(distance(before, readDrawn(mesh))).toBeGreaterThan(0.04);
    expect(volume()).toBeCloseTo(1, 5);
  });
});

describe('targets of the file', () => {
  const addTarget = (isRelative: boolean) => {
    const { position } = mesh.geometry.attributes as { position: THREE.BufferAttribute };
    const target = new Float32Array(position.array.length);
    for (let i = 0; i < target.length; i += 3) target[i + 1] = 0.05 * Math.sin(20 * position.array[i]!);
    if (!isRelative) for (let i = 0; i < target.length; i++) target[i]! += position.array[i]!;
    const attribute = new THREE.BufferAttribute(target, 3);
    attribute.name = 'wave';
    mesh.geometry.morphAttributes.position = [attribute];
    mesh.geometry.morphTargetsRelative = isRelative;
    mesh.updateMorphTargets();
  };

  test.each([true, false])('keep working beside the shapes, relative: %s', (isRelative) => {
    addTarget(isRelative);
    const influences = mesh.morphTargetInfluences!;
    const names = mesh.morphTargetDictionary!;
    influences[0] = 0.7;
    bend(mesh, 0.8);
    const before = readDrawn(mesh);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    expect(mesh.morphTargetInfluences).toBe(influences); // animations are bound to it
    expect(influences[0]).toBe(0.7);
    expect(mesh.morphTargetDictionary!.wave).toBe(0);
    expect(influences.length).toBe(1 + body.report.names.length);
    // What core says of the same rest shape and bones.
    expect(distance(readDrawn(mesh), before)).toBeGreaterThan(0.01);
    expect(body.report.inexact.every((flag) => flag === 0)).toBe(true);
    const total = body.report.targets.reduce((a, b) => a + b);
    expect(measureMeshVolume(readDrawn(mesh), mesh.geometry.index!.array) / total).toBeCloseTo(1, 6);
    body.enabled = false;
    expect(influences).toEqual([0.7]);
    expect(mesh.morphTargetInfluences).toBe(influences);
    expect(mesh.morphTargetDictionary).toBe(names);
    expect(distance(readDrawn(mesh), before)).toBe(0);
  });

  test('are driven by a mixer that was bound before, and by one that was bound after', () => {
    addTarget(true);
    const track = new THREE.NumberKeyframeTrack('.morphTargetInfluences', [0, 1], [0, 1]);
    const play = () => {
      const mixer = new THREE.AnimationMixer(mesh);
      mixer.clipAction(new THREE.AnimationClip('wave', 1, [track])).play();
      return mixer;
    };
    const early = play();
    early.update(0.25);
    bend(mesh, 0.8);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    const amounts = mesh.morphTargetInfluences!.slice(1);
    early.update(0.25);
    body.update();
    expect(mesh.morphTargetInfluences![0]).toBeCloseTo(0.5, 6);
    early.stopAllAction();
    body.update();
    expect(mesh.morphTargetInfluences![0]).toBe(0);
    const late = play();
    late.update(0.25);
    body.update();
    expect(mesh.morphTargetInfluences![0]).toBeCloseTo(0.25, 6);
    expect(distance(mesh.morphTargetInfluences!.slice(1), amounts)).toBeLessThan(1e-5);
    body.dispose();
    expect(mesh.morphTargetInfluences).toHaveLength(1);
  });
});

describe('the original', () => {
  test('comes back exactly when switched off, and again when disposed', () => {
    bend(mesh, 1);
    const keys = Object.keys(mesh).sort();
    const { geometry, material } = mesh;
    const before = readDrawn(mesh);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    expect(mesh.isSkinnedMesh).toBe(true);
    expect(mesh.morphTargetInfluences!.length).toBeGreaterThan(1);
    let isDisposed = false;
    const dispose = () => {
      body.dispose();
      isDisposed = true;
    };
    const on = readDrawn(mesh);
    for (const off of [() => (body.enabled = false), dispose]) {
      off();
      expect(mesh.geometry).toBe(geometry);
      expect(mesh.material).toBe(material);
      expect(mesh.isSkinnedMesh).toBe(true);
      expect(mesh.boundingSphere).toBeNull();
      expect(mesh.morphTargetInfluences).toBeUndefined();
      expect(mesh.morphTargetDictionary).toBeUndefined();
      expect(geometry.morphAttributes).toEqual({});
      expect(distance(readDrawn(mesh), before)).toBe(0);
      if (isDisposed) continue;
      body.enabled = true;
      expect(distance(readDrawn(mesh), on)).toBe(0);
    }
    expect(Object.keys(mesh).sort()).toEqual(keys);
  });

  test('shares every attribute with what is drawn', () => {
    const uv = new THREE.Float32BufferAttribute(new Float32Array(2 * mesh.geometry.attributes.position!.count), 2);
    mesh.geometry.setAttribute('uv', uv);
    mesh.geometry.addGroup(0, 3, 0);
    const { geometry: original } = mesh;
    const { index } = original;
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    expect(mesh.geometry.index).toBe(index);
    expect(mesh.geometry.attributes.uv).toBe(uv);
    expect(mesh.geometry.groups).toHaveLength(1);
    expect(mesh.geometry.attributes).toBe(original.attributes);
    const drawn = mesh.geometry;
    let freed = 0;
    drawn.addEventListener('dispose', () => {
      freed++;
      expect(drawn.attributes).toEqual({}); // else a renderer would free the buffers of the original
    });
    body.dispose();
    expect(freed).toBe(1);
    expect(drawn.attributes).toBe(original.attributes); // a clone may still draw it
  });

  test('comes back in a clone, which shares plan and geometry', () => {
    bend(mesh, 1);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    const copy = cloneSkinned(root);
    let twin: THREE.SkinnedMesh | undefined;
    copy.traverse((object) => {
      if ((object as THREE.SkinnedMesh).isSkinnedMesh) twin = object as THREE.SkinnedMesh;
    });
    expect(twin!.geometry.attributes.skinIndex).toBeDefined();
    expect(twin!.skeleton).not.toBe(mesh.skeleton);
    copy.updateMatrixWorld(true);
    const { bodies } = preserveVolume(copy, { planner, auto: false });
    expect(bodies[0]!.plan).toBe(body.plan);
    bodies[0]!.update();
    expect(twin!.geometry).toBe(mesh.geometry);
    expect(distance(readDrawn(twin!), readDrawn(mesh))).toBeLessThan(1e-6);
    bend(twin!, 0.3);
    bodies[0]!.update();
    body.update();
    expect(distance(readDrawn(twin!), readDrawn(mesh))).toBeGreaterThan(0.01);
    expect(volume()).toBeCloseTo(1, 6);
  });
});

describe('bounds and rays', () => {
  test('the bounding sphere holds the deformed mesh, closely', () => {
    bend(mesh, 1.5);
    new VolumeSkinnedMesh(mesh, { planner, auto: false }).update();
    const array = readDrawn(mesh);
    let most = 0;
    for (let i = 0; i < array.length; i += 3) {
      most = Math.max(most, mesh.boundingSphere.center.distanceTo(new THREE.Vector3().fromArray(array, i)));
    }
    expect(most).toBeLessThanOrEqual(mesh.boundingSphere.radius * (1 + 1e-6));
    expect(most).toBeGreaterThan(0.6 * mesh.boundingSphere.radius);
  });

  test('a ray hits the corrected skin', () => {
    bend(mesh, 1.2);
    root.position.set(5, 0, 0);
    root.updateMatrixWorld(true);
    new VolumeSkinnedMesh(mesh, { planner, auto: false }).update();
    const { index } = mesh.geometry;
    const triangle = [0, 1, 2].map((k) => mesh.getVertexPosition(index!.getX(3 * 40 + k), new THREE.Vector3())) as [
      THREE.Vector3,
      THREE.Vector3,
      THREE.Vector3,
    ];
    const [a, b, c] = triangle.map((p) => p.applyMatrix4(mesh.matrixWorld)) as typeof triangle;
    const centre = new THREE.Vector3().add(a).add(b).add(c).divideScalar(3);
    const normal = new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3());
    const ray = new THREE.Raycaster(centre.clone().addScaledVector(normal, 0.02), normal.clone().negate());
    const [hit] = ray.intersectObject(root, true);
    expect(hit?.object).toBe(mesh);
    expect(hit!.faceIndex).toBe(40);
    expect(hit!.point.distanceTo(centre)).toBeLessThan(1e-5);
  });

  test('normals are unit and follow the skin; hard edges stay', () => {
    const flat = mesh.geometry.toNonIndexed();
    flat.computeVertexNormals(); // one normal per face
    mesh.geometry = flat;
    bend(mesh, 0.6);
    const body = new VolumeSkinnedMesh(mesh, { planner, auto: false });
    body.update();
    // In the rest space, before the skin: face normals of the pushed shape against the morphed ones.
    const { attributes, morphAttributes } = mesh.geometry;
    const morph = (kind: 'position' | 'normal', i: number) => {
      const at = (a: unknown) => new THREE.Vector3().fromBufferAttribute(a as THREE.BufferAttribute, i);
      const out = at(attributes[kind]);
      for (const [t, target] of morphAttributes[kind]!.entries()) {
        out.addScaledVector(at(target), mesh.morphTargetInfluences![t]!);
      }
      return out;
    };
    let [kept, stiff] = [0, 0];
    for (let i = 0; i < attributes.position!.count; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => morph('position', i + k)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
      const face = new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3());
      const authored = new THREE.Vector3().fromBufferAttribute(attributes.normal as THREE.BufferAttribute, i);
      for (let k = 0; k < 3; k++) {
        kept = Math.max(kept, face.angleTo(morph('normal', i + k)));
        stiff = Math.max(stiff, face.angleTo(authored));
      }
    }
    expect(stiff).toBeGreaterThan(0.02);
    expect(kept).toBeLessThan(0.75 * stiff); // a welded normal is the mean of its faces
  });
});

describe('geometry of every kind', () => {
  test('non-indexed and interleaved geometry draw the same', () => {
    const twins = [
      createDemoMesh('tube', VERTICES),
      createDemoMesh('tube', VERTICES),
      createDemoMesh('tube', VERTICES),
    ];
    const [, loose, woven] = twins;
    const index = Array.from(mesh.geometry.index!.array);
    mesh.geometry.computeBoundingSphere();
    loose!.mesh.geometry = loose!.mesh.geometry.toNonIndexed();
    woven!.mesh.geometry = interleave(woven!.mesh.geometry);
    const [plain, a, b] = twins.map((twin) => {
      bend(twin.mesh, 1.1);
      new VolumeSkinnedMesh(twin.mesh, { planner, auto: false }).update();
      return readDrawn(twin.mesh);
    });
    expect(
      distance(
        a!,
        index.flatMap((v) => Array.from(plain!.subarray(3 * v, 3 * v + 3))),
      ),
    ).toBeLessThan(1e-4 * mesh.geometry.boundingSphere!.radius); // other order of vertices, other rounding
    expect(distance(b!, plain!)).toBe(0);
  });

  test('quantised positions, as compressed files have them, close at their seams', () => {
    const { root: other, mesh: coarse } = createDemoMesh('tube', VERTICES);
    const { position } = mesh.geometry.attributes as { position: THREE.BufferAttribute };
    const reach = Math.max(...Array.from(position.array, Math.abs));
    const loose = coarse.geometry.toNonIndexed();
    const floats = loose.attributes.position as THREE.BufferAttribute;
    const shorts = Int16Array.from(floats.array, (x) => Math.round((32767 * x) / reach));
    loose.setAttribute('position', new THREE.BufferAttribute(shorts, 3, true));
    coarse.geometry = loose;
    coarse.bind(coarse.skeleton, new THREE.Matrix4().makeScale(reach, reach, reach));
    for (const each of [mesh, coarse]) bend(each, 1);
    other.updateMatrixWorld(true);
    const bodies = [mesh, coarse].map((each) => new VolumeSkinnedMesh(each, { planner, auto: false }));
    for (const body of bodies) body.update();
    expect(bodies[1]!.character.surface.vertexCount).toBe(bodies[0]!.character.surface.vertexCount);
    const [a, b] = [readDrawn(mesh), readDrawn(coarse)];
    const index = Array.from(mesh.geometry.index!.array);
    const expected = index.flatMap((v) => Array.from(a.subarray(3 * v, 3 * v + 3)));
    expect(distance(b, expected)).toBeLessThan(2e-3 * reach);
  });

  test('several meshes on one skeleton are one body, each in its own place', () => {
    const whole = createDemoMesh('tube', VERTICES);
    const group = new THREE.Group();
    const halves = [0, 1].map((h) => {
      const half = mesh.clone() as THREE.SkinnedMesh;
      half.geometry = mesh.geometry.clone();
      const all = Array.from(mesh.geometry.index!.array);
      half.geometry.setIndex(all.filter((_, c) => Math.trunc(c / 3) % 2 === h));
      half.bind(mesh.skeleton, new THREE.Matrix4());
      group.add(half);
      return half;
    });
    halves[1]!.position.set(0.5, 0.2, 0); // attached meshes are drawn where the bones are
    halves[1]!.scale.set(2, 1, 1);
    mesh.removeFromParent();
    root.add(group);
    root.updateMatrixWorld(true);
    for (const each of [mesh, whole.mesh]) bend(each, 1);
    root.updateMatrixWorld(true);
    const kept = preserveVolume(root, { planner, auto: false });
    expect(kept.bodies).toHaveLength(1);
    kept.update();
    new VolumeSkinnedMesh(whole.mesh, { planner, auto: false }).update();
    const expected = readDrawn(whole.mesh);
    for (const half of halves) {
      const drawn = readDrawn(half);
      for (const v of half.geometry.index!.array) {
        expect(distance(drawn.subarray(3 * v, 3 * v + 3), expected.subarray(3 * v, 3 * v + 3))).toBeLessThan(1e-5);
      }
    }
  });
});

describe('misuse', () => {
  const fault = (run: () => void): IsoskinError => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(IsoskinError);
      return error as IsoskinError;
    }
    throw new Error('nothing was thrown');
  };

  test('what is no scene, and options that are none', () => {
    for (const wrong of [undefined, null, 'Fox.glb', {}, { scene: 1 }]) {
      const error = fault(() => preserveVolume(wrong as never));
      expect(error.message).toMatch(/Expected what GLTFLoader gives, a scene, a group or a SkinnedMesh; found/);
    }
    expect(fault(() => preserveVolume(Promise.resolve() as never)).message).toMatch(/await it first/);
    for (const right of [mesh, root, { scene: root }]) expect(preserveVolume(right).bodies[0]!.meshes[0]).toBe(mesh);
    const error = fault(() => preserveVolume(root, { prest: 'organic' } as never));
    expect(error.code).toBe('OPTION_UNKNOWN');
    expect(error.message).toMatch(/no option “prest”; did you mean “preset”/);
    expect(fault(() => preserveVolume(root, { detail: { fra: 3 } } as never)).message).toMatch(/“detail.fra”.*“far”/);
  });

  test('geometry without a skin', () => {
    mesh.geometry.deleteAttribute('skinWeight');
    const error = fault(() => new VolumeSkinnedMesh(mesh, { planner }));
    expect(error.code).toBe('NO_SKIN');
    expect(error.message).toMatch(/bind the model to a skeleton.*mesh "tube"/);
    const plain = new THREE.Mesh(mesh.geometry) as unknown as THREE.SkinnedMesh;
    expect(fault(() => new VolumeSkinnedMesh(plain, { planner })).code).toBe('NO_SKIN');
    expect(fault(() => preserveVolume(new THREE.Group())).code).toBe('NOTHING_TO_DEFORM');
    expect(fault(() => new VolumeSkinnedMesh([])).code).toBe('NO_MESH');
  });

  test('a mesh without a skeleton', () => {
    const loose = new THREE.SkinnedMesh(mesh.geometry, mesh.material);
    expect(fault(() => new VolumeSkinnedMesh(loose, { planner })).code).toBe('NO_SKELETON');
  });

  test('a disposed body', () => {
    const body = new VolumeSkinnedMesh(mesh, { planner });
    body.dispose();
    body.dispose();
    expect(fault(() => body.update()).message).toMatch(/disposed.*make a new/);
    expect(fault(() => (body.enabled = true)).code).toBe('DISPOSED');
  });

  test('a swapped skeleton and a swapped geometry', () => {
    const body = new VolumeSkinnedMesh(mesh, { planner });
    mesh.bind(mesh.skeleton.clone(), mesh.bindMatrix);
    expect(fault(() => body.update()).code).toBe('SKELETON_SWAPPED');
    const other = new VolumeSkinnedMesh(mesh, { planner });
    other.update();
    mesh.geometry = new THREE.BoxGeometry();
    expect(fault(() => other.update()).code).toBe('GEOMETRY_SWAPPED');
  });

  test('update before the first pose', () => {
    const body = new VolumeSkinnedMesh(mesh, { planner });
    mesh.skeleton.bones[1]!.quaternion.set(Number.NaN, 0, 0, 1);
    expect(fault(() => body.update()).message).toMatch(/no pose yet.*let the mixer run once/);
  });

  test('a stack that is not in the small runtime, and a preset that is none', () => {
    expect(fault(() => new VolumeSkinnedMesh(mesh, { planner, preset: 'global' })).message).toMatch(
      /pass \{ fullStack \}/,
    );
    expect(fault(() => new VolumeSkinnedMesh(mesh, { planner, preset: 'flubber' as never })).message).toMatch(
      /organic, rubber/,
    );
  });

  test('a second body for the same mesh takes the place of the first, as after a hot reload', () => {
    const first = new VolumeSkinnedMesh(mesh, { planner });
    first.update();
    const second = new VolumeSkinnedMesh(mesh, { planner, preset: 'rubber' });
    second.update();
    expect(fault(() => first.update()).code).toBe('DISPOSED');
    second.dispose();
    expect(mesh.isSkinnedMesh).toBe(true);
    expect(mesh.geometry.attributes.skinIndex).toBeDefined();
  });
});

function interleave(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const { position, normal, skinIndex, skinWeight } = geometry.attributes as Record<string, THREE.BufferAttribute>;
  const data = new THREE.InterleavedBuffer(new Float32Array(14 * position!.count), 14);
  const out = new THREE.BufferGeometry();
  out.setIndex(geometry.index);
  let offset = 0;
  for (const [name, source] of Object.entries({ position, normal, skinIndex, skinWeight })) {
    const attribute = new THREE.InterleavedBufferAttribute(data, source!.itemSize, offset);
    for (let v = 0; v < source!.count; v++) {
      for (let k = 0; k < source!.itemSize; k++) data.array[14 * v + offset + k] = source!.getComponent(v, k);
    }
    out.setAttribute(name, attribute);
    offset += source!.itemSize;
  }
  return out;
}
