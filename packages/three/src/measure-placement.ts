import { Matrix4, Quaternion, Vector3 } from 'three';

const inverse = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/**
 * Body space → world, in units of the body, into `out`: where the body stands and how it is turned.
 *
 * @param unit size of that unit in the world, 0 when it is not known yet; returned. It stays: a body that is scaled while it
 * stands far from the origin does not move
 */
export function measurePlacement(out: Matrix4, bodySpace: Matrix4, unit: number): number {
  inverse.copy(bodySpace).invert().decompose(position, rotation, scale);
  const own = unit || Math.abs(scale.y) || 1;
  out.compose(position.divideScalar(own), rotation, scale.set(1, 1, 1));
  return own;
}
