/**
 * Whole frames on the TypeScript kernels: what `createFastStack` runs on where neither WASM nor WebGPU can be had. The numbers
 * of `createStack`, rounded to f32 at the end.
 */
import { createAmountRunner } from './create-amount-runner.js';
import type { FrameKernels, FramePlan, FrameRunner } from './frame-plan.js';
import { linearKernels as kernels } from './linear-kernels.js';

export const typescriptFrameKernels: FrameKernels = { name: 'typescript', planFrame };

function planFrame(plan: FramePlan): FrameRunner {
  const { vertexCount, volumes } = plan;
  const { surface, apexCount } = volumes.closed;
  const runner = createAmountRunner(plan);
  const { amounts, setRest, solve, dispose } = runner;
  const areas = new Float64Array(3 * vertexCount);
  const positions = new Float32Array(4 * vertexCount);
  const skinned = new Float32Array(4 * vertexCount);
  const normals = new Float32Array(4 * vertexCount);
  return {
    positions,
    skinned,
    normals,
    ...{ amounts, setRest, solve, dispose },
    run(boneMatrices, targets, report, warm = false) {
      runner.skin(boneMatrices);
      writeVectors(skinned, runner.positions, vertexCount);
      runner.solveSkinned(boneMatrices, targets, report, warm);
      const closed = apexCount === 0 ? runner.areas : undefined; // with holes, the caps' triangles are in the solver's sums
      if (!closed)
        kernels.sumAreaVectors(areas, runner.positions, surface.triangles, surface.triangles.length / 3, vertexCount);
      kernels.normalise(areas, closed ?? areas, 0, vertexCount);
      writeVectors(positions, runner.positions, vertexCount);
      writeVectors(normals, areas, vertexCount);
    },
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
