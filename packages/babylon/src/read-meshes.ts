/**
 * Skinned Babylon.js meshes of one skeleton as `createStillCharacter` takes them: one part per mesh.
 *
 *   x̄ = s · position        T_i T̄_i⁻¹ = skin matrix_i · diag(1/s, 1/s, 1/s, 1)
 *
 * s  common scale of the joints in the present pose, so that rest volumes are those that are seen. Babylon's row vectors and rows lie in memory as our
 * column vectors and columns do.
 */

import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { CharacterInput, MorphInput, PartInput } from '@isoskin/core';
import { measureBoneScales, measureCommonScale, POSE_STRIDE } from '@isoskin/core/runtime';
import { readClips } from './read-clips.js';

export interface ReadMeshes {
  readonly meshes: readonly Mesh[];
  readonly input: CharacterInput;
  /** s. */
  readonly scale: number;
  /** Where the weight of every morph target of the file is found. */
  readonly morphs: readonly { readonly mesh: Mesh; readonly index: number }[];
}

const INFLUENCES = 8;

/** @param groups clips that the plan is rehearsed on */
export function readMeshes(meshes: readonly Mesh[], groups: readonly AnimationGroup[] = []): ReadMeshes {
  const { bones } = meshes[0]!.skeleton!;
  const matrices = new Float64Array(12 * bones.length);
  readBones(matrices, meshes[0]!, 1);
  const scales = new Float64Array(bones.length);
  measureBoneScales(scales, matrices, bones.length);
  const scale = Math.cbrt(measureCommonScale(scales)) || 1;
  const inverseBinds = new Float64Array(16 * bones.length);
  const locals = new Float64Array(POSE_STRIDE * bones.length);
  for (const [b, bone] of bones.entries()) {
    const inverse = bone.getAbsoluteInverseBindMatrix().asArray();
    for (let k = 0; k < 16; k++) inverseBinds[16 * b + k] = k < 12 ? inverse[k]! / scale : inverse[k]!;
    const { position: p, rotationQuaternion: q, scaling } = bone;
    locals.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w, scaling.x, scaling.y, scaling.z], POSE_STRIDE * b);
  }
  const morphs: MorphInput[] = [];
  const places: { mesh: Mesh; index: number }[] = [];
  const parts = meshes.map((mesh, group): PartInput => {
    const first = morphs.length;
    for (let index = 0; index < (mesh.morphTargetManager?.numTargets ?? 0); index++) {
      morphs.push({ name: mesh.morphTargetManager!.getTarget(index).name, group, weight: 0 });
      places.push({ mesh, index });
    }
    return readPart(mesh, group, scale, first);
  });
  const parents = bones.map((bone) => bones.indexOf(bone.getParent()!));
  const names = bones.map(({ name }) => name);
  const skeleton = { names, parents, locals, boneNodes: bones.map((_, b) => b), inverseBinds };
  const clips = readClips(groups, meshes[0]!);
  return { meshes, input: { name: meshes[0]!.name, parts, skeleton, morphs, clips }, scale, morphs: places };
}

/** T_i T̄_i⁻¹ of every bone, #B×12, for a rest shape that is `scale` times larger. */
export function readBones(out: Float64Array, mesh: Mesh, scale: number): void {
  const matrices = mesh.skeleton!.getTransformMatrices(mesh);
  for (let b = 0; 12 * b < out.length; b++) {
    for (let c = 0; c < 4; c++) {
      for (let r = 0; r < 3; r++) out[12 * b + 3 * c + r] = matrices[16 * b + 4 * c + r]! / (c < 3 ? scale : 1);
    }
  }
}

function readPart(mesh: Mesh, group: number, scale: number, first: number): PartInput {
  const positions = Float32Array.from(mesh.getVerticesData(VertexBuffer.PositionKind)!);
  const count = positions.length / 3;
  const bones = new Uint32Array(INFLUENCES * count);
  const weights = new Float32Array(INFLUENCES * count);
  const kinds = [
    [VertexBuffer.MatricesIndicesKind, VertexBuffer.MatricesWeightsKind],
    [VertexBuffer.MatricesIndicesExtraKind, VertexBuffer.MatricesWeightsExtraKind],
  ] as const;
  kinds.forEach(([indexKind, weightKind], half) => {
    const indices = mesh.getVerticesData(indexKind);
    const values = mesh.getVerticesData(weightKind);
    if (!indices || !values) return;
    for (let i = 0; i < 4 * count; i++) {
      const to = INFLUENCES * Math.trunc(i / 4) + 4 * half + (i % 4);
      bones[to] = indices[i]!;
      weights[to] = values[i]!;
    }
  });
  const manager = mesh.morphTargetManager;
  const deltas = Array.from({ length: manager?.numTargets ?? 0 }, (_, index) => {
    const target = manager!.getTarget(index).getPositions();
    return target ? Float32Array.from(target, (value, i) => value - positions[i]!) : null;
  });
  const triangles = mesh.getIndices();
  return {
    name: mesh.name,
    group,
    positions,
    ...(triangles?.length && { triangles }),
    bones,
    weights,
    influences: INFLUENCES,
    scale,
    ...(deltas.length > 0 && { morphs: { first, deltas } }),
  };
}
