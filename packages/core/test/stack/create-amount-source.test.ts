/** The amounts for engines that morph and skin themselves are those of the layers, bit for bit. */
import { createAmountSource, createFrameSource, planBody, presetStack } from '@isoskin/core';
import { planVolume } from '@isoskin/core/kernels';
import { describe, expect, it } from 'vitest';
import {
  compareFrames,
  describeDifference,
  FRAME_TOLERANCES,
  listRandomCases,
  listTubeCases,
} from '../kernels/frame-table.js';

const cases = [...listTubeCases(6), ...listRandomCases([1, 2, 3, 4, 5, 6], 4)];

describe('createAmountSource', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s as the layers', (_, { character, spec, poses }) => {
    const stack = spec ?? presetStack('organic');
    const source = createFrameSource(planBody(character), stack, { warm: true });
    const plan = planVolume(planBody(character), stack.volume);
    const amounts = createAmountSource(plan);
    const report = plan.createReport();
    for (const pose of poses) {
      const { bones } = source.evaluate(pose);
      amounts.solve(report, bones, pose.morphWeights, 0);
      expect([...amounts.amounts]).toEqual([...source.volume!.shapes!.amounts]);
      expect([...report.volumes]).toEqual([...source.frame.report!.volumes]);
    }
  });
});

describe('the table of frames', () => {
  it('notices a frame that is off', async () => {
    const [one] = listTubeCases(2);
    const source = createFrameSource(planBody(one!.character), one!.spec ?? presetStack('organic'));
    let next = 0;
    const found = await compareFrames(
      one!,
      () => ({
        run() {
          const { positions, normals } = source.evaluate(one!.poses[next++]!);
          const spread = (from: Float64Array, factor: number) =>
            Float32Array.from(
              { length: (from.length / 3) * 4 },
              (_, i) => factor * (from[3 * (i >> 2) + (i & 3)] ?? 0),
            );
          return { positions: spread(positions, 1.0001), normals: spread(normals, 1) };
        },
        dispose() {},
      }),
      FRAME_TOLERANCES.wasm,
    );
    expect(describeDifference(found, FRAME_TOLERANCES.wasm)).toMatch(/positions, total, component, region/);
  });
});
