import { POSE_STRIDE } from '@isoskin/core/runtime';
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';

const local = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/** Local transforms of the nodes in body space, #N×10, for stacks that walk the hierarchy themselves. */
export function readPose(
  out: Float64Array,
  nodes: readonly Object3D[],
  parents: ArrayLike<number>,
  bodySpace: Matrix4,
): void {
  nodes.forEach((node, n) => {
    if (parents[n]! < 0) local.multiplyMatrices(bodySpace, node.matrixWorld);
    else local.copy(node.matrix);
    local.decompose(position, rotation, scale);
    position.toArray(out, POSE_STRIDE * n);
    rotation.toArray(out, POSE_STRIDE * n + 3);
    scale.toArray(out, POSE_STRIDE * n + 7);
  });
}
