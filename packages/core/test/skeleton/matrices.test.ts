/** A1: world and bone matrices of a pose. */

import type { Skeleton } from '@isoskin/core';
import {
  BONE_STRIDE,
  measureBoneMatrices,
  measureBoneScales,
  measureCommonScale,
  measureWorldMatrices,
} from '@isoskin/core/kernels';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeMatrix, invertAffine, multiplyAffine } from '../../src/skeleton/matrices.js';

const SEED = 20262;
const half = Math.SQRT1_2;

function skeleton(more: Partial<Skeleton> = {}): Skeleton {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  // root: turned 90° about z and scaled by 2; child: 1 along its x; grandchild: mirrored in z.
  return {
    nodeCount: 3,
    names: ['root', 'child', 'leaf'],
    parents: Int32Array.of(-1, 0, 1),
    locals: Float64Array.of(
      ...[10, 0, 0, 0, 0, half, half, 2, 2, 2],
      ...[1, 0, 0, 0, 0, 0, 1, 1, 3, 1],
      ...[0, 1, 0, 0, 0, 0, 1, 1, 1, -1],
    ),
    fixedMatrices: new Map(),
    boneCount: 2,
    boneNodes: Uint32Array.of(1, 2),
    inverseBinds: Float64Array.of(...identity, ...identity),
    ...more,
  };
}

/** Where the frame of a node sends (x, y, z). */
function send(world: Float64Array, node: number, p: readonly number[]): number[] {
  return [0, 1, 2].map(
    (r) => [0, 4, 8].reduce((sum, c, i) => sum + world[16 * node + c + r]! * p[i]!, 0) + world[16 * node + 12 + r]!,
  );
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 13);
}

describe('world matrices', () => {
  it('compose translation, rotation and scale down the hierarchy', () => {
    const one = skeleton();
    const world = new Float64Array(48);
    measureWorldMatrices(world, one, one.locals);
    expectClose(send(world, 0, [1, 0, 0]), [10, 2, 0]);
    expectClose(send(world, 1, [0, 0, 0]), [10, 2, 0]);
    expectClose(send(world, 1, [0, 1, 0]), [4, 2, 0]); // y points to −x, 2·3 long
    expectClose(send(world, 2, [0, 0, 1]), [4, 2, -2]);
    for (let n = 0; n < 3; n++) expect([3, 7, 11, 15].map((i) => world[16 * n + i])).toEqual([0, 0, 0, 1]);
  });

  it('use a fixed matrix as it is, whatever the pose says, and pass it on to the children', () => {
    const shear = Float64Array.of(1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1);
    const one = skeleton({ fixedMatrices: new Map([[0, shear]]) });
    const world = new Float64Array(48);
    measureWorldMatrices(
      world,
      one,
      one.locals.map((x, i) => (i < 10 ? 99 : x)),
    );
    expectClose([...world.subarray(0, 16)], [...shear]);
    expectClose(send(world, 1, [0, 1, 0]), [7 + 1 + 1.5, 8 + 3, 9]);
  });

  it('make bone matrices with the inverse binds, and their scale is the determinant', () => {
    const one = skeleton();
    const world = new Float64Array(48);
    measureWorldMatrices(world, one, one.locals);
    const binds = new Float64Array(32);
    invertAffine(binds, 0, world, 16);
    invertAffine(binds, 16, world, 32);
    const bones = new Float64Array(2 * BONE_STRIDE);
    measureBoneMatrices(bones, { ...one, inverseBinds: binds }, world);
    for (const i of [0, 12]) expectClose([...bones.subarray(i, i + 12)], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    measureBoneMatrices(bones, one, world);
    const scales = new Float64Array(2);
    measureBoneScales(scales, bones, 2);
    expectClose([...scales], [24, -24]);
  });

  it('agree on a common scale: the median, 1 without bones', () => {
    expect(measureCommonScale(Float64Array.of(8, 1, 8, 8, 0))).toBe(8);
    expect(measureCommonScale(new Float64Array(0))).toBe(1);
  });
});

describe('invertAffine', () => {
  const number = fc.double({ min: -2, max: 2, noNaN: true });
  it(`gives the identity with its matrix (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 12, maxLength: 12 }), (m) => {
        const matrix = Float64Array.of(
          ...[...m.slice(0, 3), 0],
          ...[...m.slice(3, 6), 0],
          ...[...m.slice(6, 9), 0],
          ...[...m.slice(9), 1],
        );
        for (const d of [0, 5, 10]) matrix[d]! += 7; // far from singular
        const inverse = new Float64Array(16);
        const product = new Float64Array(16);
        expect(invertAffine(inverse, 0, matrix, 0)).toBe(true);
        for (const [a, b] of [
          [matrix, inverse],
          [inverse, matrix],
        ] as const) {
          multiplyAffine(product, 0, a, 0, b, 0);
          expectClose([...product], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        }
      }),
      { seed: SEED },
    );
  });

  it('refuses a singular matrix and writes nothing', () => {
    const flat = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 2, 3, 1);
    const out = new Float64Array(16).fill(5);
    expect(invertAffine(out, 0, flat, 0)).toBe(false);
    expect([...out]).toEqual(new Array(16).fill(5));
  });

  it('inverts very small and very large scales', () => {
    for (const scale of [1e-60, 1e-8, 1e8, 1e60]) {
      const m = new Float64Array(16);
      composeMatrix(m, 0, [1, 2, 3, 0, half, 0, half, scale, scale, scale], 0);
      const inverse = new Float64Array(16);
      const product = new Float64Array(16);
      expect(invertAffine(inverse, 0, m, 0)).toBe(true);
      multiplyAffine(product, 0, m, 0, inverse, 0);
      expectClose([...product], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    }
  });
});
