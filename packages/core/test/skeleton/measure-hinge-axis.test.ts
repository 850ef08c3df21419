/** The axis that a joint mostly turns about in the clips. */
import { type Channel, type Clip, createCharacter } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invertAffine } from '../../src/skeleton/matrices.js';
import { measureHingeAxis } from '../../src/skeleton/measure-hinge-axis.js';
import { tube } from '../meshes.js';

const SEED = 20263;

const quaternion = (axis: readonly number[], degrees: number): number[] => {
  const half = (degrees * Math.PI) / 360;
  return [...axis.map((a) => a * Math.sin(half)), Math.cos(half)];
};

function clipOf(keys: number[][], target = 1): Clip {
  const channel: Channel = {
    target,
    path: 'rotation',
    interpolation: 'LINEAR',
    times: Float32Array.from(keys, (_, i) => i),
    values: Float64Array.from(keys.flat()),
    width: 4,
  };
  return { name: 'clip', duration: keys.length - 1, channels: [channel] };
}

function hinge(...clips: Clip[]): number[] {
  return measureHingeAxis(createCharacter({ ...tube(), clips }), 1);
}

function expectAxis(found: readonly number[], wanted: readonly number[], least = 1 - 1e-9): void {
  const dot = found.reduce((sum, x, i) => sum + x * wanted[i]!, 0);
  expect(Math.abs(dot)).toBeGreaterThan(least);
  expect(Math.hypot(...found)).toBeCloseTo(1, 12);
}

describe('hinge axis', () => {
  it(`is the axis of a joint that turns about one axis only, whichever it is (seed ${SEED})`, () => {
    const number = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(
        fc.tuple(number, number, number).filter((v) => v.some((x) => x !== 0)),
        fc.integer({ min: 5, max: 170 }),
        (v, degrees) => {
          const axis = v.map((x) => x / Math.hypot(...v));
          expectAxis(hinge(clipOf([quaternion(axis, 0), quaternion(axis, degrees)])), axis);
        },
      ),
      {
        seed: SEED,
        numRuns: 150,
        examples: [
          [[1, -1, 0], 90],
          [[1, 1, -2], 60],
        ],
      },
    );
  });

  it('is the main axis of a joint that also twists a little', () => {
    const main = clipOf([quaternion([0, 1, 0], 0), quaternion([0, 1, 0], 100)]);
    const twist = clipOf([quaternion([1, 0, 0], -20), quaternion([1, 0, 0], 20)]);
    expectAxis(hinge(main, twist), [0, 1, 0]);
    const diagonal = [Math.SQRT1_2, Math.SQRT1_2, 0];
    const both = [clipOf([quaternion(diagonal, 0), quaternion(diagonal, 90)])];
    both.push(clipOf([quaternion([0, 0, 1], 0), quaternion([0, 0, 1], 80)]));
    expectAxis(hinge(...both), diagonal);
  });

  it('is in rest space: turned by the bind matrix', () => {
    const input = tube();
    const clips = [clipOf([quaternion([1, 0, 0], 0), quaternion([1, 0, 0], 50)])];
    const inverseBinds = input.skeleton.inverseBinds.slice();
    // The joint's own x is the world's z.
    invertAffine(inverseBinds, 16, [0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 3.3, 0, 0, 1], 0);
    const character = createCharacter({ ...input, clips, skeleton: { ...input.skeleton, inverseBinds } });
    expectAxis(measureHingeAxis(character, 1), [0, 0, 1]);
  });

  it('is zero for a joint that no clip turns', () => {
    expect(hinge()).toEqual([0, 0, 0]);
    expect(hinge(clipOf([quaternion([1, 0, 0], 0), quaternion([1, 0, 0], 0)]))).toEqual([0, 0, 0]);
    expect(hinge(clipOf([quaternion([1, 0, 0], 0), quaternion([1, 0, 0], 90)], 0))).toEqual([0, 0, 0]);
  });
});
