/** A bone matrix is a rotation times a stretch, and the two give it back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeMatrix } from '../../src/skeleton/matrices.js';
import { splitRigid } from '../../src/skinning/split-rigid.js';

const SEED = 20265;

function split(matrix: readonly number[]) {
  const quaternions = new Float64Array(8);
  const stretches = new Float64Array(9);
  splitRigid(quaternions, stretches, Float64Array.from(matrix), 0);
  const rotation = new Float64Array(16);
  composeMatrix(rotation, 0, [0, 0, 0, ...quaternions.subarray(0, 4), 1, 1, 1], 0);
  const R = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => rotation[i]!);
  const product = R.map((_, e) => {
    const [c, r] = [Math.trunc(e / 3), e % 3];
    return R[r]! * stretches[3 * c]! + R[3 + r]! * stretches[3 * c + 1]! + R[6 + r]! * stretches[3 * c + 2]!;
  });
  return { quaternion: [...quaternions], stretch: [...stretches], product };
}

const number = fc.double({ min: -2, max: 2, noNaN: true });

describe('splitRigid', () => {
  it(`gives R·S back, R a unit quaternion and S symmetric (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 12, maxLength: 12 }), fc.constantFrom(1e-5, 1, 1e4), (m, size) => {
        const matrix = m.map((x) => x * size);
        const { quaternion, stretch, product } = split(matrix);
        expect(Math.hypot(...quaternion.slice(0, 4))).toBeCloseTo(1, 14);
        for (let i = 0; i < 9; i++) expect(Math.abs(product[i]! - matrix[i]!)).toBeLessThan(1e-13 * size);
        const [a, b, c] = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)] as [number[], number[], number[]];
        const det =
          a[0]! * (b[1]! * c[2]! - c[1]! * b[2]!) -
          b[0]! * (a[1]! * c[2]! - c[1]! * a[2]!) +
          c[0]! * (a[1]! * b[2]! - b[1]! * a[2]!);
        if (Math.abs(det) < 1e-2) return;
        // The nearest rotation leaves a symmetric stretch; its determinant carries the mirror.
        for (const [i, j] of [
          [1, 3],
          [2, 6],
          [5, 7],
        ] as const) {
          expect(Math.abs(stretch[i]! - stretch[j]!)).toBeLessThan(1e-11 * size);
        }
        const t = quaternion;
        const dual = 2 * (t[3]! * t[7]! + t[0]! * t[4]! + t[1]! * t[5]! + t[2]! * t[6]!);
        expect(Math.abs(dual)).toBeLessThan(1e-13 * size); // real and dual part are orthogonal
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('finds the rotation of every half turn', () => {
    for (const q of [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
      [0, 0, 0, 1],
    ]) {
      const m = new Float64Array(16);
      composeMatrix(m, 0, [0, 0, 0, ...q, 1, 1, 1], 0);
      const { quaternion } = split([...m.subarray(0, 3), ...m.subarray(4, 7), ...m.subarray(8, 11), 0, 0, 0]);
      const dot = q.reduce((sum, x, i) => sum + x * quaternion[i]!, 0);
      expect(Math.abs(dot)).toBeCloseTo(1, 12);
    }
  });

  it('keeps a matrix without volume as a stretch', () => {
    for (const m of [new Array<number>(9).fill(0), [1, 0, 0, 0, 1, 0, 0, 0, 0], [1, 1, 1, 2, 2, 2, 3, 3, 3]]) {
      const { product } = split([...m, 4, 5, 6]);
      for (let i = 0; i < 9; i++) expect(product[i]).toBeCloseTo(m[i]!, 12);
    }
  });
});
