import { Matrix4, Quaternion, type SkinnedMesh, Vector3 } from 'three';

const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();
const inverse = new Matrix4();

/** Entries of a matrix that differ by less, relative to its size, are rounding. */
const SAME = 1e-6;

/**
 * Skin space (where the bones are) → body space (that of the first mesh, without uneven scale or shear): what a pose is read
 * in. Moving a character through the world does not change its pose.
 */
export function measureBodySpace(mesh: SkinnedMesh, out = new Matrix4()): Matrix4 {
  out.copy(mesh.bindMatrixInverse);
  inverse.copy(out).invert().decompose(position, rotation, scale);
  const [x, y, z] = [scale.x, scale.y, scale.z];
  if (Math.abs(x - y) + Math.abs(x - z) <= SAME * Math.abs(x)) return out;
  const even = Math.cbrt(x * y * z) || 1;
  return out.compose(position, rotation, scale.set(even, even, even)).invert();
}

/** Body space → space of `mesh`, into `out`; false where both are the same. `size` is that of the body. */
export function measureMeshSpace(out: Matrix4, mesh: SkinnedMesh, bodySpace: Matrix4, size: number): boolean {
  const { elements } = out.copy(bodySpace).invert().premultiply(mesh.bindMatrixInverse);
  for (let k = 0; k < 16; k++) {
    if (Math.abs(elements[k]! - (k % 5 === 0 ? 1 : 0)) > SAME * (k < 12 ? 1 : 0.1 * size)) return true;
  }
  return false;
}
