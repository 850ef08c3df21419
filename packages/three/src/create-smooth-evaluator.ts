/**
 * Skin → regions with planned bases (C11) → normals on the TypeScript kernels: what `createStack` does for the default stack,
 * without the methods that it does not need. One evaluator serves all bodies of a plan; another body starts cold.
 */
import {
  applyMorphs,
  createExtendedPositions,
  planRegionsSmooth,
  type RegionsSmoothOptions,
  type SolverFrame,
  type VolumeContext,
} from '@isoskin/core';
import type { Evaluator } from './evaluator.js';

export function createSmoothEvaluator(context: VolumeContext, options: RegionsSmoothOptions = {}): Evaluator {
  const { character, volumes, directions, targets, kernels } = context;
  const { surface, binding, morphs } = character;
  const count = surface.vertexCount;
  const solver = planRegionsSmooth(context, options);
  const rest = morphs.length > 0 ? surface.positions.slice() : surface.positions;
  const skin = { positions: rest, directions, ...binding };
  const skinned = { positions: createExtendedPositions(volumes), directions: new Float64Array(3 * count) };
  const normals = new Float64Array(3 * count);
  // Caps are no skin: where there are any, the normals are summed again without them.
  const areas = volumes.closed.apexCount === 0 ? solver.areas : undefined;
  const { triangles } = surface;
  let frame: SolverFrame | undefined;
  let last: object | undefined;
  return {
    name: 'typescript',
    stride: 3,
    positions: skinned.positions,
    normals,
    run({ bones, morphWeights, time }, report, body) {
      if (last !== body) solver.reset?.();
      last = body;
      if (frame?.report !== report || frame.bones !== bones)
        frame = { ...skinned, targets: report.targets, bones, report };
      if (morphs.length > 0) applyMorphs(rest, character, morphWeights);
      kernels.skinLinear(skinned, skin, bones, 0, count);
      targets.measure(report.targets, bones, time);
      solver.apply(frame);
      if (!areas) kernels.sumAreaVectors(normals, skinned.positions, triangles, triangles.length / 3, count);
      kernels.normalise(normals, areas ?? normals, 0, count);
    },
    dispose() {},
  };
}
