/** Reads the pose of a body from its three.js bones: world matrices → T_i T̄_i⁻¹ in body space. */
import { IsoskinError } from '@isoskin/core/runtime';
import { Matrix4, type SkinnedMesh } from 'three';
import { describeMesh } from './describe-mesh.js';
import { listSkeletonNodes } from './list-skeleton-nodes.js';
import { measureBodySpace, measureMeshSpace } from './measure-body-space.js';
import { measureBones } from './measure-bones.js';
import type { BodyPose } from './path.js';
import type { BodyPlan } from './plan-body.js';
import { readPose } from './read-pose.js';

/** A bone that moved by less, relative to the body, has not moved. */
const STILL = 1e-9;

export interface PoseReader {
  readonly pose: BodyPose;
  /** Body → space of each mesh, 4×4; null where they are the same. */
  readonly spaces: readonly (number[] | null)[];
  /** Takes the present pose; false when it is the last one still. */
  read(): boolean;
}

export function createPoseReader(meshes: readonly SkinnedMesh[], plan: BodyPlan): PoseReader {
  const { inverseBinds } = plan.character.skeleton;
  const space = new Matrix4();
  const toMesh = new Matrix4();
  const spaces: (number[] | null)[] = meshes.map(() => null);
  const next = new Float64Array(12 * plan.bones.length);
  const morphWeights = new Float64Array(plan.morphs.length);
  const { nodes, parents } = listSkeletonNodes(meshes);
  const pose: BodyPose = {
    bones: new Float64Array(next.length).fill(Number.POSITIVE_INFINITY),
    morphWeights,
    time: 0,
    space,
    readLocals: (out, to = space) => readPose(out, nodes, parents, to),
  };
  let lastTime = 0;

  /** A bone has moved since the last pose. */
  function isMoved(): boolean {
    const { bones } = pose;
    const far = STILL * plan.size;
    for (let k = 0; k < next.length; k += 12) {
      for (let c = k; c < k + 9; c++) if (!(Math.abs(next[c]! - bones[c]!) <= STILL)) return true;
      for (let c = k + 9; c < k + 12; c++) if (!(Math.abs(next[c]! - bones[c]!) <= far)) return true;
    }
    return false;
  }

  function checkBones(): void {
    for (let k = 0; k < next.length; k++) {
      if (Number.isFinite(next[k])) continue;
      const { mesh, index } = plan.bones[Math.trunc(k / 12)]!;
      const bone = meshes[mesh]!.skeleton.bones[index]!;
      const message = `The skeleton has no pose yet (bone "${bone.name || index}" is at ${next[k]}): set the bones, or let the mixer run once, before update()`;
      throw new IsoskinError('NO_POSE', message, describeMesh(meshes[mesh]!));
    }
  }

  function readMorphs(): boolean {
    let changed = false;
    for (let k = 0; k < morphWeights.length; k++) {
      const { mesh, index } = plan.morphs[k]!;
      const weight = meshes[mesh]!.morphTargetInfluences?.[index] ?? 0;
      changed ||= weight !== morphWeights[k];
      morphWeights[k] = weight;
    }
    return changed;
  }

  function readSpaces(): boolean {
    let changed = false;
    for (let m = 0; m < meshes.length; m++) {
      const before = spaces[m];
      if (!measureMeshSpace(toMesh, meshes[m]!, space, plan.size)) spaces[m] = null;
      else if (!before) spaces[m] = toMesh.toArray();
      else {
        const { elements } = toMesh;
        changed ||= elements.some((value, k) => Math.abs(value - before[k]!) > STILL * (k < 12 ? 1 : plan.size));
        toMesh.toArray(before);
      }
      changed ||= !before !== !spaces[m];
    }
    return changed;
  }

  return {
    pose,
    spaces,
    read() {
      measureBodySpace(meshes[0]!, space);
      measureBones(next, meshes, plan.bones, inverseBinds, space);
      checkBones();
      const morphed = readMorphs();
      const placed = readSpaces();
      const timed = plan.isTimed && pose.time !== lastTime;
      if (!morphed && !placed && !timed && !isMoved()) return false;
      pose.bones.set(next);
      lastTime = pose.time;
      return true;
    },
  };
}
