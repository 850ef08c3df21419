import { createFrameSource, planBody } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { planTurns } from '../../src/bake/plan-turns.js';

/** The tube whose upper joint turns about y by these angles, a second each. */
function turned(angles: readonly number[]) {
  const tube = createDemo('tube');
  const target = tube.skeleton.names.indexOf('upper');
  const [x, y, z, w] = tube.skeleton.locals.subarray(target * 10 + 3, target * 10 + 7) as unknown as number[];
  expect([x, y, z, w]).toEqual([0, 0, 0, 1]);
  const values = Float64Array.from(angles.flatMap((a) => [0, Math.sin(a / 2), 0, Math.cos(a / 2)]));
  const times = Float64Array.from(angles.keys());
  const channel = { target, path: 'rotation', interpolation: 'LINEAR', times, values, width: 4 } as const;
  const clips = [{ name: 'turn', duration: angles.length - 1, channels: [channel] }];
  const stack = createFrameSource(planBody({ ...tube, clips }), { skin: {} });
  return planTurns({ stack, samples: angles.map((_, time) => ({ clip: 0, time })) } as never);
}

describe('planTurns', () => {
  it('tells a bend to the left from one to the right', () => {
    const angles = [0, 0.5, 1, 0, -0.7, -1.2];
    const found = turned(angles);
    expect(found.map(({ name }) => name)).toHaveLength(1);
    const sign = Math.sign(found[0]!.amounts[1]!);
    angles.forEach((angle, n) => {
      expect(sign * found[0]!.amounts[n]!).toBeCloseTo(angle, 9);
    });
  });

  it('has nothing for joints that hardly turn', () => {
    expect(turned([0, 0.05, -0.05])).toEqual([]);
  });
});
