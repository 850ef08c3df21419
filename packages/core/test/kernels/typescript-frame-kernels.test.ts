/** The frame table on the TypeScript frame kernels: the stack's own numbers, rounded to f32. */
import { createSolverReport, type FramePlan, typescriptFrameKernels } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { compareFrames, describeDifference, FRAME_TOLERANCES, listRandomCases, listTubeCases } from './frame-table.js';

function open(plan: FramePlan) {
  const runner = typescriptFrameKernels.planFrame(plan);
  const report = createSolverReport(plan.volumes.regionCount);
  return {
    run(bones: Float64Array, targets: Float64Array) {
      runner.run(bones, targets, report);
      return runner;
    },
    dispose: () => runner.dispose(),
  };
}

describe('TypeScript frame kernels', () => {
  for (const one of [...listTubeCases(6), ...listRandomCases([1, 2, 3, 4, 5, 6], 4)]) {
    it(`${one.name} as the stack`, async () => {
      const found = await compareFrames(one, open, FRAME_TOLERANCES.typescript);
      expect(describeDifference(found, FRAME_TOLERANCES.typescript)).toBe('');
    });
  }

  it('notices a frame that is off', async () => {
    const [one] = listTubeCases(2);
    const shifted = (plan: FramePlan) => {
      const subject = open(plan);
      return {
        ...subject,
        run: (bones: Float64Array, targets: Float64Array) => {
          const { positions, normals } = subject.run(bones, targets);
          return { positions: positions.map((value) => 1.0001 * value), normals };
        },
      };
    };
    const found = await compareFrames(one!, shifted, FRAME_TOLERANCES.typescript);
    expect(describeDifference(found, FRAME_TOLERANCES.typescript)).toMatch(/positions, total, component, region/);
  });
});
