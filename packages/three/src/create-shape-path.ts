import type { AmountKernels } from '@isoskin/core/kernels';
import { createAmountSource } from '@isoskin/core/runtime';
import type { SkinnedMesh } from 'three';
import { placeBounds } from './measure-bounds.js';
import { openMorphs } from './open-morphs.js';
import type { Path } from './path.js';
import type { BodyPlan } from './plan-body.js';

export interface ShapePath extends Path {
  /** Goes on with faster kernels. */
  useKernels(kernels: AmountKernels): void;
}

/** C15 in three.js: the renderer morphs and skins, the kernels give it the amounts. */
export function createShapePath(meshes: readonly SkinnedMesh[], plan: BodyPlan, open = openMorphs): ShapePath {
  const { drawings, close } = open(meshes, plan);
  const boxes = plan.getBoxes();
  const source = createAmountSource(plan.volume);
  const { amounts } = source;

  return {
    get name() {
      return source.backend;
    },
    drawings,
    useKernels: source.useKernels,
    solve(pose, report, spaces) {
      source.solve(report, pose.bones, pose.morphWeights, pose.time);
      placeBounds(drawings, boxes, pose, amounts, spaces);
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
