/** three.js's CPU path: `SkinnedMesh.applyBoneTransform` for every vertex, plain linear skinning without normals. */
import { Bone, BufferAttribute, BufferGeometry, Matrix4, Skeleton, SkinnedMesh, Vector3 } from 'three';

/** A function that skins all vertices of a frame plan for bone matrices (#B×12). */
export function createThreeSkin(plan) {
  const { vertexCount, boneCount, offsets } = plan;
  const geometry = new BufferGeometry();
  const indices = new Uint16Array(4 * vertexCount);
  const weights = new Float32Array(4 * vertexCount);
  for (let k = 0; k < vertexCount; k++) {
    for (let n = 0; n < 4 && offsets[k] + n < offsets[k + 1]; n++) {
      indices[4 * k + n] = plan.bones[offsets[k] + n];
      weights[4 * k + n] = plan.weights[offsets[k] + n];
    }
  }
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(plan.positions), 3));
  geometry.setAttribute('skinIndex', new BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
  const bones = Array.from({ length: boneCount }, () => new Bone());
  const mesh = new SkinnedMesh(geometry);
  mesh.bind(
    new Skeleton(
      bones,
      bones.map(() => new Matrix4()),
    ),
    new Matrix4(),
  );
  const out = new Float32Array(3 * vertexCount);
  const point = new Vector3();
  const { position } = geometry.attributes;
  return (matrices) => {
    bones.forEach((bone, i) => {
      const m = matrices.subarray(12 * i, 12 * i + 12);
      bone.matrixWorld.set(m[0], m[3], m[6], m[9], m[1], m[4], m[7], m[10], m[2], m[5], m[8], m[11], 0, 0, 0, 1);
    });
    for (let k = 0; k < vertexCount; k++) {
      mesh.applyBoneTransform(k, point.fromBufferAttribute(position, k));
      point.toArray(out, 3 * k);
    }
    return out;
  };
}
