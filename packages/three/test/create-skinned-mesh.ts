/** SkinnedMeshes from code: a demo character, and a bar that can be built in every way that three.js allows. */
import { type CharacterInput, POSE_STRIDE } from '@isoskin/core';
import { createDemoInput } from '@isoskin/demos';
import * as THREE from 'three';

/** The first part of a demo as a SkinnedMesh beside its bones, in a Group. */
export function createDemoMesh(name: string, vertices: number): { root: THREE.Group; mesh: THREE.SkinnedMesh } {
  return createMesh(createDemoInput(name, { vertices }));
}

export function createMesh({ parts, skeleton }: CharacterInput): { root: THREE.Group; mesh: THREE.SkinnedMesh } {
  const part = parts[0]!;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(part.positions), 3));
  geometry.setIndex(Array.from(part.triangles!));
  const widen = (values: ArrayLike<number>) =>
    Array.from({ length: (4 * values.length) / part.influences }, (_, i) =>
      i % 4 < part.influences ? values[Math.trunc(i / 4) * part.influences + (i % 4)]! : 0,
    );
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(widen(part.bones), 4));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(widen(part.weights), 4));
  geometry.computeVertexNormals();
  const root = new THREE.Group();
  const nodes = skeleton.names.map((name, n) => {
    const bone = new THREE.Bone();
    bone.name = name;
    const trs = Array.from(skeleton.locals.subarray(POSE_STRIDE * n, POSE_STRIDE * (n + 1)));
    bone.position.fromArray(trs);
    bone.quaternion.fromArray(trs, 3);
    bone.scale.fromArray(trs, 7);
    return bone;
  });
  nodes.forEach((bone, n) => {
    const parent = skeleton.parents[n]!;
    (parent < 0 ? root : nodes[parent]!).add(bone);
  });
  const bones = Array.from(skeleton.boneNodes, (n) => nodes[n]!);
  const inverses = bones.map((_, b) => new THREE.Matrix4().fromArray(Array.from(skeleton.inverseBinds), 16 * b));
  const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshStandardMaterial());
  mesh.name = part.name;
  root.add(mesh);
  root.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton(bones, inverses), new THREE.Matrix4());
  return { root, mesh };
}

/** Bends every second joint. */
export function bend(mesh: THREE.SkinnedMesh, angle: number): void {
  for (const [i, bone] of mesh.skeleton.bones.entries()) if (i % 2 === 1) bone.rotation.z += angle;
  mesh.parent?.updateMatrixWorld(true);
}

/** Vertices of a mesh as it draws them, in the world, #×3. */
export function readDrawn(mesh: THREE.SkinnedMesh): Float64Array {
  const out = new Float64Array(3 * mesh.geometry.attributes.position!.count);
  const point = new THREE.Vector3();
  mesh.updateWorldMatrix(true, false);
  for (let i = 0; 3 * i < out.length; i++) {
    mesh
      .getVertexPosition(i, point)
      .applyMatrix4(mesh.matrixWorld)
      .toArray(out, 3 * i);
  }
  return out;
}

/** Volume inside a closed mesh whose triangles are `index`. */
export function measureMeshVolume(positions: ArrayLike<number>, index: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < index.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      new THREE.Vector3().fromArray(Array.prototype.slice.call(positions, 3 * index[t + k]!, 3 * index[t + k]! + 3)),
    ) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i]! - b[i]!));
  return a.length === b.length ? most : Number.POSITIVE_INFINITY;
}
