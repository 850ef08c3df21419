/**
 * C15 with amounts that come later: a pose is sent, and drawn when its amounts have arrived; poses that pass meanwhile are left out. While it is shown a
 * skeleton gives renderers and rays the bones of that pose.
 */
import type { VolumeReport } from '@isoskin/core';
import { createAmountSource } from '@isoskin/core/runtime';
import { Matrix4, type Skeleton, type SkinnedMesh, Vector3 } from 'three';
import type { ShapePath } from './create-shape-path.js';
import { getComponent } from './get-component.js';
import { placeBounds } from './measure-bounds.js';
import { openMorphs } from './open-morphs.js';
import type { BodyPose, Drawing } from './path.js';
import type { BodyPlan } from './plan-body.js';

export interface SolveAmounts {
  /** Undefined: solve them here. */
  solve(
    bones: Float64Array,
    time: number,
  ): Promise<{ readonly amounts: Float64Array; readonly report: object } | undefined>;
  dispose(): void;
}

/** A pose, as it was sent. */
interface Sent {
  readonly pose: Pick<BodyPose, 'bones' | 'morphWeights' | 'time'>;
  readonly spaces: readonly (readonly number[] | null)[];
  /** Bone matrices of every skeleton. */
  readonly matrices: ReadonlyMap<Skeleton, Float32Array>;
}

type Pair = Sent & { readonly amounts: Float64Array };

const NO_MORPHS = new Float64Array();
const offset = new Matrix4();
const base = new Vector3();
const point = new Vector3();

export function createDelayedPath(
  meshes: readonly SkinnedMesh[],
  plan: BodyPlan,
  there: SolveAmounts,
  open = openMorphs,
): ShapePath {
  const { drawings, close } = open(meshes, plan);
  const boxes = plan.getBoxes();
  const none = new Float64Array(plan.volume.framePlan().shapes.shapeCount);
  let here: ReturnType<typeof createAmountSource> | undefined;
  let isBusy = false;
  let isOver = false;
  let next: Sent | undefined;
  let arrived: Pair | undefined;
  let shown: Pair | undefined;

  async function send(sent: Sent, report: VolumeReport): Promise<void> {
    isBusy = true;
    const answer = await there.solve(sent.pose.bones, sent.pose.time);
    isBusy = false;
    if (isOver) return;
    const latest = next;
    next = undefined;
    if (!answer) return solveHere(latest ?? sent, report);
    arrived = { ...sent, amounts: answer.amounts };
    copyReport(report, answer.report);
    if (latest) void send(latest, report);
  }

  /** Where the worker is broken. */
  function solveHere(sent: Sent, report: VolumeReport): void {
    here ??= createAmountSource(plan.volume);
    here.solve(report, sent.pose.bones, NO_MORPHS, sent.pose.time);
    arrived = { ...sent, amounts: here.amounts.slice() };
  }

  /** Renderers and rays ask the skeleton, and get what is shown. */
  function hold(mesh: SkinnedMesh): void {
    const { skeleton } = mesh;
    skeleton.update = () => {
      skeleton.boneMatrices!.set(shown!.matrices.get(skeleton)!);
      if (skeleton.boneTexture) skeleton.boneTexture.needsUpdate = true;
    };
    const place = (index: number, target: Vector3) => placeVertex(mesh, shown!.matrices.get(skeleton)!, index, target);
    mesh.applyBoneTransform = place as SkinnedMesh['applyBoneTransform'];
  }

  function release(mesh: SkinnedMesh): void {
    Reflect.deleteProperty(mesh.skeleton, 'update');
    Reflect.deleteProperty(mesh, 'applyBoneTransform');
    shown = undefined;
  }

  return {
    get name() {
      return here?.backend ?? 'worker';
    },
    drawings: drawings.map((drawing) => holdWith(drawing, release)),
    useKernels: (kernels) => here?.useKernels(kernels),
    solve(pose, report, spaces) {
      const sent = takePose(meshes, pose, spaces);
      if (here) solveHere(sent, report);
      else if (isBusy) next = sent;
      else void send(sent, report);
    },
    write() {
      if (arrived && shown !== arrived) {
        if (!shown) for (const mesh of meshes) hold(mesh);
        shown = arrived;
        placeBounds(drawings, boxes, shown.pose, shown.amounts, shown.spaces);
      }
      for (const drawing of drawings) drawing.write(shown?.amounts ?? none);
    },
    dispose() {
      isOver = true;
      for (const mesh of meshes) release(mesh);
      for (const drawing of drawings) drawing.dispose();
      here?.dispose();
      there.dispose();
      close();
    },
  };
}

/** The drawing, whose mesh lets go of the pose when it is hidden. */
function holdWith(drawing: Drawing, release: (mesh: SkinnedMesh) => void): Drawing {
  const { mesh, geometry, box: own, sphere } = drawing;
  return {
    ...{ mesh, geometry, box: own, sphere },
    show: () => drawing.show(),
    hide() {
      release(mesh);
      drawing.hide();
    },
    dispose: () => drawing.dispose(),
  };
}

function takePose(meshes: readonly SkinnedMesh[], { bones, time }: BodyPose, spaces: Sent['spaces']): Sent {
  const matrices = new Map<Skeleton, Float32Array>();
  for (const { skeleton } of meshes) {
    if (matrices.has(skeleton)) continue;
    const own = new Float32Array(skeleton.boneMatrices!.length);
    for (const [b, bone] of skeleton.bones.entries()) {
      offset.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[b]!).toArray(own, 16 * b);
    }
    matrices.set(skeleton, own);
  }
  const copies = spaces.map((space) => space && [...space]);
  return { pose: { bones: bones.slice(), morphWeights: NO_MORPHS, time }, spaces: copies, matrices };
}

/** What SkinnedMesh.applyBoneTransform does, with these bones. */
function placeVertex(mesh: SkinnedMesh, matrices: Float32Array, index: number, target: Vector3): Vector3 {
  const { skinIndex, skinWeight } = mesh.geometry.attributes;
  base.copy(target).applyMatrix4(mesh.bindMatrix);
  target.set(0, 0, 0);
  for (let i = 0; i < 4; i++) {
    const weight = getComponent(skinWeight!, index, i);
    if (weight === 0) continue;
    offset.fromArray(matrices, 16 * getComponent(skinIndex!, index, i));
    target.addScaledVector(point.copy(base).applyMatrix4(offset), weight);
  }
  return target.applyMatrix4(mesh.bindMatrixInverse);
}

function copyReport(to: object, from: object): void {
  for (const [key, value] of Object.entries(from)) {
    const own = Reflect.get(to, key);
    if (ArrayBuffer.isView(own)) (own as Float64Array).set(value as Float64Array);
    else if (typeof value === 'number') Reflect.set(to, key, value);
  }
}
