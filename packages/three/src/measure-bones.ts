import { Matrix4, type SkinnedMesh } from 'three';
import type { Place } from './read-skinned-meshes.js';

const world = new Matrix4();

/** T_i T̄_i⁻¹ of every bone in body space, #B×12, from the bones' world matrices. */
export function measureBones(
  out: Float64Array,
  meshes: readonly SkinnedMesh[],
  bones: readonly Place[],
  inverseBinds: Float64Array,
  bodySpace: Matrix4,
): void {
  for (let i = 0; i < bones.length; i++) {
    const { mesh, index } = bones[i]!;
    const a = world.multiplyMatrices(bodySpace, meshes[mesh]!.skeleton.bones[index]!.matrixWorld).elements;
    for (let c = 0; c < 4; c++) {
      const b = 16 * i + 4 * c;
      const x = inverseBinds[b]!;
      const y = inverseBinds[b + 1]!;
      const z = inverseBinds[b + 2]!;
      const to = 12 * i + 3 * c;
      const w = c === 3 ? 1 : 0;
      out[to] = a[0]! * x + a[4]! * y + a[8]! * z + w * a[12]!;
      out[to + 1] = a[1]! * x + a[5]! * y + a[9]! * z + w * a[13]!;
      out[to + 2] = a[2]! * x + a[6]! * y + a[10]! * z + w * a[14]!;
    }
  }
}
