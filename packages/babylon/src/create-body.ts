import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import type { VolumeReport } from '@isoskin/core';
import type { AmountKernels, ShapeTarget } from '@isoskin/core/kernels';
import { createAmountSource, listShapeNames, type PlayedPlan, planShapeTargets } from '@isoskin/core/runtime';
import { type ReadMeshes, readBones } from './read-meshes.js';

/** Meshes that hang on one skeleton, their shapes as morph targets. */
export interface Body {
  readonly meshes: readonly Mesh[];
  /** The plan as bytes, for the option `plan`. */
  readonly savedPlan: Uint8Array;
  /** Volumes and targets of the regions after the last update. */
  readonly report: VolumeReport;
  /** Seconds: where keyed targets of the stack stand. */
  time: number;
  useKernels(kernels: AmountKernels): void;
  /** Takes the present pose, `dt` seconds after the last one. */
  update(dt?: number): void;
  show(): void;
  hide(): void;
  dispose(): void;
}

interface Drawn {
  readonly shape: number;
  readonly target: MorphTarget;
}

export function createBody(
  { meshes, scale: read, morphs }: ReadMeshes,
  volume: PlayedPlan,
  savedPlan: Uint8Array,
): Body {
  const { character } = volume;
  const scale = character.parts[0]?.scale ?? read; // that of the pose in which it was planned
  const linear = [scale, 0, 0, 0, scale, 0, 0, 0, scale];
  const inverse = linear.map((value) => (value === 0 ? 0 : 1 / value));
  const targets = planShapeTargets(
    volume.framePlan(),
    meshes.map((mesh, m) => ({
      welded: character.parts[m]!.welded,
      linear,
      inverse,
      normals: mesh.getVerticesData(VertexBuffer.NormalKind) ?? undefined,
    })),
  );
  const names = listShapeNames(volume.framePlan().shapes, volume.regions.names);
  const drawn = meshes.map((mesh, m) => createTargets(mesh, targets[m]!, names));
  const had = meshes.map((mesh) => mesh.morphTargetManager);
  const report = volume.createReport();
  const source = createAmountSource(volume);
  const bones = new Float64Array(12 * character.skeleton.boneCount);
  const weights = new Float64Array(morphs.length);
  const { skeleton } = meshes[0]!;
  let isShown = false;

  return {
    meshes,
    savedPlan,
    report,
    time: 0,
    useKernels: source.useKernels,
    update(dt = 0) {
      this.time += dt;
      skeleton!.prepare(true);
      readBones(bones, meshes[0]!, scale);
      for (const [k, { mesh, index }] of morphs.entries()) {
        weights[k] = mesh.morphTargetManager!.getTarget(index).influence;
      }
      source.solve(report, bones, weights, this.time);
      for (const { shape, target } of drawn.flat()) target.influence = source.amounts[shape]!;
    },
    show() {
      if (isShown) return;
      isShown = true;
      for (const [m, mesh] of meshes.entries()) {
        const manager = had[m] ?? new MorphTargetManager(mesh.getScene());
        for (const { target } of drawn[m]!) manager.addTarget(target);
        mesh.morphTargetManager = manager;
      }
    },
    hide() {
      if (!isShown) return;
      isShown = false;
      for (const [m, mesh] of meshes.entries()) {
        const manager = mesh.morphTargetManager;
        for (const { target } of drawn[m]!) manager?.removeTarget(target);
        if (had[m]) continue;
        mesh.morphTargetManager = null;
        manager?.dispose();
      }
    },
    dispose() {
      this.hide();
      source.dispose();
    },
  };
}

/** Targets of Babylon.js are absolute. */
function createTargets(mesh: Mesh, targets: readonly ShapeTarget[], regions: readonly string[]): Drawn[] {
  const base = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const normals = mesh.getVerticesData(VertexBuffer.NormalKind);
  // All targets of a mesh have normals, or none has.
  const hasNormals = normals !== null && (mesh.morphTargetManager?.supportsNormals ?? true);
  return targets.map(({ shape, ...deltas }) => {
    const target = new MorphTarget(`isoskin ${regions[shape] ?? shape}`, 0, mesh.getScene());
    target.setPositions(deltas.positions.map((delta, i) => base[i]! + delta));
    if (hasNormals && deltas.normals) target.setNormals(deltas.normals.map((delta, i) => normals[i]! + delta));
    return { shape, target };
  });
}
