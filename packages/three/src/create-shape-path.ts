import type { AmountKernels } from '@isoskin/core/kernels';
import { createAmountSource } from '@isoskin/core/runtime';
import { Box3, Matrix4, type SkinnedMesh } from 'three';
import { measureBounds } from './measure-bounds.js';
import { openMorphs } from './open-morphs.js';
import type { MeshSpaces, Path } from './path.js';
import type { BodyPlan } from './plan-body.js';

export interface ShapePath extends Path {
  /** Goes on with faster kernels. */
  useKernels(kernels: AmountKernels): void;
}

const bounds = new Float64Array(6);
const space = new Matrix4();
const box = new Box3();

/** C15 in three.js: the renderer morphs and skins, the kernels give it the amounts. */
export function createShapePath(meshes: readonly SkinnedMesh[], plan: BodyPlan, open = openMorphs): ShapePath {
  const { drawings, close } = open(meshes, plan);
  const boxes = plan.getBoxes();
  const source = createAmountSource(plan.volume);
  const { amounts } = source;

  function measureBoxes(pose: Parameters<Path['solve']>[0], spaces: MeshSpaces): void {
    measureBounds(bounds, boxes, pose, amounts);
    box.min.fromArray(bounds, 0);
    box.max.fromArray(bounds, 3);
    for (const [m, drawing] of drawings.entries()) {
      drawing.box.copy(box);
      if (spaces[m]) drawing.box.applyMatrix4(space.fromArray(spaces[m]));
      drawing.box.getBoundingSphere(drawing.sphere);
    }
  }

  return {
    get name() {
      return source.backend;
    },
    drawings,
    useKernels: source.useKernels,
    solve(pose, report, spaces) {
      source.solve(report, pose.bones, pose.morphWeights, pose.time);
      measureBoxes(pose, spaces);
    },
    write() {
      for (const drawing of drawings) drawing.write(amounts);
    },
    dispose() {
      for (const drawing of drawings) drawing.dispose();
      source.dispose();
      close();
    },
  };
}
