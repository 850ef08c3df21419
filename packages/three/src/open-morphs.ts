import type { SkinnedMesh } from 'three';
import type { Drawing } from './path.js';
import type { BodyPlan } from './plan-body.js';
import { ShapeDrawing } from './shape-drawing.js';

/** What draws the shapes of a body, by mesh. */
export interface OpenShapes {
  readonly drawings: readonly (Drawing & { write(amounts: Float64Array): void })[];
  close(): void;
}

export type ShapesOpener = (meshes: readonly SkinnedMesh[], plan: BodyPlan) => OpenShapes;

/** Shapes as morph targets: the mesh stays a stock one. */
export const openMorphs: ShapesOpener = (meshes, plan) => {
  const { geometries, close } = plan.openShapes();
  return { drawings: meshes.map((mesh, m) => new ShapeDrawing(mesh, geometries[m]!)), close };
};
