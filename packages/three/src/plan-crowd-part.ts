import { IsoskinError } from '@isoskin/core/runtime';
import type { Matrix4, Object3D, SkinnedMesh } from 'three';
import { measureBodySpace } from './measure-body-space.js';
import { type BodyPlan, type PlanOptions, planBody } from './plan-body.js';
import { updateBodyMatrices } from './update-body-matrices.js';

/** A body of the model, as planned. */
export interface CrowdPart {
  readonly meshes: readonly SkinnedMesh[];
  readonly plan: BodyPlan;
  /** Skin space → body space, and body → model. */
  readonly space: Matrix4;
  readonly placement: Matrix4;
  readonly targets: Float64Array;
}

/** A promise where the body is planned in a worker. */
export function planCrowdPart(
  top: Object3D,
  meshes: SkinnedMesh[],
  options: PlanOptions,
): CrowdPart | Promise<CrowdPart> {
  updateBodyMatrices(meshes);
  top.updateWorldMatrix(true, false);
  const space = measureBodySpace(meshes[0]!);
  const { matrixWorld, bindMatrixInverse } = meshes[0]!;
  const placement = top.matrixWorld.clone().invert().multiply(matrixWorld).multiply(bindMatrixInverse);
  placement.multiply(space.clone().invert());
  const finish = (plan: BodyPlan): CrowdPart => {
    if (plan.isTimed) {
      const message = 'A crowd keeps volumes by shapes alone: leave targets that move with time out';
      throw new IsoskinError('STACK_NOT_IN_CROWD', message);
    }
    return { meshes, plan, space, placement, targets: plan.volume.createReport().targets };
  };
  const plan = planBody(meshes, options);
  return plan instanceof Promise ? plan.then(finish) : finish(plan);
}
