/** What a frame uploads, and what the CPU looks at before it decides how many evaluations a warm frame may take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packGiven, packInputs } from '../src/pack-inputs.js';

const SEED = 20281;
const shape = { regionCount: 3, boneVectors: 6, givenVectors: 7, inputStride: 8 };
const instances = 2;

const create = () => new Float32Array(4 * 8 * instances);
const targets = Float64Array.of(1, 2, 4, 1, 2, 4);

describe('packInputs', () => {
  it('writes rows of the matrices, the targets, then the given amounts', () => {
    const out = create();
    const bones = Float64Array.from({ length: 12 * 2 * instances }, (_, n) => n);
    packInputs(out, bones, targets, shape, instances);
    packGiven(out, [7, 8, 9, 10], 2, shape, instances);
    expect([...out.subarray(0, 12)]).toEqual([0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
    expect([...out.subarray(24, 32)]).toEqual([1, 2, 4, 0, 7, 8, 0, 0]);
    expect([...out.subarray(32 + 12, 32 + 16)]).toEqual([36, 39, 42, 45]);
    expect([...out.subarray(56, 64)]).toEqual([1, 2, 4, 0, 9, 10, 0, 0]);
    packGiven(out, undefined, 2, shape, instances);
    expect([...out.subarray(60, 64)]).toEqual([0, 0, 0, 0]);
  });

  it(`finds the largest change of a linear part wherever it is (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.nat(47), fc.double({ min: 0.001, max: 0.3, noNaN: true }), (place, step) => {
        const out = create();
        const bones = new Float64Array(48).fill(0.5);
        packInputs(out, bones, targets, shape, instances);
        expect(packInputs(out, bones, targets, shape, instances)).toBe(0);
        bones[place]! += step;
        const isMove = place % 12 >= 9;
        expect(packInputs(out, bones, targets, shape, instances)).toBeCloseTo(isMove ? 0 : step, 6);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it('counts a change of a target by its size', () => {
    const out = create();
    const bones = new Float64Array(48);
    const moving = targets.slice();
    packInputs(out, bones, moving, shape, instances);
    moving[5] = 4.04;
    expect(packInputs(out, bones, moving, shape, instances)).toBeCloseTo(0.04 / 4.04, 5);
  });
});
