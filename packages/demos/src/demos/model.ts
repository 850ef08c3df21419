import { type CharacterInput, IsoskinError } from '@isoskin/core';
import { createField } from '../field/create-field.js';
import type { Lens } from '../polygonise/bend-surface.js';
import type { TriangleMesh } from '../polygonise/extract-net.js';
import { polygonise } from '../polygonise/polygonise.js';
import { createBoneWeights, INFLUENCES } from './create-bone-weights.js';
import { createClip, type Motion } from './create-clip.js';
import type { FleshPart } from './flesh.js';
import { createSkeletonInput, type Joint, readPoints } from './rig.js';

/** A demo character before it is meshed: joints, flesh around them and motions. */
export interface Model {
  readonly name: string;
  /** Default number of vertices. */
  readonly vertices: number;
  readonly joints: readonly Joint[];
  readonly flesh: readonly FleshPart[];
  /** Where the mesh is finer, rows of `x y z radius power`. */
  readonly lenses?: string;
  readonly motions: readonly Motion[];
}

/** I7. Field → mesh → weights: the input of a character, the same bit for bit every time. */
export function createModelInput(model: Model, vertices = model.vertices): CharacterInput {
  const blends = model.flesh.flatMap(({ shape, blends }) => blends.map((other) => [shape.name, other] as const));
  const primitives = model.flesh.map(({ shape }) => shape);
  const field = createField({ primitives, blends });
  const lenses = readPoints<Lens>(model.lenses ?? []);
  // V − E + F = 2 on a closed mesh, where E = 3F/2: one piece without handles. A thin part may fall between the grid points of
  // one step and not of the next.
  let mesh: TriangleMesh | undefined;
  for (const share of [1, 1.01, 0.99, 1.02, 0.98]) {
    mesh = polygonise(field, { vertices: Math.round(share * vertices), lenses });
    if (mesh.positions.length / 3 - mesh.triangles.length / 6 === 2) break;
    mesh = undefined;
  }
  if (!mesh) {
    const message = `${vertices} vertices are too few for the thin parts of this demo; ask for ${model.vertices} or more.`;
    throw new IsoskinError('DEMO_TOO_COARSE', message, model.name);
  }
  const bonesOf = model.flesh.map(({ bones }) => bones);
  const { bones, weights } = createBoneWeights(mesh, primitives, model.joints, bonesOf, blends);
  return {
    name: model.name,
    parts: [
      {
        name: model.name,
        group: 0,
        positions: mesh.positions,
        triangles: mesh.triangles,
        bones,
        weights,
        influences: INFLUENCES,
      },
    ],
    skeleton: createSkeletonInput(model.joints),
    clips: model.motions.map((motion) => createClip(motion, model.joints)),
  };
}
