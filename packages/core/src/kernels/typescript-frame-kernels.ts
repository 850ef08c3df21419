/**
 * Whole frames on the TypeScript kernels: what `createFastStack` runs on where neither WASM nor WebGPU can be had. The numbers
 * of `createStack`, rounded to f32 at the end.
 */
import { createShapeSolver } from '../correction/create-shape-solver.js';
import type { SolverFrame } from '../correction/volume-solver.js';
import { createExtendedPositions } from '../volume/measure-region-volumes.js';
import type { FrameKernels, FramePlan, FrameRunner } from './frame-plan.js';
import { linearKernels } from './linear-kernels.js';

export const typescriptFrameKernels: FrameKernels = { name: 'typescript', planFrame };

function planFrame(plan: FramePlan): FrameRunner {
  const kernels = linearKernels;
  const { vertexCount, volumes, offsets, bones, weights } = plan;
  const { surface, apexCount } = volumes.closed;
  const solver = createShapeSolver(volumes, plan.shapes, kernels, plan.solver);
  const skin = { positions: plan.positions.slice(), directions: plan.directions, offsets, bones, weights };
  const extended = createExtendedPositions(volumes);
  const directions = new Float64Array(3 * vertexCount);
  const areas = new Float64Array(3 * vertexCount);
  const output = { positions: extended, directions };
  const positions = new Float32Array(4 * vertexCount);
  const skinned = new Float32Array(4 * vertexCount);
  const normals = new Float32Array(4 * vertexCount);
  let frame: SolverFrame | undefined;
  return {
    positions,
    skinned,
    normals,
    setRest: (rest) => skin.positions.set(rest),
    amounts: solver.amounts,
    run(boneMatrices, targets, report, warm = false) {
      kernels.skinLinear(output, skin, boneMatrices, 0, vertexCount);
      writeVectors(skinned, extended, vertexCount);
      if (!frame || frame.targets !== targets || frame.report !== report || frame.bones !== boneMatrices) {
        frame = { positions: extended, directions, targets, bones: boneMatrices, report };
      }
      frame.warm = warm;
      solver.apply(frame);
      const closed = apexCount === 0 ? solver.areas : undefined; // with holes, the caps' triangles are in the solver's sums
      if (!closed)
        kernels.sumAreaVectors(areas, extended, surface.triangles, surface.triangles.length / 3, vertexCount);
      kernels.normalise(areas, closed ?? areas, 0, vertexCount);
      writeVectors(positions, extended, vertexCount);
      writeVectors(normals, areas, vertexCount);
    },
    dispose: () => {},
  };
}

/** #V×3 → #V×4. */
function writeVectors(out: Float32Array, vectors: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) {
    out[4 * k] = vectors[3 * k]!;
    out[4 * k + 1] = vectors[3 * k + 1]!;
    out[4 * k + 2] = vectors[3 * k + 2]!;
  }
}
